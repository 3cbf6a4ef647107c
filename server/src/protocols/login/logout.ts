import type { FastifyReply, FastifyRequest } from 'fastify'
import { openContext, type Services } from '../../domain/context/index.ts'
import { recordEvent } from '../../domain/events/index.ts'
import {
  anonymousCsrf,
  authenticateSession,
  clearImpersonationCookie,
  clearSessionCookie,
  csrfToken,
  endSessions,
  ownSessionTokenOf,
  sessionActor,
  setCookies,
  xsrfCookie,
} from '../../domain/sessions/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { readForm, readVisit, refuseForeignForm, wantsJson } from '../../pages/visits/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf } from '../../platform/http/index.ts'

export async function logout(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const visit = readVisit(services, realm, request, reply)
  refuseForeignForm(visit, readForm(request))
  const { sessionToken } = visit.browser
  if (sessionToken) await endOwnSession(services, realm, request, sessionToken)
  const { secure } = services.config
  if (request.acting) return goBack(services, realm, request, reply)
  const anonymous = anonymousCsrf(secure, {})
  // A new anonymous secret: the CSRF token rotates at logout.
  setCookies(reply, [
    clearSessionCookie(secure, realm.realmId),
    anonymous.cookie!,
    xsrfCookie(secure, csrfToken(anonymous.secret)),
  ])
  reply.header('cache-control', 'no-store')
  if (wantsJson(request)) return reply.code(204).send()
  return reply.code(303).header('location', `/realms/${realm.realmId}/login`).send()
}

/** Whoever acted as somebody is themselves again: their own session stays, and its CSRF token takes over. */
function goBack(
  { config }: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { secure, bootstrap } = config
  const homes = [realm.realmId, bootstrap.realm]
  const home = homes.find((realmId) => ownSessionTokenOf(secure, request.cookies, realmId) !== null)
  const own = home === undefined ? null : ownSessionTokenOf(secure, request.cookies, home)
  const csrf = own ? csrfToken(own) : anonymousCsrf(secure, request.cookies).token
  setCookies(reply, [clearImpersonationCookie(secure, realm.realmId), xsrfCookie(secure, csrf)])
  reply.header('cache-control', 'no-store')
  if (wantsJson(request)) return reply.code(204).send()
  const location = home === undefined ? `/realms/${realm.realmId}/login` : `/console/${home}/`
  return reply.code(303).header('location', location).send()
}

async function endOwnSession(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  token: string,
): Promise<void> {
  const outcome = await authenticateSession(services, realm.realmId, token, null)
  if (outcome.realm === 'UNKNOWN') throw new DomainError('realm_not_found', 'There is no realm of this name.')
  const { session } = outcome
  if (!session) return
  await runTransaction(services.db, async (work) => {
    const { sessionId } = session
    const from = { realmId: realm.realmId, actor: sessionActor(session), origin: originOf(request) }
    const ctx = openContext(services, work, from)
    await endSessions(ctx, { id: sessionId })
    // The person did not sign out; whoever acted as them has stopped, which is an event of its own.
    if (session.impersonatorId !== null) return
    await recordEvent(ctx, { type: 'LOGOUT', outcome: 'SUCCESS', sessionId })
  })
}
