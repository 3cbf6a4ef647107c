import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyAdminRoute, PermissionRule } from '../../domain/admin-route/index.ts'
import type { Services } from '../../domain/context/index.ts'
import { csrfToken, isForeignOrigin, xsrfCookie } from '../../domain/sessions/index.ts'
import { settingsSection } from '../../domain/settings/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import { constantTimeEqual } from '../../platform/crypto/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { type BearerResolver, type Caller, findRealmCaller, findServerCaller } from './callers.ts'

export interface Admission {
  /** The realm acted on; the system realm for routes without one, which also keeps their events. */
  realm: RealmSnapshot
  caller: Caller
}

// Contract 5.3: routes marked † need a sign-in this recent when the realm asks for it.
const reauthenticationMs = 15 * 60_000
export const realmNamePattern = /^[a-z0-9][a-z0-9-]{0,62}$/

/**
 * The checks before a request is looked at any closer, in the order of contract 0.6: realm, session, CSRF, permission. `onCaller`
 * learns who calls as soon as that is known, so that a refusal can be recorded against them.
 */
export async function admit(
  services: Services,
  route: AnyAdminRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  options: { bearer: BearerResolver | null; onCaller: (admission: Admission) => void },
): Promise<Admission> {
  const isWrite = route.method !== 'GET'
  const realmId = (request.params as { realm?: string }).realm ?? ''
  const serverScope = route.scope === 'server'
  const realm = await findRealm(services, serverScope ? services.config.bootstrap.realm : realmId)
  const outcome = serverScope
    ? await findServerCaller(services, request)
    : await findRealmCaller(services, request, reply, realm, options.bearer)
  if (outcome.realmGone) throw realmNotFound()
  const { caller } = outcome
  const fromSystem = caller?.actor.realmId === services.config.bootstrap.realm
  if (outcome.realmDisabled && !fromSystem) throw new DomainError('realm_disabled', 'This realm is disabled.')
  if (!caller) {
    throw outcome.expired
      ? new DomainError('session_expired', 'The session has ended. Sign in again.')
      : new DomainError('unauthenticated', 'Sign in first: the request carries no valid session for this realm.')
  }
  const admission = { realm, caller }
  options.onCaller(admission)

  if (caller.csrfSecret !== null) {
    const token = csrfToken(caller.csrfSecret)
    if (isWrite) checkCsrf(services, request, token)
    // The cookie is shared by all realms of a browser, so each answer puts the answering session's value back.
    else if (request.cookies['XSRF-TOKEN'] !== token)
      reply.header('set-cookie', xsrfCookie(services.config.secure, token))
  }
  checkPermission(services, route.permission, caller)
  if (route.reauthenticate) await checkRecentSignIn(services, realm, caller)
  return admission
}

async function findRealm(services: Services, realmId: string): Promise<RealmSnapshot> {
  const realm = realmNamePattern.test(realmId) ? await services.snapshots.find(realmId) : null
  if (!realm) throw realmNotFound()
  return realm
}

export function realmNotFound(): DomainError {
  return new DomainError('realm_not_found', 'There is no realm of this name.')
}

function checkCsrf(services: Services, request: FastifyRequest, token: string): void {
  const sent = request.headers['x-xsrf-token']
  if (isForeignOrigin(services.config.baseUrl, request)) {
    throw new DomainError('csrf_invalid', 'The request comes from another site.')
  }
  if (typeof sent !== 'string' || !constantTimeEqual(sent, token)) {
    throw new DomainError(
      'csrf_invalid',
      'The header X-XSRF-TOKEN is missing or stale; read the cookie XSRF-TOKEN again.',
    )
  }
}

function checkPermission(services: Services, rule: PermissionRule, caller: Caller): void {
  if ('signedIn' in rule) return
  if ('system' in rule) {
    const system = caller.actor.realmId === services.config.bootstrap.realm
    if (system && caller.actor.permissions.has('realm-admin')) return
    throw new DomainError('forbidden', 'This needs realm-admin in the system realm.')
  }
  if ('anyAdmin' in rule) {
    if (caller.actor.permissions.size > 0) return
    throw new DomainError('forbidden', 'This needs an admin permission.')
  }
  if (rule.anyOf.some((permission) => caller.actor.permissions.has(permission))) return
  throw new DomainError('forbidden', `This needs one of these permissions: ${rule.anyOf.join(', ')}.`)
}

async function checkRecentSignIn(services: Services, realm: RealmSnapshot, caller: Caller): Promise<void> {
  const { adminReauth } = await realm.section(settingsSection)
  if (!adminReauth) return
  if (services.clock.now() - caller.actor.authenticatedAt > reauthenticationMs) {
    throw new DomainError('reauthentication_required', 'This action needs a sign-in of the last fifteen minutes.')
  }
}
