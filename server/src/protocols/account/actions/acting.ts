import type { Context, UserActor } from '../../../domain/context/index.ts'
import { expandPermissions, readPermissionsOfUser } from '../../../domain/permissions/index.ts'

/**
 * Nobody needs a permission over themselves. Whoever comes with a token brings none along, and the rule that protects those who
 * hold more than the caller would protect them from themselves.
 */
export async function actAsOwner(ctx: Context, holder: UserActor): Promise<Context> {
  const held = await readPermissionsOfUser(ctx.tx, ctx.realmId, holder.userId)
  return { ...ctx, actor: { ...holder, permissions: expandPermissions(held) } }
}
