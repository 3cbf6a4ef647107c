import type { Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'

/** Somebody has a factor more: given by an administrator, or set up by themselves, as `ctx.actor` says. */
export async function recordAdded(ctx: Context, userId: string, type: string, id: string): Promise<void> {
  await recordEvent(ctx, {
    type: 'CREDENTIAL_ADDED',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    detail: JSON.stringify({ type, id }),
    detailSubject: userId,
  })
}
