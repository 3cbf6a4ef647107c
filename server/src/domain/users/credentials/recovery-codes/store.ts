import type { Executor, Tx } from '../../../../platform/db/index.ts'

/** The codes go with the row they belong to. */
export async function deleteSets(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', 'recovery-codes')
    .execute()
}

export async function insertCodes(
  tx: Tx,
  realmId: string,
  userId: string,
  credentialId: string,
  hashes: Buffer[],
): Promise<void> {
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ realm_id: realmId, user_id: userId, credential_id: credentialId, code_hash })))
    .execute()
}

export async function takeCode(tx: Tx, realmId: string, userId: string, hash: Buffer): Promise<string | null> {
  const row = await tx
    .deleteFrom('recovery_codes')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .returning('credential_id')
    .executeTakeFirst()
  return row?.credential_id ?? null
}

export async function markUsed(tx: Tx, realmId: string, id: string, now: number): Promise<void> {
  await tx
    .updateTable('credentials')
    .set((eb) => ({ last_used_at: now, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function countCodes(db: Executor, realmId: string, credentialId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('realm_id', '=', realmId)
    .where('credential_id', '=', credentialId)
    .executeTakeFirstOrThrow()
  return row.total
}
