import type { Context, UserActor } from '../../../domain/context/index.ts'
import { listOwnEvents, type OwnEventQuery } from '../../../domain/events/index.ts'

/** What the person did and what was done about the security of their account, without anything that is somebody else's. */
export function listActivity(ctx: Context, holder: UserActor, query: OwnEventQuery) {
  return listOwnEvents(ctx, holder.userId, query)
}
