import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface ProvisioningRow {
  settings: unknown
  version: number
}

export async function selectProvisioning(db: Executor, realmId: string): Promise<ProvisioningRow | null> {
  const row = await db
    .selectFrom('provisioning')
    .select(['settings', 'version'])
    .where('realm_id', '=', realmId)
    .executeTakeFirst()
  return row ?? null
}

/** Makes writers wait for one another: the row itself may not be there yet. */
export async function lockProvisioning(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export async function writeProvisioning(tx: Tx, realmId: string, settings: object): Promise<void> {
  await tx
    .insertInto('provisioning')
    .values({ realm_id: realmId, settings: JSON.stringify(settings) })
    .onConflict((conflict) =>
      conflict.column('realm_id').doUpdateSet({
        settings: JSON.stringify(settings),
        version: sql<number>`provisioning.version + 1`,
      }),
    )
    .execute()
}
