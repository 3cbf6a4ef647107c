import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

/** Permissions a user holds through direct roles and the roles those are composed of. */
const permissionsOfUser = prepareStatement('permissions_of_user', (db, realmId: string, userId: string) =>
  db
    .withRecursive('held(role_id)', (qb) =>
      qb
        .selectFrom('user_roles')
        .select('role_id')
        .where('realm_id', '=', realmId)
        .where('user_id', '=', userId)
        .union(
          qb
            .selectFrom('role_composites')
            .innerJoin('held', 'held.role_id', 'role_composites.role_id')
            .select('role_composites.child_role_id as role_id')
            .where('role_composites.realm_id', '=', realmId),
        ),
    )
    .selectFrom('roles')
    .innerJoin('held', 'held.role_id', 'roles.id')
    .select(sql<string>`unnest(roles.permissions)`.as('permission'))
    .distinct()
    .where('roles.realm_id', '=', realmId),
)

export async function readPermissionsOfUser(executor: Executor, realmId: string, userId: string): Promise<string[]> {
  return (await permissionsOfUser(executor, realmId, userId)).map((row) => row.permission)
}

/** The given roles and everything they are composed of, however deep, as the table `held`. */
function rolesReachedFrom(db: Executor, realmId: string, roleIds: string[]) {
  return db.withRecursive('held(role_id)', (qb) =>
    qb
      .selectFrom('roles')
      .select('id as role_id')
      .where('realm_id', '=', realmId)
      .where('id', '=', sql<string>`any(${roleIds}::uuid[])`)
      .union(
        qb
          .selectFrom('role_composites')
          .innerJoin('held', 'held.role_id', 'role_composites.role_id')
          .select('role_composites.child_role_id as role_id')
          .where('role_composites.realm_id', '=', realmId),
      ),
  )
}

export async function readRoleClosure(db: Executor, realmId: string, roleIds: string[]): Promise<Set<string>> {
  if (roleIds.length === 0) return new Set()
  const rows = await rolesReachedFrom(db, realmId, roleIds).selectFrom('held').select('role_id').execute()
  return new Set(rows.map((row) => row.role_id))
}

/** Permissions that roles give, themselves and through the roles they are composed of. */
export async function readPermissionsOfRoles(db: Executor, realmId: string, roleIds: string[]): Promise<string[]> {
  if (roleIds.length === 0) return []
  const rows = await rolesReachedFrom(db, realmId, roleIds)
    .selectFrom('roles')
    .innerJoin('held', 'held.role_id', 'roles.id')
    .select(sql<string>`unnest(roles.permissions)`.as('permission'))
    .distinct()
    .where('roles.realm_id', '=', realmId)
    .execute()
  return rows.map((row) => row.permission)
}

/**
 * Makes removals of administrators wait for one another; the row is the realm's own, so other realms are not held up, and
 * neither are inserts that refer to it.
 */
export async function lockRealm(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

/** Whether an enabled person still holds realm-admin; service accounts do not count, nobody can sign in as one. */
export async function hasAdministrator(tx: Tx, realmId: string): Promise<boolean> {
  const row = await tx
    .withRecursive('granting(role_id)', (qb) =>
      qb
        .selectFrom('roles')
        .select('id as role_id')
        .where('realm_id', '=', realmId)
        .where(sql<boolean>`'realm-admin' = any(permissions)`)
        .union(
          qb
            .selectFrom('role_composites')
            .innerJoin('granting', 'granting.role_id', 'role_composites.child_role_id')
            .select('role_composites.role_id as role_id')
            .where('role_composites.realm_id', '=', realmId),
        ),
    )
    .selectFrom('user_roles')
    .innerJoin('granting', 'granting.role_id', 'user_roles.role_id')
    .innerJoin('users', (join) =>
      join.onRef('users.realm_id', '=', 'user_roles.realm_id').onRef('users.id', '=', 'user_roles.user_id'),
    )
    .select('users.id')
    .where('user_roles.realm_id', '=', realmId)
    .where('users.enabled', '=', true)
    .where('users.service_account_client_id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
