import type { Loaded } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { assertMayGrant, keepAnAdministrator, type Permission, permissionKeys } from '../permissions/index.ts'
import { listRoles, loadRole } from '../roles/index.ts'
import type { AdminRole, AdminRoleQuery } from './schema.ts'
import { selectGrants, updateGrant } from './store.ts'

export async function listAdminRoles(ctx: Context, query: AdminRoleQuery) {
  const { roles, ...rest } = await listRoles(ctx, query)
  const grants = await selectGrants(
    ctx.tx,
    ctx.realmId,
    roles.map((role) => role.roleId),
  )
  const byId = new Map(grants.map((grant) => [grant.id, grant.permissions]))
  const entries = roles.map((role) => toEntry(ctx.realmId, role, byId.get(role.roleId) ?? []))
  return { entries, ...rest }
}

export async function loadAdminRole(
  ctx: Context,
  roleId: string | undefined,
  forUpdate: boolean,
): Promise<Loaded<AdminRole>> {
  const { record: role, version } = await loadRole(ctx, roleId, forUpdate)
  const [grant] = await selectGrants(ctx.tx, ctx.realmId, [role.roleId])
  return { record: toEntry(ctx.realmId, role, grant?.permissions ?? []), version }
}

/**
 * Replaces what a role grants. Nobody hands out what they do not hold, and nobody takes it from others either: a lesser
 * administrator could otherwise disarm the greater ones.
 */
export async function replacePermissions(ctx: Context, before: AdminRole, wanted: Permission[]): Promise<AdminRole> {
  const after = inCatalogueOrder(wanted)
  const added = after.filter((key) => !before.permissions.includes(key))
  const removed = before.permissions.filter((key) => !after.includes(key))
  assertMayGrant(ctx, [...added, ...removed])
  if (added.length + removed.length === 0) return before

  const change = () => updateGrant(ctx.tx, ctx.realmId, before.roleId, after)
  if (removed.includes('realm-admin')) await keepAnAdministrator(ctx, change)
  else await change()
  await recordEvent(ctx, {
    type: 'PERMISSION_CHANGED',
    outcome: 'SUCCESS',
    resourceType: 'admin-roles',
    resourceId: before.roleId,
    detail: JSON.stringify({ roleName: before.roleName, added, removed }),
  })
  return { ...before, permissions: after }
}

function inCatalogueOrder(permissions: string[]): Permission[] {
  return permissionKeys.filter((key) => permissions.includes(key))
}

function toEntry(realmId: string, role: { roleId: string; name: string }, permissions: string[]): AdminRole {
  return { realmId, roleId: role.roleId, roleName: role.name, permissions: inCatalogueOrder(permissions) }
}
