import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../context/index.ts'
import type { Acting } from './acting.ts'
import { authenticateSession } from './authenticate.ts'
import { clearImpersonationCookie, csrfToken, impersonationCookieName } from './cookies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while an administrator acts as somebody; the pages say so. */
    acting: Acting | null
  }
}

/**
 * Looks at the impersonation cookie once, before anything else reads cookies. One whose session has ended is taken out of the
 * request, so that the administrator's own session counts again, with its own CSRF token; outside the realm's own places it
 * never counts (contract 2.49).
 */
export async function settleImpersonation(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { secure } = services.config
  const prefix = impersonationCookieName(secure, '')
  const sent = Object.keys(request.cookies).filter((name) => name.startsWith(prefix))
  if (sent.length === 0) return
  const realmId = placeOf(request)
  const name = prefix + realmId
  const token = realmId === null ? undefined : request.cookies[name]
  const acting = realmId !== null && token ? await findActing(services, realmId, token) : null
  setAside(
    request,
    sent.filter((other) => acting === null || other !== name),
  )
  if (token && !acting) reply.header('set-cookie', clearImpersonationCookie(secure, realmId!))
  request.acting = acting
}

/** The realm whose own places are asked; null elsewhere, the admin API above all, and for what looks the same to everybody. */
function placeOf(request: FastifyRequest): string | null {
  const url = request.routeOptions.url ?? ''
  const isPlace = url.startsWith('/realms/:realm/') && !url.startsWith('/realms/:realm/branding/')
  return isPlace ? ((request.params as { realm?: string }).realm ?? null) : null
}

/** Null also for a session that somebody signed in to: its secret belongs in the other cookie, which only we can set. */
async function findActing(services: Services, realmId: string, token: string): Promise<Acting | null> {
  const outcome = await authenticateSession(services, realmId, token, null)
  const session = outcome.realm === 'ENABLED' ? outcome.session : null
  return session && session.impersonatorId !== null ? { username: session.username, csrf: csrfToken(token) } : null
}

/** Takes cookies out of the request for everybody who reads it, the engine of the protocols too. */
function setAside(request: FastifyRequest, names: string[]): void {
  if (names.length === 0) return
  for (const name of names) delete request.cookies[name]
  const kept = Object.entries(request.cookies).map(([name, value]) => `${name}=${value}`)
  request.raw.headers.cookie = kept.join('; ')
}
