export interface UserActor {
  kind: 'USER'
  userId: string
  username: string
  /** The realm the actor belongs to: the realm acted on, or the system realm. */
  realmId: string
  sessionId: string | null
  impersonatorId: string | null
  /** Effective permissions in the realm acted on, read for this request. */
  permissions: ReadonlySet<string>
  /** When the actor last proved who they are, epoch ms. */
  authenticatedAt: number
}

export type Actor =
  | UserActor
  | { kind: 'CLIENT'; clientId: string }
  | { kind: 'SYSTEM' }
  /** Nobody known; `typedName` is what was typed into a sign-in. */
  | { kind: 'ANONYMOUS'; typedName: string | null }

export const jobActor: Actor = { kind: 'SYSTEM' }

export function anonymous(typedName: string | null = null): Actor {
  return { kind: 'ANONYMOUS', typedName }
}

/** A person known by name, who holds nothing here: somebody signing in, or somebody a token speaks for. */
export function asUser(
  realmId: string,
  user: { id: string; username: string; sessionId?: string | null; impersonatorId?: string | null },
): UserActor {
  return {
    kind: 'USER',
    userId: user.id,
    username: user.username,
    realmId,
    sessionId: user.sessionId ?? null,
    impersonatorId: user.impersonatorId ?? null,
    permissions: new Set(),
    authenticatedAt: 0,
  }
}
