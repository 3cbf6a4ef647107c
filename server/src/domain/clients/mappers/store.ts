import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface MapperRow {
  id: string
  name: string
  protocol: string
  type: string
  config: unknown
  version: number
}

const columns = ['id', 'name', 'protocol', 'type', 'config', 'version'] as const

function mappersOf(db: Executor, realmId: string, clientUuid: string) {
  return db.selectFrom('client_mappers').where('realm_id', '=', realmId).where('client_uuid', '=', clientUuid)
}

export async function selectMapper(
  db: Executor,
  realmId: string,
  clientUuid: string,
  id: string,
): Promise<MapperRow | null> {
  const row = await mappersOf(db, realmId, clientUuid).select(columns).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Newest first, with one row more than asked for. */
export async function selectMappers(
  db: Executor,
  realmId: string,
  clientUuid: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<MapperRow[]> {
  let query = mappersOf(db, realmId, clientUuid).select(columns)
  if (page.after !== null) query = query.where('id', '<', page.after)
  return query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countMappers(db: Executor, realmId: string, clientUuid: string): Promise<number> {
  const row = await mappersOf(db, realmId, clientUuid)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export interface MapperValues {
  name: string
  protocol: string
  type: string
  config: string
}

export async function insertMapper(
  tx: Tx,
  mapper: MapperValues & { realm_id: string; id: string; client_uuid: string; created_at: number },
): Promise<void> {
  await tx.insertInto('client_mappers').values(mapper).execute()
}

export async function updateMapper(tx: Tx, realmId: string, id: string, values: MapperValues): Promise<void> {
  await tx
    .updateTable('client_mappers')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteMapperRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('client_mappers').where('realm_id', '=', realmId).where('id', '=', id).execute()
}
