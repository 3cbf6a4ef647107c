import { prepareStatement, type Executor, type Tx } from '../../../platform/db/index.ts'

/** What is kept of a client whose id is an address. */
export interface KeptClient {
  id: string
  created_by: string
  fetched_at: number | null
  fresh_until: number | null
}

const keptClient = prepareStatement('client_document', (db, realmId: string, clientId: string) =>
  db
    .selectFrom('clients')
    .leftJoin('client_registrations as registration', (join) =>
      join.onRef('registration.realm_id', '=', 'clients.realm_id').onRef('registration.client_uuid', '=', 'clients.id'),
    )
    .select(['clients.id', 'created_by', 'fetched_at', 'fresh_until'])
    .where('clients.realm_id', '=', realmId)
    .where('clients.client_id', '=', clientId),
)

/** Read on every request of such a client: it says whether its document must be read again. */
export async function selectKept(db: Executor, realmId: string, clientId: string): Promise<KeptClient | null> {
  const [row] = await keptClient(db, realmId, clientId)
  return row ?? null
}

/** Locks the client until the end of the transaction, so that of two nodes one writes after the other. */
export async function lockKept(
  tx: Tx,
  realmId: string,
  clientId: string,
): Promise<{ id: string; created_by: string } | null> {
  const row = await tx
    .selectFrom('clients')
    .select(['id', 'created_by'])
    .where('realm_id', '=', realmId)
    .where('client_id', '=', clientId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export interface DocumentTimes {
  realm_id: string
  client_uuid: string
  fetched_at: number
  fresh_until: number
}

/** A document is read when its client is used, so reading it is a use. */
export async function upsertTimes(tx: Tx, times: DocumentTimes): Promise<void> {
  const { fetched_at, fresh_until } = times
  await tx
    .insertInto('client_registrations')
    .values({ ...times, created_at: fetched_at, last_used_at: fetched_at })
    .onConflict((conflict) =>
      conflict.columns(['realm_id', 'client_uuid']).doUpdateSet({ fetched_at, fresh_until, last_used_at: fetched_at }),
    )
    .execute()
}
