import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import type { Services, UserActor } from '../../domain/context/index.ts'
import { authenticateSession, sessionActor, sessionCookieName } from '../../domain/sessions/index.ts'
import { permissionKeys } from '../../domain/permissions/index.ts'
import { settingsSection } from '../../domain/settings/index.ts'

export interface Caller {
  /** Who calls, where they are at home, and what they hold in the realm they act on. */
  actor: UserActor
  /** What the CSRF token is derived from; null for a bearer token, which no browser sends unasked. */
  csrfSecret: string | null
}

/** Finds the caller behind `Authorization: Bearer` or `DPoP` (contract 4.6, 5.6); the issuer of such tokens provides it. */
export type BearerResolver = (
  request: FastifyRequest,
  realm: RealmSnapshot,
  reply: FastifyReply,
) => Promise<UserActor | null>

export interface CallerOutcome {
  caller: Caller | null
  /** A session was sent but has ended: the answer says so. */
  expired: boolean
  /** The realm vanished between the snapshot and the session's look-up. */
  realmGone: boolean
  realmDisabled: boolean
}

// Contract 1.4: a browser may hold many sessions; only this many beside the system realm's are tried.
const maxOtherRealms = 5
const allPermissions: ReadonlySet<string> = new Set(permissionKeys)

const nobody: CallerOutcome = { caller: null, expired: false, realmGone: false, realmDisabled: false }

/** The session of the realm acted on is tried first, then the system realm's, whose realm-admins may act everywhere. */
export async function findRealmCaller(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  realm: RealmSnapshot,
  bearer: BearerResolver | null,
): Promise<CallerOutcome> {
  if (request.headers.authorization !== undefined) return findBearer(request, reply, realm, bearer)
  const own = await findSession(services, request, realm)
  if (own.realmGone) return own
  const systemRealm = services.config.bootstrap.realm
  // A session of a disabled realm opens nothing, so it must not stand in the way of the system realm's.
  const settled = own.caller && !own.realmDisabled
  if (settled || realm.system || realm.realmId === systemRealm) return own
  const system = await services.snapshots.find(systemRealm)
  if (!system) return own
  const outcome = await findSession(services, request, system)
  if (!outcome.caller?.actor.permissions.has('realm-admin')) return { ...own, expired: own.expired || outcome.expired }
  // Without a session of its own the realm was known from the snapshot only; a realm deleted a moment ago must be gone now.
  const now = await authenticateSession(services, realm.realmId, '', null)
  if (now.realm === 'UNKNOWN') return { ...nobody, realmGone: true }
  const { actor, csrfSecret } = outcome.caller
  return { ...own, expired: false, caller: { actor: { ...actor, permissions: allPermissions }, csrfSecret } }
}

/** A request with a bearer token is judged by the token alone: cookies that came along count for nothing. */
async function findBearer(
  request: FastifyRequest,
  reply: FastifyReply,
  realm: RealmSnapshot,
  bearer: BearerResolver | null,
): Promise<CallerOutcome> {
  const actor = bearer ? await bearer(request, realm, reply) : null
  return { ...nobody, realmDisabled: !realm.enabled, caller: actor ? { actor, csrfSecret: null } : null }
}

/** Routes without a realm: the system realm's session, then a few others. */
export async function findServerCaller(services: Services, request: FastifyRequest): Promise<CallerOutcome> {
  const prefix = sessionCookieName(services.config.secure, '')
  const systemRealm = services.config.bootstrap.realm
  const others = Object.keys(request.cookies)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((realmId) => realmId !== systemRealm)
    .slice(0, maxOtherRealms)
  let expired = false
  for (const realmId of [systemRealm, ...others]) {
    if (!request.cookies[prefix + realmId]) continue
    const realm = await services.snapshots.find(realmId)
    const outcome = realm ? await findSession(services, request, realm) : nobody
    if (outcome.caller && !outcome.realmDisabled) return outcome
    expired ||= outcome.expired
  }
  return { ...nobody, expired }
}

async function findSession(services: Services, request: FastifyRequest, realm: RealmSnapshot): Promise<CallerOutcome> {
  const token = request.cookies[sessionCookieName(services.config.secure, realm.realmId)]
  if (!token) return { ...nobody, realmDisabled: !realm.enabled }
  const { adminSessionIdleSeconds } = await realm.section(settingsSection)
  const outcome = await authenticateSession(services, realm.realmId, token, adminSessionIdleSeconds)
  if (outcome.realm === 'UNKNOWN') return { ...nobody, realmGone: true }
  // An impersonated session acts for the person in their own places, never on the admin surface (contract 2.49).
  const session = outcome.session?.impersonatorId === null ? outcome.session : null
  return {
    caller: session ? { actor: sessionActor(session), csrfSecret: session.token } : null,
    expired: outcome.expired,
    realmGone: false,
    realmDisabled: outcome.realm === 'DISABLED',
  }
}
