import { isForeignKeyBroken } from '../../../platform/db/index.ts'
import { fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { paging } from '../../admin-route/index.ts'
import { type Context, react } from '../../context/index.ts'
import { assertMayGrantRoles, keepAnAdministrator, readPermissionsOfRoles } from '../../permissions/index.ts'
import { findRoleByName, loadRole } from '../../roles/index.ts'
import type { User } from '../schema.ts'
import { loadUser } from '../service.ts'
import { insertUserRole, raiseUserVersion } from '../store.ts'
import type { RoleMapping, RoleMappingQuery } from './schema.ts'
import * as store from './store.ts'

export async function listMappings(ctx: Context, userId: string | undefined, query: RoleMappingQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a role')
  const effective = query.effective === 'true'
  const { record: user } = await loadUser(ctx, userId, false)
  const rows = await store.selectMappings(ctx.tx, ctx.realmId, user.userId, { ...page, effective })
  const total = query.count === 'true' ? await store.countMappings(ctx.tx, ctx.realmId, user.userId, effective) : null
  const mappings = rows.map((row) => toMapping({ roleId: row.id, ...row }, row.direct ? 'DIRECT' : 'COMPOSITE'))
  return { mappings, page, total }
}

/** Whoever gives a role gives what it carries, so they must hold that themselves (contract 5.2). */
export async function assignRole(
  ctx: Context,
  user: User,
  name: string,
): Promise<{ mapping: RoleMapping; created: boolean }> {
  const role = await findRoleByName(ctx, name)
  if (!role) throw notFound()
  await assertMayGrantRoles(ctx, [role.roleId])
  const created = await insertAssignment(ctx, user.userId, role.roleId)
  if (created) await raiseUserVersion(ctx.tx, ctx.realmId, user.userId)
  return { mapping: toMapping(role, 'DIRECT'), created }
}

/** Returns the name of the role that was taken away. */
export async function unassignRole(ctx: Context, user: User, roleId: string | undefined): Promise<string> {
  const { record: role } = await loadRole(ctx, roleId, false)
  if (!user.roles.includes(role.name)) throw notFound()
  await assertMayGrantRoles(ctx, [role.roleId])
  const remove = async () => {
    await store.deleteAssignment(ctx.tx, ctx.realmId, user.userId, role.roleId)
    await raiseUserVersion(ctx.tx, ctx.realmId, user.userId)
    await react(ctx, 'userLostRole', user.userId)
  }
  const permissions = await readPermissionsOfRoles(ctx.tx, ctx.realmId, [role.roleId])
  if (permissions.includes('realm-admin')) await keepAnAdministrator(ctx, remove)
  else await remove()
  return role.name
}

async function insertAssignment(ctx: Context, userId: string, roleId: string): Promise<boolean> {
  try {
    return await insertUserRole(ctx.tx, ctx.realmId, userId, roleId, ctx.now)
  } catch (error) {
    // The role was deleted between the look-up and this statement.
    if (isForeignKeyBroken(error)) throw notFound()
    throw error
  }
}

function toMapping(
  role: { roleId: string; name: string; description: string | null },
  source: RoleMapping['source'],
): RoleMapping {
  return { roleId: role.roleId, name: role.name, description: role.description, clientId: null, source }
}
