import { brokenUnique } from '../../platform/db/index.ts'
import { conflictError, DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { idParameter, type Loaded, paging } from '../admin-route/index.ts'
import { type Context, react } from '../context/index.ts'
import { assertMayGrantRoles, keepAnAdministrator, readPermissionsOfRoles } from '../permissions/index.ts'
import { applyComposites, planComposites } from './composites.ts'
import { toRole } from './record.ts'
import type { Role, RoleInput, RoleQuery } from './schema.ts'
import * as store from './store.ts'

/** The role that a realm cannot lose: it is seeded with realm-admin and found by its name. */
export const adminRoleName = 'admin'

// Far beyond what people can oversee; a count beyond it would have to read on and on.
export const maxRoles = 10_000
const holdersPerBatch = 1000

/** Makes writers of the realm's roles wait for one another, until the end of the transaction. */
export async function lockRealmRoles(ctx: Context): Promise<void> {
  await store.lockRoles(ctx.tx, ctx.realmId)
}

export async function loadRole(ctx: Context, roleId: string | undefined, forUpdate: boolean): Promise<Loaded<Role>> {
  const id = idParameter(roleId)
  if (forUpdate) await lockRealmRoles(ctx)
  const row = await store.selectRole(ctx.tx, ctx.realmId, id)
  if (!row) throw notFound()
  return { record: toRole(ctx.realmId, row), version: row.version }
}

export async function findRoleByName(ctx: Context, name: string): Promise<Role | null> {
  const row = await store.selectRoleByName(ctx.tx, ctx.realmId, name)
  return row ? toRole(ctx.realmId, row) : null
}

export async function listRoles(ctx: Context, query: RoleQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a role')
  const rows = await store.selectRoles(ctx.tx, ctx.realmId, page)
  const total = query.count === 'true' ? await countRoles(ctx, maxRoles) : null
  return { roles: rows.map((row) => toRole(ctx.realmId, row)), page, total }
}

export async function countRoles(ctx: Context, upTo: number): Promise<number> {
  return store.countRoles(ctx.tx, ctx.realmId, upTo)
}

export async function createRole(ctx: Context, input: RoleInput): Promise<Role> {
  await lockRealmRoles(ctx)
  if (input.compositeRoleNames.includes(input.name)) throw containsItself()
  const change = await planComposites(ctx, null, [], input.compositeRoleNames)
  const id = newId(ctx.now)
  await keepNameUnique(ctx, input.name, () =>
    store.insertRole(ctx.tx, {
      realm_id: ctx.realmId,
      id,
      name: input.name,
      description: input.description,
      created_at: ctx.now,
    }),
  )
  await applyComposites(ctx, id, change)
  return (await loadRole(ctx, id, false)).record
}

export async function replaceRole(ctx: Context, before: Role, input: RoleInput): Promise<Role> {
  const renamed = input.name !== before.name
  if (renamed && before.name === adminRoleName) {
    throw new DomainError('protected', 'The role admin cannot be renamed.')
  }
  const change = await planComposites(ctx, before.roleId, before.compositeRoleNames, input.compositeRoleNames)
  await keepNameUnique(ctx, renamed ? input.name : null, () =>
    store.updateRole(ctx.tx, ctx.realmId, before.roleId, { name: input.name, description: input.description }),
  )
  const apply = () => applyComposites(ctx, before.roleId, change)
  if (await carriesRealmAdmin(ctx, change.removed)) await keepAnAdministrator(ctx, apply)
  else await apply()
  if (renamed) await store.raiseParentVersions(ctx.tx, ctx.realmId, before.roleId)
  return (await loadRole(ctx, before.roleId, false)).record
}

/** Whoever deletes a role takes it from all its holders, so the caller must hold what it carries. */
export async function deleteRole(ctx: Context, role: Role): Promise<void> {
  if (role.name === adminRoleName) throw new DomainError('protected', 'The role admin cannot be deleted.')
  if (role.defaultRole)
    throw new DomainError('protected', 'The default role cannot be deleted; make another one the default first.')
  await assertMayGrantRoles(ctx, [role.roleId])
  const remove = async () => {
    await tellHolders(ctx, role.roleId)
    await store.raiseParentVersions(ctx.tx, ctx.realmId, role.roleId)
    await store.deleteRoleRow(ctx.tx, ctx.realmId, role.roleId)
  }
  if (await carriesRealmAdmin(ctx, [role.roleId])) await keepAnAdministrator(ctx, remove)
  else await remove()
}

/** Every new user gets the default role, so making a role the default is granting it. */
export async function makeDefaultRole(ctx: Context, role: Role): Promise<Role> {
  await assertMayGrantRoles(ctx, [role.roleId])
  if (role.defaultRole) return role
  await store.clearDefaultRole(ctx.tx, ctx.realmId)
  await store.updateRole(ctx.tx, ctx.realmId, role.roleId, { default_role: true })
  return { ...role, defaultRole: true }
}

async function carriesRealmAdmin(ctx: Context, roleIds: string[]): Promise<boolean> {
  return (await readPermissionsOfRoles(ctx.tx, ctx.realmId, roleIds)).includes('realm-admin')
}

/** The holders are walked only when some folder wants to know: a role may have a million of them. */
async function tellHolders(ctx: Context, roleId: string): Promise<void> {
  if (!ctx.services.contributions.some((contribution) => contribution.reactions?.userLostRole)) return
  for (let after: string | null = null; ; ) {
    const userIds = await store.selectHolders(ctx.tx, ctx.realmId, roleId, after, holdersPerBatch)
    for (const userId of userIds) await react(ctx, 'userLostRole', userId)
    if (userIds.length < holdersPerBatch) return
    after = userIds.at(-1)!
  }
}

/** `name` is null when it does not change. The constraint has the last word, whatever else writes roles. */
async function keepNameUnique(ctx: Context, name: string | null, write: () => Promise<void>): Promise<void> {
  if (name !== null && (await store.selectRoleByName(ctx.tx, ctx.realmId, name))) throw nameTaken()
  try {
    await write()
  } catch (error) {
    if (brokenUnique(error) !== null) throw nameTaken()
    throw error
  }
}

function nameTaken(): DomainError {
  return conflictError('name', 'Another role of the realm has this name.')
}

function containsItself(): DomainError {
  return fieldError('compositeRoleNames', 'A role cannot contain itself, directly or through another role.', 'cycle')
}
