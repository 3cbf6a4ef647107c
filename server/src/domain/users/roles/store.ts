import { sql } from 'kysely'
import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface MappingRow {
  id: string
  name: string
  description: string | null
  direct: boolean
}

export interface MappingPage {
  effective: boolean
  offset: number
  limit: number
  after: string | null
}

/** Roles of a user in the order of their name, one row more than asked for. */
export async function selectMappings(
  db: Executor,
  realmId: string,
  userId: string,
  page: MappingPage,
): Promise<MappingRow[]> {
  let query = heldRoles(db, realmId, userId, page.effective)
  if (page.after !== null) {
    query = query.where('roles.name', '>', (eb) =>
      eb
        .selectFrom('roles as cursor')
        .select('cursor.name')
        .where('cursor.realm_id', '=', realmId)
        .where('cursor.id', '=', page.after),
    )
  }
  return query
    .orderBy('roles.name')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countMappings(
  db: Executor,
  realmId: string,
  userId: string,
  effective: boolean,
): Promise<number> {
  const row = await db
    .selectFrom(heldRoles(db, realmId, userId, effective).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

/** The recursion ends at once when only the direct roles are asked for. */
function heldRoles(db: Executor, realmId: string, userId: string, effective: boolean) {
  return db
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
            .where('role_composites.realm_id', '=', realmId)
            .where(sql<boolean>`${effective}`),
        ),
    )
    .selectFrom('roles')
    .innerJoin('held', 'held.role_id', 'roles.id')
    .select(['roles.id', 'roles.name', 'roles.description'])
    .select(
      sql<boolean>`exists (select from user_roles where user_roles.realm_id = ${realmId}
        and user_roles.user_id = ${userId} and user_roles.role_id = roles.id)`.as('direct'),
    )
    .where('roles.realm_id', '=', realmId)
}

/** False when the user did not hold the role. */
export async function deleteAssignment(tx: Tx, realmId: string, userId: string, roleId: string): Promise<boolean> {
  const row = await tx
    .deleteFrom('user_roles')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('role_id', '=', roleId)
    .returning('role_id')
    .executeTakeFirst()
  return row !== undefined
}
