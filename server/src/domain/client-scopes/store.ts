import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface ScopeValues {
  description: string | null
  consent_text: string | null
  default_scope: boolean
  include_in_token_scope: boolean
}

export interface ScopeRow extends ScopeValues {
  id: string
  name: string
  created_at: number
  version: number
  claim_ids: string[]
}

const columns = [
  ...(['id', 'name', 'description', 'consent_text', 'default_scope', 'include_in_token_scope'] as const),
  ...(['created_at', 'version'] as const),
] as const
const claimIds = sql<string[]>`array(select claims.id from client_scope_claims join claims
  on claims.realm_id = client_scope_claims.realm_id and claims.id = client_scope_claims.claim_id
  where client_scope_claims.realm_id = client_scopes.realm_id and client_scope_claims.scope_id = client_scopes.id
  order by claims.name)::text[]`

/** Makes writers of the realm's configuration wait for one another; taken first by everybody, so nobody waits in a circle. */
export async function lockRealm(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export async function selectScope(db: Executor, realmId: string, id: string): Promise<ScopeRow | null> {
  const row = await db
    .selectFrom('client_scopes')
    .select([...columns, claimIds.as('claim_ids')])
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** A page in the order of the name, with one row more than asked for. */
export async function selectScopes(
  db: Executor,
  realmId: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<ScopeRow[]> {
  let query = db
    .selectFrom('client_scopes')
    .select([...columns, claimIds.as('claim_ids')])
    .where('realm_id', '=', realmId)
  if (page.after !== null) {
    query = query.where('name', '>', (eb) =>
      eb
        .selectFrom('client_scopes as cursor')
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

export async function countScopes(db: Executor, realmId: string, upTo: number): Promise<number> {
  const row = await db
    .selectFrom(db.selectFrom('client_scopes').select('id').where('realm_id', '=', realmId).limit(upTo).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

/** The rows stay locked against deletion until the end of the transaction, so that what was found is still there then. */
export async function selectNamesForShare(tx: Tx, realmId: string, names: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('client_scopes')
    .select('name')
    .where('realm_id', '=', realmId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .orderBy('name')
    .forKeyShare()
    .execute()
  return rows.map((row) => row.name)
}

type Inserted = ScopeValues & { realm_id: string; id: string; name: string; created_at: number }

export async function insertScope(tx: Tx, scope: Inserted): Promise<void> {
  await tx.insertInto('client_scopes').values(scope).execute()
}

/** Many at once; a name that is there already is left as it is. Returns those that are new. */
export async function insertNewScopes(tx: Tx, scopes: Inserted[]): Promise<{ id: string; name: string }[]> {
  return tx
    .insertInto('client_scopes')
    .values(scopes)
    .onConflict((conflict) => conflict.columns(['realm_id', 'name']).doNothing())
    .returning(['id', 'name'])
    .execute()
}

export async function updateScope(tx: Tx, realmId: string, id: string, values: Partial<ScopeValues>): Promise<void> {
  await tx
    .updateTable('client_scopes')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteScopeRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('client_scopes').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

export async function insertScopeClaims(
  tx: Tx,
  realmId: string,
  pairs: { scopeId: string; claimId: string }[],
): Promise<number> {
  if (pairs.length === 0) return 0
  const result = await tx
    .insertInto('client_scope_claims')
    .values(pairs.map(({ scopeId, claimId }) => ({ realm_id: realmId, scope_id: scopeId, claim_id: claimId })))
    .onConflict((conflict) => conflict.columns(['realm_id', 'scope_id', 'claim_id']).doNothing())
    .executeTakeFirst()
  return Number(result.numInsertedOrUpdatedRows ?? 0)
}

export async function deleteScopeClaim(tx: Tx, realmId: string, scopeId: string, claimId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('client_scope_claims')
    .where('realm_id', '=', realmId)
    .where('scope_id', '=', scopeId)
    .where('claim_id', '=', claimId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function countScopeClaims(db: Executor, realmId: string, scopeId: string): Promise<number> {
  const row = await db
    .selectFrom('client_scope_claims')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('realm_id', '=', realmId)
    .where('scope_id', '=', scopeId)
    .executeTakeFirstOrThrow()
  return row.total
}

/** Locks the scope against clients that are about to name it. */
export async function lockScope(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx
    .selectFrom('client_scopes')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
}

export async function isUsedByClients(db: Executor, realmId: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('clients')
    .select('id')
    .where('realm_id', '=', realmId)
    .where(sql<boolean>`${name} = any(scopes)`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes a scope from the next clients in the order of their ids; the last id says where to go on. */
export async function removeFromClients(
  tx: Tx,
  realmId: string,
  name: string,
  page: { after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update clients set scopes = array_remove(scopes, ${name}), version = version + 1
    where realm_id = ${realmId} and id = any(array(
      select id from clients where realm_id = ${realmId} and ${name} = any(scopes)
        and (${page.after}::uuid is null or id > ${page.after}::uuid)
      order by id limit ${page.limit} for no key update))
    returning id`.execute(tx)
  return rows.map((row) => row.id).toSorted()
}
