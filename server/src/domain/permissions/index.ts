// Admin permissions: the fixed catalogue, what a person effectively holds, and the rules that nobody may step over.
// Specification part 2 (catalogue) and part 5, contract 5.1, 5.2, 2.43; S7-S9.
// Called by the admin surface on every request and by the folders that grant roles or act on people.
import { DomainError } from '../../platform/errors/index.ts'
import type { Context } from '../context/index.ts'
import { expandPermissions, missingPermissions } from './catalogue.ts'
import { hasAdministrator, lockRealm, readPermissionsOfRoles, readPermissionsOfUser } from './store.ts'

export {
  expandPermissions,
  missingPermissions,
  type Permission,
  permissionCatalogue,
  permissionKeys,
} from './catalogue.ts'
export { readPermissionsOfRoles, readPermissionsOfUser, readRoleClosure } from './store.ts'

/** Refuses to hand out, or to take away, a permission that the caller does not hold (contract 5.2). Jobs and bootstrap hold everything. */
export function assertMayGrant(ctx: Context, permissions: Iterable<string>): void {
  if (ctx.actor.kind === 'SYSTEM') return
  const held = ctx.actor.kind === 'USER' ? ctx.actor.permissions : new Set<string>()
  const missing = missingPermissions(held, permissions)
  if (missing.length > 0) {
    throw new DomainError(
      'escalation',
      `You do not hold ${missing.join(', ')} and so can neither grant it nor take it away.`,
    )
  }
}

/** Refuses to grant a role that carries more than the caller holds. */
export async function assertMayGrantRoles(ctx: Context, roleIds: string[]): Promise<void> {
  assertMayGrant(ctx, await readPermissionsOfRoles(ctx.tx, ctx.realmId, roleIds))
}

/** Refuses to reset, change or end a person who holds more than the caller (contract 5.2). */
export async function assertMayActOn(ctx: Context, userId: string): Promise<void> {
  if (ctx.actor.kind === 'SYSTEM') return
  const held = ctx.actor.kind === 'USER' ? ctx.actor.permissions : new Set<string>()
  const missing = missingPermissions(held, await readPermissionsOfUser(ctx.tx, ctx.realmId, userId))
  if (missing.length > 0) {
    throw new DomainError('escalation', `This user holds ${missing.join(', ')}, which you do not.`)
  }
}

export async function holdsRealmAdmin(ctx: Context, userId: string): Promise<boolean> {
  return expandPermissions(await readPermissionsOfUser(ctx.tx, ctx.realmId, userId)).has('realm-admin')
}

/**
 * Runs a change that may take realm-admin away from somebody and refuses it when nobody enabled would be left. Two such
 * changes at once wait for one another, so they cannot both see the other's administrator.
 */
export async function keepAnAdministrator<T>(ctx: Context, change: () => Promise<T>): Promise<T> {
  await lockRealm(ctx.tx, ctx.realmId)
  const result = await change()
  if (!(await hasAdministrator(ctx.tx, ctx.realmId))) {
    throw new DomainError('last_admin', 'The realm would be left without an enabled holder of realm-admin.')
  }
  return result
}
