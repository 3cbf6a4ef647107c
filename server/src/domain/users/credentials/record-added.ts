import type { Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'

/** An administrator gave somebody a factor; what people set up themselves is recorded by their sign-in, as their own doing. */
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
