import type { Executor, Tx } from '../../../../platform/db/index.ts'

/** Roles of the realm and of clients that a user holds directly, as one table `held`. */
function heldBy(db: Executor, realmId: string, userId: string) {
  return db.with('held', (qb) =>
    qb
      .selectFrom('user_roles')
      .innerJoin('roles', (join) =>
        join.onRef('roles.realm_id', '=', 'user_roles.realm_id').onRef('roles.id', '=', 'user_roles.role_id'),
      )
      .select((eb) => [
        ...(['roles.id', 'roles.name', 'roles.description'] as const),
        eb.cast<string | null>(eb.val(null), 'text').as('client_id'),
      ])
      .where('user_roles.realm_id', '=', realmId)
      .where('user_roles.user_id', '=', userId)
      .unionAll(
        qb
          .selectFrom('user_client_roles')
          .innerJoin('client_roles', (join) =>
            join
              .onRef('client_roles.realm_id', '=', 'user_client_roles.realm_id')
              .onRef('client_roles.id', '=', 'user_client_roles.client_role_id'),
          )
          .innerJoin('clients', (join) =>
            join
              .onRef('clients.realm_id', '=', 'client_roles.realm_id')
              .onRef('clients.id', '=', 'client_roles.client_uuid'),
          )
          .select(['client_roles.id', 'client_roles.name', 'client_roles.description', 'clients.client_id'])
          .where('user_client_roles.realm_id', '=', realmId)
          .where('user_client_roles.user_id', '=', userId),
      ),
  )
}

/** The newest role first, with one row more than asked for. */
export async function selectHeldRoles(
  db: Executor,
  realmId: string,
  userId: string,
  page: { offset: number; limit: number; after: string | null },
) {
  let query = heldBy(db, realmId, userId).selectFrom('held').select(['id', 'name', 'description', 'client_id'])
  if (page.after !== null) query = query.where('id', '<', page.after)
  return query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countHeldRoles(db: Executor, realmId: string, userId: string): Promise<number> {
  const row = await heldBy(db, realmId, userId)
    .selectFrom('held')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

/** False when the user held the role already. */
export async function insertUserClientRole(
  tx: Tx,
  realmId: string,
  userId: string,
  clientRoleId: string,
  now: number,
): Promise<boolean> {
  const row = await tx
    .insertInto('user_client_roles')
    .values({ realm_id: realmId, user_id: userId, client_role_id: clientRoleId, created_at: now })
    .onConflict((conflict) => conflict.columns(['realm_id', 'user_id', 'client_role_id']).doNothing())
    .returning('client_role_id')
    .executeTakeFirst()
  return row !== undefined
}

/** False when the user did not hold the role. */
export async function deleteUserClientRole(
  tx: Tx,
  realmId: string,
  userId: string,
  clientRoleId: string,
): Promise<boolean> {
  const row = await tx
    .deleteFrom('user_client_roles')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('client_role_id', '=', clientRoleId)
    .returning('client_role_id')
    .executeTakeFirst()
  return row !== undefined
}
