import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'
import { prefixEnd } from '../../platform/text/index.ts'

export interface ClientRow {
  id: string
  client_id: string
  name: string | null
  enabled: boolean
  public_client: boolean
  grant_types: string[]
  redirect_uris: string[]
  web_origins: string[]
  scopes: string[]
  allowed_resources: string[]
  settings: unknown
  service_account_user_id: string | null
  created_by: string
  created_at: number
  version: number
  secret_set: boolean
}

const columns = [
  ...(['id', 'client_id', 'name', 'enabled', 'public_client', 'grant_types', 'redirect_uris', 'web_origins'] as const),
  ...(['scopes', 'allowed_resources', 'settings', 'service_account_user_id', 'created_by', 'created_at'] as const),
  ...(['version'] as const),
]
// Records never carry the secret, so it is not even read for them.
const secretSet = sql<boolean>`secret_sealed is not null`.as('secret_set')

/** By the id or by the clientId; locked until the end of the transaction when it is about to change. */
export async function selectClient(
  db: Executor,
  realmId: string,
  key: { id: string } | { clientId: string },
  forUpdate = false,
): Promise<ClientRow | null> {
  let query = db
    .selectFrom('clients')
    .select([...columns, secretSet])
    .where('realm_id', '=', realmId)
  query = 'id' in key ? query.where('id', '=', key.id) : query.where('client_id', '=', key.clientId)
  return (await (forUpdate ? query.forUpdate() : query).executeTakeFirst()) ?? null
}

export interface ClientFilter {
  /** Prefix of the clientId. */
  search: string | null
  enabled: boolean | null
}

function filtered(db: Executor, realmId: string, { search, enabled }: ClientFilter) {
  let query = db.selectFrom('clients').where('realm_id', '=', realmId)
  if (search !== null) query = query.where('client_id', '>=', search).where('client_id', '<', prefixEnd(search))
  return enabled === null ? query : query.where('enabled', '=', enabled)
}

/** Newest first; a prefix answers in the order of the clientId. One row more than asked for. */
export async function selectClients(
  db: Executor,
  realmId: string,
  filter: ClientFilter,
  page: { offset: number; limit: number; after: string | null },
): Promise<ClientRow[]> {
  let query = filtered(db, realmId, filter).select([...columns, secretSet])
  if (page.after !== null && filter.search === null) query = query.where('id', '<', page.after)
  if (page.after !== null && filter.search !== null) {
    query = query.where('client_id', '>', (eb) =>
      eb
        .selectFrom('clients as cursor')
        .select('cursor.client_id')
        .where('cursor.realm_id', '=', realmId)
        .where('cursor.id', '=', page.after),
    )
  }
  const ordered = filter.search === null ? query.orderBy('id', 'desc') : query.orderBy('client_id')
  return ordered
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countClients(db: Executor, realmId: string, filter: ClientFilter, upTo: number): Promise<number> {
  const row = await db
    .selectFrom(filtered(db, realmId, filter).select('id').limit(upTo).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export interface ClientColumns {
  name: string | null
  enabled: boolean
  public_client: boolean
  grant_types: string[]
  redirect_uris: string[]
  web_origins: string[]
  scopes: string[]
  settings: string
  service_account_user_id: string | null
}

export interface SecretColumns {
  secret_sealed: Buffer | null
  secret_created_at: number | null
  previous_secret_sealed: Buffer | null
  previous_secret_expires_at: number | null
}

export async function insertClient(
  tx: Tx,
  client: Omit<ClientColumns, 'service_account_user_id'> &
    Pick<SecretColumns, 'secret_sealed' | 'secret_created_at'> & {
      realm_id: string
      id: string
      client_id: string
      created_by: string
      created_at: number
    },
): Promise<void> {
  await tx.insertInto('clients').values(client).execute()
}

/** Raises the version even when no value changes: mappers and roles are part of what a node may keep of a client. */
export async function updateClient(
  tx: Tx,
  realmId: string,
  id: string,
  values: Partial<ClientColumns & SecretColumns & { allowed_resources: string[] }>,
): Promise<void> {
  await tx
    .updateTable('clients')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteClientRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('clients').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

export async function isLoginNameTaken(tx: Tx, realmId: string, folded: string): Promise<boolean> {
  const row = await tx
    .selectFrom('login_names')
    .select('user_id')
    .where('realm_id', '=', realmId)
    .where('name', '=', folded)
    .executeTakeFirst()
  return row !== undefined
}

/** Part of the creation, so the version stays the first. */
export async function attachServiceAccount(tx: Tx, realmId: string, id: string, userId: string): Promise<void> {
  await tx
    .updateTable('clients')
    .set({ service_account_user_id: userId })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

/** When the user of a service account goes by itself, its client has none any more. */
export async function detachServiceAccount(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .updateTable('clients')
    .set((eb) => ({ service_account_user_id: null, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('client_id', '=', (eb) =>
      eb
        .selectFrom('users')
        .select('users.service_account_client_id')
        .where('users.realm_id', '=', realmId)
        .where('users.id', '=', userId),
    )
    .where('service_account_user_id', '=', userId)
    .execute()
}
