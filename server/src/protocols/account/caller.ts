import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Services, UserActor } from '../../domain/context/index.ts'
import {
  authenticateSession,
  csrfToken,
  isForeignOrigin,
  sessionActor,
  sessionCookieName,
  xsrfCookie,
} from '../../domain/sessions/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { constantTimeEqual } from '../../platform/crypto/index.ts'
import { DomainError } from '../../platform/errors/index.ts'

/**
 * Finds the person behind `Authorization: Bearer` or `DPoP` (contract 4.32, 5.6); the issuer of such tokens provides it and says
 * in `WWW-Authenticate` what is wrong with a proof.
 */
export type AccountBearer = (
  request: FastifyRequest,
  realm: RealmSnapshot,
  reply: FastifyReply,
) => Promise<UserActor | null>

/**
 * The person who asks about themselves: by an access token, or by their own session of this realm, whose writes carry the CSRF
 * token. A request with a token is judged by the token alone.
 */
export async function findAccountHolder(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
  bearer: AccountBearer | null,
): Promise<UserActor> {
  reply.header('cache-control', 'no-store')
  if (request.headers.authorization !== undefined) {
    const actor = bearer ? await bearer(request, realm, reply) : null
    if (actor) return actor
    challenge(services, realm, reply, 'error="invalid_token"')
    throw new DomainError('unauthenticated', 'The access token is not valid here.')
  }
  const token = request.cookies[sessionCookieName(services.config.secure, realm.realmId)]
  const outcome = token ? await authenticateSession(services, realm.realmId, token, null) : null
  if (outcome?.realm === 'UNKNOWN') throw new DomainError('realm_not_found', 'There is no realm of this name.')
  if (outcome?.realm === 'DISABLED') throw new DomainError('realm_disabled', 'This realm is disabled.')
  if (!outcome?.session) {
    challenge(services, realm, reply)
    throw outcome?.expired
      ? new DomainError('session_expired', 'The session has ended. Sign in again.')
      : new DomainError('unauthenticated', 'Sign in first: the request carries no valid session for this realm.')
  }
  checkCsrf(services, request, reply, csrfToken(outcome.session.token))
  return sessionActor(outcome.session)
}

/** RFC 9728 5.1: whoever is refused learns where tokens for this come from. */
function challenge(services: Services, realm: RealmSnapshot, reply: FastifyReply, error?: string): void {
  const metadata = `${services.config.baseUrl}/.well-known/oauth-protected-resource/realms/${realm.realmId}`
  const parts = [`resource_metadata="${metadata}"`, ...(error ? [error] : [])]
  const said = reply.getHeader('www-authenticate')
  const proof = typeof said === 'string' ? `${said}, ${parts[0]}` : null
  reply.header('www-authenticate', proof ?? `Bearer ${parts.join(', ')}`)
}

/** Contract 4.5: a write brings the session's token, a read puts it back where another realm's session left its own. */
function checkCsrf(services: Services, request: FastifyRequest, reply: FastifyReply, expected: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (request.cookies['XSRF-TOKEN'] !== expected) {
      reply.header('set-cookie', xsrfCookie(services.config.secure, expected))
    }
    return
  }
  const isForeign = isForeignOrigin(services.config.baseUrl, request)
  const sent = request.headers['x-xsrf-token']
  if (isForeign || typeof sent !== 'string' || !constantTimeEqual(sent, expected)) {
    throw new DomainError('csrf_invalid', 'The header X-XSRF-TOKEN is missing, stale or sent by another site.')
  }
}
