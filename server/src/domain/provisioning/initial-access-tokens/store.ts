import { sql } from 'kysely'
import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface TokenRow {
  id: string
  allowed_scopes: string[] | null
  count: number
  remaining: number
  created_at: number
  expires_at: number
}

// The hash is not among them, so that no record can show it by mistake.
const shownColumns = ['id', 'allowed_scopes', 'count', 'remaining', 'created_at', 'expires_at'] as const

/** Newest first, one row more than asked for. */
export async function selectTokens(
  db: Executor,
  realmId: string,
  page: { offset: number; limit: number; after: string | null },
): Promise<TokenRow[]> {
  let query = db.selectFrom('initial_access_tokens').select(shownColumns).where('realm_id', '=', realmId)
  if (page.after !== null) query = query.where('id', '<', page.after)
  return query
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

export async function countTokens(db: Executor, realmId: string, upTo: number): Promise<number> {
  const rows = db.selectFrom('initial_access_tokens').select('id').where('realm_id', '=', realmId).limit(upTo)
  const row = await db
    .selectFrom(rows.as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export async function selectToken(db: Executor, realmId: string, id: string): Promise<TokenRow | null> {
  const row = await db
    .selectFrom('initial_access_tokens')
    .select(shownColumns)
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function selectUsable(
  db: Executor,
  realmId: string,
  hash: Buffer,
  now: number,
): Promise<Pick<TokenRow, 'id' | 'allowed_scopes'> | null> {
  const row = await db
    .selectFrom('initial_access_tokens')
    .select(['id', 'allowed_scopes'])
    .where('realm_id', '=', realmId)
    .where('token_hash', '=', hash)
    .where('remaining', '>', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** One statement that looks and takes: of many at once no more succeed than the token is good for. */
export async function useUp(tx: Tx, realmId: string, id: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('initial_access_tokens')
    .set((eb) => ({ remaining: eb('remaining', '-', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('remaining', '>', 0)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function insertToken(
  tx: Tx,
  realmId: string,
  token: TokenRow & { token_hash: Buffer; created_by: string | null },
): Promise<void> {
  await tx
    .insertInto('initial_access_tokens')
    .values({ ...token, realm_id: realmId })
    .execute()
}

export async function deleteTokenRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('initial_access_tokens').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

/** Not bound to one realm: clean-up of tokens past their end, in small bites over the index by expiry. */
export async function deleteExpiredTokens(db: Executor, now: number, limit: number): Promise<number> {
  const result = await sql`
    delete from initial_access_tokens where (realm_id, id) in (
      select realm_id, id from initial_access_tokens where expires_at <= ${now} order by expires_at limit ${limit}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}

/** What was handed out stays good; who did it is no longer there. */
export async function clearTokenCreator(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .updateTable('initial_access_tokens')
    .set({ created_by: null })
    .where('realm_id', '=', realmId)
    .where('created_by', '=', userId)
    .execute()
}
