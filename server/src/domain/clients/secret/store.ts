import { sql } from 'kysely'
import type { Executor, Tx } from '../../../platform/db/index.ts'
import type { SecretColumns } from '../store.ts'

export async function selectSecret(db: Executor, realmId: string, id: string) {
  const row = await db
    .selectFrom('clients')
    .select(['secret_sealed', 'secret_created_at'])
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.secret_sealed ? { sealed: row.secret_sealed, createdAt: row.secret_created_at ?? 0 } : null
}

/** The end that was set for the secret before goes with it. */
export async function updateSecret(tx: Tx, realmId: string, id: string, values: SecretColumns): Promise<void> {
  await tx
    .updateTable('clients')
    .set((eb) => ({ ...values, settings: sql`settings - 'secretExpiresAt'`, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}
