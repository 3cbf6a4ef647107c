import type { UserActor } from '../context/index.ts'

/** A person who is signing in: known, but not yet holding anything. */
export function asUser(realmId: string, user: { id: string; username: string }): UserActor {
  return {
    kind: 'USER',
    userId: user.id,
    username: user.username,
    realmId,
    sessionId: null,
    impersonatorId: null,
    permissions: new Set(),
    authenticatedAt: 0,
  }
}
