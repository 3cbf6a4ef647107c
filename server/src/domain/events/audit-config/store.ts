import type { Executor, Tx } from '../../../platform/db/index.ts'

const name = 'audit-config'

export interface StoredAuditConfig {
  value: unknown
  sealed: Buffer | null
  version: number
}

// What counts before anybody changed anything; its ETag stays the same when the row is made.
const untouched: StoredAuditConfig = { value: {}, sealed: null, version: 1 }

export async function readAuditConfigRow(db: Executor): Promise<StoredAuditConfig> {
  const row = await db
    .selectFrom('server_settings')
    .select(['value', 'sealed', 'version'])
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? untouched
}

/** Makes two writers wait for one another, also when there is no row yet. */
export async function lockAuditConfigRow(tx: Tx): Promise<StoredAuditConfig> {
  await tx
    .insertInto('server_settings')
    .values({ name, value: '{}' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  return tx
    .selectFrom('server_settings')
    .select(['value', 'sealed', 'version'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function writeAuditConfigRow(tx: Tx, value: object, sealed: Buffer | null): Promise<number> {
  const row = await tx
    .updateTable('server_settings')
    .set((eb) => ({ value: JSON.stringify(value), sealed, version: eb('version', '+', 1) }))
    .where('name', '=', name)
    .returning('version')
    .executeTakeFirstOrThrow()
  return row.version
}
