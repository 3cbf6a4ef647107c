import { asUser, type Context } from '../../context/index.ts'
import { recordAdded } from '../../users/credentials/index.ts'
import { tellOfChange } from '../../users/notices/index.ts'
import type { StepWork } from '../types.ts'

/** Notes a factor that somebody set up on their way, and tells them by mail: whoever did not do it hears of it. */
export async function recordFactor(ctx: Context, { state }: StepWork, type: string, id: string): Promise<void> {
  const userId = state.userId!
  const acting = { ...ctx, actor: asUser(ctx.realmId, { id: userId, username: state.username! }) }
  await recordAdded(acting, userId, type, id)
  await tellOfChange(acting, userId, 'FACTOR_ADDED', { about: type })
}
