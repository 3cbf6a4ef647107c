import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

export interface ConsentRow {
  client_uuid: string
  scopes: string[]
  claims: string[]
  resources: unknown
  source: string
  agent_id: string | null
  granted_at: number
  updated_at: number
}

const columns = [
  ...(['client_uuid', 'scopes', 'claims', 'resources', 'source', 'agent_id', 'granted_at', 'updated_at'] as const),
] as const

const findConsent = prepareStatement('consent_of_user', (db, realmId: string, userId: string, clientUuid: string) =>
  db
    .selectFrom('consents')
    .select(columns)
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('client_uuid', '=', clientUuid),
)

export async function selectConsent(
  db: Executor,
  realmId: string,
  userId: string,
  clientUuid: string,
): Promise<ConsentRow | null> {
  const [row] = await findConsent(db, realmId, userId, clientUuid)
  return row ?? null
}

/** An empty record where there was none. */
export async function insertConsent(
  tx: Tx,
  consent: {
    realm_id: string
    user_id: string
    client_uuid: string
    source: string
    agent_id: string | null
    granted_at: number
    updated_at: number
  },
): Promise<void> {
  await tx
    .insertInto('consents')
    .values(consent)
    .onConflict((conflict) => conflict.columns(['realm_id', 'user_id', 'client_uuid']).doNothing())
    .execute()
}

/** Locked until the end of the transaction, so that two consents at once add up. */
export async function lockConsent(
  tx: Tx,
  realmId: string,
  userId: string,
  clientUuid: string,
): Promise<ConsentRow | null> {
  const row = await tx
    .selectFrom('consents')
    .select(columns)
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('client_uuid', '=', clientUuid)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function updateConsent(
  tx: Tx,
  realmId: string,
  userId: string,
  clientUuid: string,
  values: { scopes: string[]; claims: string[]; resources: string; updated_at: number },
): Promise<void> {
  await tx
    .updateTable('consents')
    .set(values)
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('client_uuid', '=', clientUuid)
    .execute()
}

export async function deleteConsent(tx: Tx, realmId: string, userId: string, clientUuid: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('consents')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('client_uuid', '=', clientUuid)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Everybody's, at one client. */
export async function deleteConsentsAt(tx: Tx, realmId: string, clientUuid: string): Promise<void> {
  await tx.deleteFrom('consents').where('realm_id', '=', realmId).where('client_uuid', '=', clientUuid).execute()
}

export async function deleteConsentsOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx.deleteFrom('consents').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
}

/** With the client's names, in the order of the clients' ids, one more than the page. */
export async function selectConsents(
  db: Executor,
  realmId: string,
  userId: string,
  page: { offset: number; limit: number; after: string | null },
) {
  let query = db
    .selectFrom('consents')
    .innerJoin('clients', (join) =>
      join.onRef('clients.realm_id', '=', 'consents.realm_id').onRef('clients.id', '=', 'consents.client_uuid'),
    )
    .select(['clients.client_id', 'clients.name', 'consents.client_uuid', 'consents.scopes', 'consents.claims'])
    .select(['consents.source', 'consents.agent_id', 'consents.granted_at', 'consents.updated_at'])
    .where('consents.realm_id', '=', realmId)
    .where('consents.user_id', '=', userId)
  if (page.after !== null) query = query.where('consents.client_uuid', '>', page.after)
  return query
    .orderBy('consents.client_uuid')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}
export type ListedConsent = Awaited<ReturnType<typeof selectConsents>>[number]

/** What the client is called in the protocol; null when there is none of this id. */
export async function selectClientId(db: Executor, realmId: string, clientUuid: string): Promise<string | null> {
  const row = await db
    .selectFrom('clients')
    .select('client_id')
    .where('realm_id', '=', realmId)
    .where('id', '=', clientUuid)
    .executeTakeFirst()
  return row?.client_id ?? null
}

export async function selectClientUuid(db: Executor, realmId: string, clientId: string): Promise<string | null> {
  const row = await db
    .selectFrom('clients')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return row?.id ?? null
}
