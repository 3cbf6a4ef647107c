import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface SecretInsert {
  realm_id: string
  id: string
  purpose: string
  subject: string
  value_hash: Buffer
  bound_to: string | null
  details: string
  sealed: Buffer | null
  created_at: number
  expires_at: number
}

/** One living value for each purpose and subject. It gets a new id, so that whoever holds the old row cannot end the new one. */
export async function replaceSecret(tx: Tx, secret: SecretInsert): Promise<void> {
  await tx
    .insertInto('one_time_secrets')
    .values(secret)
    .onConflict((conflict) =>
      conflict.columns(['realm_id', 'purpose', 'subject']).doUpdateSet((eb) => ({
        id: eb.ref('excluded.id'),
        value_hash: eb.ref('excluded.value_hash'),
        bound_to: eb.ref('excluded.bound_to'),
        details: eb.ref('excluded.details'),
        sealed: eb.ref('excluded.sealed'),
        tries: 0,
        created_at: eb.ref('excluded.created_at'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .execute()
}

/** False when there is a row of this purpose and subject already. */
export async function insertUsed(
  tx: Tx,
  used: Omit<SecretInsert, 'bound_to' | 'details' | 'sealed'>,
): Promise<boolean> {
  const row = await tx
    .insertInto('one_time_secrets')
    .values(used)
    .onConflict((conflict) => conflict.columns(['realm_id', 'purpose', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export interface Try {
  realmId: string
  purpose: string
  subject: string
  boundTo: string | null
  now: number
  maxTries: number
}

/** Takes one of the tries, in one statement: parallel ones cannot take more than there are. Null when none is left. */
export async function countTry(db: Executor, attempt: Try): Promise<{ id: string; value_hash: Buffer } | null> {
  const row = await db
    .updateTable('one_time_secrets')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('realm_id', '=', attempt.realmId)
    .where('purpose', '=', attempt.purpose)
    .where('subject', '=', attempt.subject)
    .where('bound_to', 'is not distinct from', attempt.boundTo)
    .where('expires_at', '>', attempt.now)
    .where('tries', '<', attempt.maxTries)
    .returning(['id', 'value_hash'])
    .executeTakeFirst()
  return row ?? null
}

/** False when somebody else was quicker. */
export async function deleteSecret(db: Executor, realmId: string, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('one_time_secrets')
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

const shownColumns = ['id', 'subject', 'bound_to', 'details', 'sealed', 'expires_at'] as const

export interface SecretRow {
  id: string
  subject: string
  bound_to: string | null
  details: unknown
  sealed: Buffer | null
  expires_at: number
}

export async function selectByValue(
  db: Executor,
  realmId: string,
  purpose: string,
  valueHash: Buffer,
  now: number,
): Promise<SecretRow | null> {
  const row = await db
    .selectFrom('one_time_secrets')
    .select(shownColumns)
    .where('realm_id', '=', realmId)
    .where('value_hash', '=', valueHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

export async function takeByValue(
  tx: Tx,
  realmId: string,
  purpose: string,
  valueHash: Buffer,
  now: number,
): Promise<SecretRow | null> {
  const row = await tx
    .deleteFrom('one_time_secrets')
    .where('realm_id', '=', realmId)
    .where('value_hash', '=', valueHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(shownColumns)
    .executeTakeFirst()
  return row ?? null
}

export async function deleteSecretsOf(
  tx: Tx,
  realmId: string,
  subject: string,
  purposes: readonly string[] | null,
): Promise<void> {
  let query = tx.deleteFrom('one_time_secrets').where('realm_id', '=', realmId).where('subject', '=', subject)
  if (purposes) query = query.where('purpose', '=', sql<string>`any(${[...purposes]}::text[])`)
  await query.execute()
}

/** Not bound to one realm: values past their end are removed in small bites, over the index by expiry. */
export async function deleteExpiredSecrets(db: Executor, now: number, limit: number): Promise<number> {
  const result = await sql`delete from one_time_secrets where (realm_id, id) in (
    select realm_id, id from one_time_secrets where expires_at <= ${now} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
