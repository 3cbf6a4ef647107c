import { type Actor, asUser, type Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { findImpersonator } from '../../sessions/index.ts'

/**
 * The end of acting as somebody, however it came: against the administrator where they ended it themselves, else against whoever
 * did. Both names are in it always (contract 6.4).
 */
export async function recordEnd(
  ctx: Context,
  { id: sessionId, userId, impersonatorId }: { id: string; userId: string; impersonatorId: string },
): Promise<void> {
  const event = { type: 'IMPERSONATION_END', outcome: 'SUCCESS', resourceType: 'users', resourceId: userId } as const
  const ending = { ...ctx, actor: await enderOf(ctx, impersonatorId) }
  await recordEvent(ending, { ...event, sessionId, impersonatorId })
}

/** Inside the session it is the person's name that acts, and at a sign-in nobody's yet: in both the administrator is there. */
async function enderOf({ services, actor, realmId, tx }: Context, impersonatorId: string): Promise<Actor> {
  const isInside = actor.kind === 'USER' && actor.impersonatorId === impersonatorId
  if (!isInside && actor.kind !== 'ANONYMOUS') return actor
  const administrator = await findImpersonator(services, realmId, impersonatorId, tx)
  return administrator ? asUser(administrator.realmId, { id: impersonatorId, username: administrator.username }) : actor
}
