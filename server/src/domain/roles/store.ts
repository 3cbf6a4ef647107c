import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface RoleRow {
  id: string
  name: string
  description: string | null
  default_role: boolean
  created_at: number
  version: number
  child_names: string[]
}

const columns = ['id', 'name', 'description', 'default_role', 'created_at', 'version'] as const
const childNames = sql<string[]>`array(select child.name from role_composites join roles child
  on child.realm_id = role_composites.realm_id and child.id = role_composites.child_role_id
  where role_composites.realm_id = roles.realm_id and role_composites.role_id = roles.id order by child.name)`

/**
 * Makes writers of roles wait for one another, so that no two of them build a circle together. The row is taken without its
 * key: foreign keys of other tables, such as new users, do not wait.
 */
export async function lockRoles(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export async function selectRole(db: Executor, realmId: string, id: string): Promise<RoleRow | null> {
  const row = await db
    .selectFrom('roles')
    .select([...columns, childNames.as('child_names')])
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function selectRoleByName(db: Executor, realmId: string, name: string): Promise<RoleRow | null> {
  const row = await db
    .selectFrom('roles')
    .select([...columns, childNames.as('child_names')])
    .where('realm_id', '=', realmId)
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

/** A page in the order of the name, with one row more than asked for. */
export async function selectRoles(
  db: Executor,
  realmId: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<RoleRow[]> {
  let query = db
    .selectFrom('roles')
    .select([...columns, childNames.as('child_names')])
    .where('realm_id', '=', realmId)
  if (page.after !== null) {
    query = query.where('name', '>', (eb) =>
      eb
        .selectFrom('roles as cursor')
        .select('cursor.name')
        .where('cursor.realm_id', '=', realmId)
        .where('cursor.id', '=', page.after),
    )
  }
  return query
    .orderBy('name')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countRoles(db: Executor, realmId: string, upTo: number): Promise<number> {
  const row = await db
    .selectFrom(db.selectFrom('roles').select('id').where('realm_id', '=', realmId).limit(upTo).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export async function selectIdsByName(db: Executor, realmId: string, names: string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('roles')
    .select(['id', 'name'])
    .where('realm_id', '=', realmId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.name, row.id]))
}

export interface RoleInsert {
  realm_id: string
  id: string
  name: string
  description: string | null
  created_at: number
  default_role?: boolean
  permissions?: string[]
}

export async function insertRole(tx: Tx, role: RoleInsert): Promise<void> {
  await tx.insertInto('roles').values(role).execute()
}

/** Raises the version even when no value changes: the roles it is composed of are part of the record. */
export async function updateRole(
  tx: Tx,
  realmId: string,
  id: string,
  values: { name?: string; description?: string | null; default_role?: boolean },
): Promise<void> {
  await tx
    .updateTable('roles')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function clearDefaultRole(tx: Tx, realmId: string): Promise<void> {
  await tx
    .updateTable('roles')
    .set((eb) => ({ default_role: false, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('default_role', '=', true)
    .execute()
}

export async function deleteRoleRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('roles').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

/** The records of the roles that contain this one show its name, so they change with it. */
export async function raiseParentVersions(tx: Tx, realmId: string, childId: string): Promise<void> {
  await tx
    .updateTable('roles')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('role_composites')
        .select('role_id')
        .where('realm_id', '=', realmId)
        .where('child_role_id', '=', childId),
    )
    .execute()
}

export async function insertChildren(tx: Tx, realmId: string, roleId: string, childIds: string[]): Promise<void> {
  if (childIds.length === 0) return
  await tx
    .insertInto('role_composites')
    .values(childIds.map((child_role_id) => ({ realm_id: realmId, role_id: roleId, child_role_id })))
    .execute()
}

export async function deleteChildren(tx: Tx, realmId: string, roleId: string, childIds: string[]): Promise<void> {
  if (childIds.length === 0) return
  await tx
    .deleteFrom('role_composites')
    .where('realm_id', '=', realmId)
    .where('role_id', '=', roleId)
    .where('child_role_id', '=', sql<string>`any(${childIds}::uuid[])`)
    .execute()
}

/** Direct holders in the order of their id, a page at a time. */
export async function selectHolders(
  tx: Tx,
  realmId: string,
  roleId: string,
  after: string | null,
  limit: number,
): Promise<string[]> {
  let query = tx
    .selectFrom('user_roles')
    .select('user_id')
    .where('realm_id', '=', realmId)
    .where('role_id', '=', roleId)
  if (after !== null) query = query.where('user_id', '>', after)
  return (await query.orderBy('user_id').limit(limit).execute()).map((row) => row.user_id)
}
