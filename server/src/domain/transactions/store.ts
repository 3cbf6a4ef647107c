import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'
import { firstIdAt } from '../../platform/ids/index.ts'

export interface TransactionRow {
  id: string
  /** As it is kept; that it has expired follows from the time. */
  status: string
  type: string
  title: string
  details: string
  hash: string
  user_id: string
  client_uuid: string
  client_id: string
  required_acr: string | null
  callback_url: string | null
  method: string | null
  signature: string | null
  created_at: number
  expires_at: number
  signed_at: number | null
  rejected_at: number | null
  consumed_at: number | null
}

const columns = [
  ...(['id', 'status', 'type', 'title', 'details', 'hash', 'user_id', 'client_uuid', 'client_id'] as const),
  ...(['required_acr', 'callback_url', 'method', 'signature', 'created_at', 'expires_at'] as const),
  ...(['signed_at', 'rejected_at', 'consumed_at'] as const),
] as const

export type TransactionInsert = Omit<
  TransactionRow,
  'status' | 'method' | 'signature' | 'signed_at' | 'rejected_at' | 'consumed_at'
> & { realm_id: string }

export async function insertTransaction(tx: Tx, row: TransactionInsert): Promise<TransactionRow> {
  return tx.insertInto('transactions').values(row).returning(columns).executeTakeFirstOrThrow()
}

const byId = prepareStatement('transaction', (db, realmId: string, id: string) =>
  db.selectFrom('transactions').select(columns).where('realm_id', '=', realmId).where('id', '=', id),
)

export async function selectTransaction(db: Executor, realmId: string, id: string): Promise<TransactionRow | null> {
  const [row] = await byId(db, realmId, id)
  return row ?? null
}

export interface Answer {
  status: 'SIGNED' | 'REJECTED'
  method: string | null
  signature: string | null
  now: number
}

/** Null when it was answered before, or its time is over: of two answers at once the second finds nothing to answer. */
export async function answerTransaction(
  tx: Tx,
  realmId: string,
  id: string,
  { status, method, signature, now }: Answer,
): Promise<TransactionRow | null> {
  const row = await tx
    .updateTable('transactions')
    .set((eb) => ({
      ...{ status, method, signature, version: eb('version', '+', 1) },
      ...(status === 'SIGNED' ? { signed_at: now } : { rejected_at: now }),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .where('expires_at', '>', now)
    .returning(columns)
    .executeTakeFirst()
  return row ?? null
}

/** Null unless it is signed and not over: of a hundred at once one gets it. */
export async function consumeSigned(
  tx: Tx,
  realmId: string,
  id: string,
  { clientUuid, now }: { clientUuid: string; now: number },
): Promise<TransactionRow | null> {
  const row = await tx
    .updateTable('transactions')
    .set((eb) => ({ status: 'CONSUMED', consumed_at: now, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('client_uuid', '=', clientUuid)
    .where('status', '=', 'SIGNED')
    .where('expires_at', '>', now)
    .returning(columns)
    .executeTakeFirst()
  return row ?? null
}

/** Locked until the end of the transaction, so that two that are made at once count one another. */
export async function lockPerson(tx: Tx, realmId: string, userId: string) {
  const row = await tx
    .selectFrom('users')
    .select(['enabled', 'locked', 'locked_until', 'service_account_client_id'])
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** How many wait for this person, counted no further than the limit. None is older than the longest time one may wait. */
export async function countWaiting(
  tx: Tx,
  realmId: string,
  userId: string,
  { now, maxAgeMs, limit }: { now: number; maxAgeMs: number; limit: number },
): Promise<number> {
  const rows = await tx
    .selectFrom('transactions')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '>=', firstIdAt(now - maxAgeMs))
    .where('status', '=', 'PENDING')
    .where('expires_at', '>', now)
    .limit(limit)
    .execute()
  return rows.length
}

/** The types of credentials that a person could sign with. */
export async function selectCredentialTypes(db: Executor, realmId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('credentials')
    .select('type')
    .distinct()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where(sql<boolean>`not coalesce((details ->> 'pending')::boolean, false)`)
    .execute()
  return rows.map(({ type }) => type)
}

/** The newest first, no more than a person reads. */
export async function selectTransactionsOf(
  db: Executor,
  realmId: string,
  userId: string,
  limit: number,
): Promise<TransactionRow[]> {
  return db
    .selectFrom('transactions')
    .select(columns)
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteTransactionsOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx.deleteFrom('transactions').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
}

/** Not bound to one realm: what ended long ago is removed in small bites, over the index by expiry. */
export async function deleteEndedTransactions(db: Executor, before: number, limit: number): Promise<number> {
  const result = await sql`delete from transactions where (realm_id, id) in (
    select realm_id, id from transactions where expires_at <= ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
