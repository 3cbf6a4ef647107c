import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface ClientRoleRow {
  id: string
  name: string
  description: string | null
}

const columns = ['id', 'name', 'description'] as const

function rolesOf(db: Executor, realmId: string, clientUuid: string) {
  return db.selectFrom('client_roles').where('realm_id', '=', realmId).where('client_uuid', '=', clientUuid)
}

export async function selectClientRole(
  db: Executor,
  realmId: string,
  clientUuid: string,
  name: string,
): Promise<ClientRoleRow | null> {
  const row = await rolesOf(db, realmId, clientUuid).select(columns).where('name', '=', name).executeTakeFirst()
  return row ?? null
}

/** A page in the order of the name, with one row more than asked for. */
export async function selectClientRoles(
  db: Executor,
  realmId: string,
  clientUuid: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<ClientRoleRow[]> {
  let query = rolesOf(db, realmId, clientUuid).select(columns)
  if (page.after !== null) {
    query = query.where('name', '>', (eb) =>
      eb
        .selectFrom('client_roles as cursor')
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

export async function countClientRoles(db: Executor, realmId: string, clientUuid: string): Promise<number> {
  const row = await rolesOf(db, realmId, clientUuid)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export async function insertClientRole(
  tx: Tx,
  role: ClientRoleRow & { realm_id: string; client_uuid: string; created_at: number },
): Promise<void> {
  await tx.insertInto('client_roles').values(role).execute()
}

export async function deleteClientRoleRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('client_roles').where('realm_id', '=', realmId).where('id', '=', id).execute()
}
