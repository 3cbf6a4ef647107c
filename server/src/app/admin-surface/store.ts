import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

/** False when the key is taken; waits for a transaction that is about to take it. */
export async function claimKey(
  tx: Tx,
  realmId: string,
  id: Buffer,
  requestHash: Buffer,
  now: number,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('idempotency_keys')
    .values({ realm_id: realmId, id, request_hash: requestHash, created_at: now })
    .onConflict((conflict) => conflict.columns(['realm_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function readResponse(tx: Tx, realmId: string, id: Buffer) {
  return tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'response_sealed'])
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function storeResponse(tx: Tx, realmId: string, id: Buffer, sealed: Buffer): Promise<void> {
  await tx
    .updateTable('idempotency_keys')
    .set({ response_sealed: sealed })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

/** Not bound to one realm: kept answers older than a day, in small bites. */
export async function deleteOldKeys(db: Executor, before: number, limit: number): Promise<number> {
  const result = await sql`delete from idempotency_keys where (realm_id, id) in (
    select realm_id, id from idempotency_keys where created_at < ${before} order by created_at limit ${limit})`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}
