import type { FastifyReply, FastifyRequest } from 'fastify'
import { resourceMetadataUrl, type Services, type UserActor } from '../../domain/context/index.ts'
import {
  authenticateSession,
  csrfToken,
  freshSeconds,
  isForeignOrigin,
  isFreshlySignedIn,
  sessionActor,
  sessionTokenOf,
  xsrfCookie,
} from '../../domain/sessions/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { constantTimeEqual } from '../../platform/crypto/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { challengeBearer } from '../../platform/http/index.ts'

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
 * What a request needs beyond being somebody's own: READ nothing; WRITE that nobody else acts as the person (S9); FRESH also that
 * the person proved who they are a moment ago (S39).
 */
export type Demand = 'READ' | 'WRITE' | 'FRESH'

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
  demand: Demand,
): Promise<UserActor> {
  const holder = await identifyHolder(services, realm, request, reply, bearer)
  if (demand !== 'READ') refuseImpersonator(holder)
  if (demand === 'FRESH') {
    try {
      demandFresh(services, holder)
    } catch (error) {
      tellHowFresh(services, realm, reply)
      throw error
    }
  }
  return holder
}

/** Also for pages and for changes that turn out on the way to need it. */
export function demandFresh(services: Pick<Services, 'clock'>, holder: UserActor): void {
  if (isFreshlySignedIn(holder, services.clock.now())) return
  throw new DomainError(
    'insufficient_user_authentication',
    'This needs a sign-in of the last five minutes. Sign in again and repeat it.',
  )
}

/** Administrators who act as somebody look and help; the account itself stays that person's (S9). */
export function refuseImpersonator(holder: UserActor): void {
  if (holder.impersonatorId === null) return
  throw new DomainError('forbidden', 'You act as somebody else: only they may change their account.')
}

/** RFC 9470 section 3: how recent the sign-in has to be. */
export function tellHowFresh(services: Services, realm: RealmSnapshot, reply: FastifyReply): void {
  reply.header(
    'www-authenticate',
    `Bearer error="insufficient_user_authentication", error_description="a more recent sign-in is required", ` +
      `max_age="${freshSeconds}", resource_metadata="${resourceMetadataUrl(services, realm.realmId)}"`,
  )
}

async function identifyHolder(
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
    challengeBearer(reply, resourceMetadataUrl(services, realm.realmId), 'invalid_token')
    throw new DomainError('unauthenticated', 'The access token is not valid here.')
  }
  const token = sessionTokenOf(services.config.secure, request.cookies, realm.realmId)
  const outcome = token ? await authenticateSession(services, realm.realmId, token, null) : null
  if (outcome?.realm === 'UNKNOWN') throw new DomainError('realm_not_found', 'There is no realm of this name.')
  if (outcome?.realm === 'DISABLED') throw new DomainError('realm_disabled', 'This realm is disabled.')
  if (!outcome?.session) {
    challengeBearer(reply, resourceMetadataUrl(services, realm.realmId))
    throw outcome?.expired
      ? new DomainError('session_expired', 'The session has ended. Sign in again.')
      : new DomainError('unauthenticated', 'Sign in first: the request carries no valid session for this realm.')
  }
  checkCsrf(services, request, reply, csrfToken(outcome.session.token))
  return sessionActor(outcome.session)
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
