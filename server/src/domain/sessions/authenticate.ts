import { hashToken } from '../../platform/crypto/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import type { Services, UserActor } from '../context/index.ts'
import { expandPermissions } from '../permissions/index.ts'
import { fullyProvedAt } from './acr.ts'
import { mayStillActFor } from './acting.ts'
import type { Proof } from './service.ts'
import { readRealmWithSession, touchSession } from './store.ts'

export interface AuthenticatedSession {
  realmId: string
  sessionId: string
  /** The cookie's value: what the CSRF token is derived from. */
  token: string
  userId: string
  username: string
  permissions: ReadonlySet<string>
  impersonatorId: string | null
  proofs: Proof[]
  rememberMe: boolean
  expiresAt: number
}

export type SessionOutcome =
  | { realm: 'UNKNOWN' }
  | { realm: 'DISABLED' | 'ENABLED'; session: AuthenticatedSession | null; expired: boolean }

// How often the time of last use is written: exact enough for idle limits of minutes, cheap for busy sessions.
export const touchEveryMs = 60_000

/**
 * Looks a session up on the primary database, so that an ended session, a disabled user or a removed role counts from the very
 * next request on every node. `adminIdleSeconds` also demands recent use of the admin surface.
 */
export async function authenticateSession(
  services: Services,
  realmId: string,
  token: string,
  adminIdleSeconds: number | null,
): Promise<SessionOutcome> {
  const row = await readRealmWithSession(services.db, realmId, hashToken(token))
  if (!row) {
    services.snapshots.drop(realmId)
    return { realm: 'UNKNOWN' }
  }
  services.snapshots.observe(realmId, row.config_version)
  const realm = row.realm_enabled ? 'ENABLED' : 'DISABLED'
  if (!row.session_id) return { realm, session: null, expired: false }

  const now = services.clock.now()
  const idleEnd = row.last_access_at! + row.idle_seconds! * 1000
  const adminEnd = adminIdleSeconds === null ? Number.POSITIVE_INFINITY : row.last_admin_at! + adminIdleSeconds * 1000
  if (now >= row.expires_at! || now >= idleEnd || now >= adminEnd) return { realm, session: null, expired: true }
  // A lock without an end was set by an administrator and ends the person's sessions; one with an end only stops new
  // sign-ins, or anybody could throw a person out by typing wrong passwords.
  const lockedOut = row.user_locked && row.user_locked_until === null
  if (!row.user_enabled || lockedOut) return { realm, session: null, expired: true }
  const { impersonator_id: impersonatorId, user_id: userId } = row
  const isActing = impersonatorId !== null
  if (isActing && !(await mayStillActFor(services, realmId, { impersonatorId, userId: userId! })))
    return { realm, session: null, expired: true }

  const lastUse = adminIdleSeconds === null ? row.last_access_at! : Math.min(row.last_access_at!, row.last_admin_at!)
  if (now - lastUse >= touchEveryMs) {
    await touchSession(services.db, realmId, row.session_id, now, adminIdleSeconds !== null)
  }
  return {
    realm,
    expired: false,
    session: {
      realmId,
      sessionId: row.session_id,
      token,
      userId: row.user_id!,
      username: row.username!,
      permissions: expandPermissions(row.permissions ?? []),
      impersonatorId: row.impersonator_id,
      proofs: row.proofs as Proof[],
      rememberMe: row.remember_me ?? false,
      expiresAt: Math.min(row.expires_at!, idleEnd),
    },
  }
}

/** The person behind a session, with what they hold in their own realm. */
export function sessionActor(session: AuthenticatedSession): UserActor {
  const { userId, username, realmId, sessionId, impersonatorId, permissions } = session
  // Whoever acts for somebody else did not prove to be that person, least of all a moment ago.
  const at = impersonatorId === null ? (fullyProvedAt(session.proofs) ?? 0) : 0
  return { kind: 'USER', userId, username, realmId, sessionId, impersonatorId, permissions, authenticatedAt: at }
}

// Contract 4.32: what makes somebody's account another's is asked of whoever signed in a moment ago.
export const freshSeconds = 300

/** Whether the person behind this signed in a moment ago, and nobody acts as them: the one rule for pages and programs (S9, S39). */
export function isFreshlySignedIn({ impersonatorId, authenticatedAt }: UserActor, now: number): boolean {
  return impersonatorId === null && now - authenticatedAt <= freshSeconds * 1000
}

export function sessionExpired(): DomainError {
  return new DomainError('session_expired', 'The session has ended. Sign in again.')
}
