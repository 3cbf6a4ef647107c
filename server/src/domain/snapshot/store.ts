import { sql } from 'kysely'
import { type Database, type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

const findRealm = prepareStatement('snapshot_realm', (db, realmId: string) =>
  db
    .selectFrom('realms')
    .select(['realm_id', 'display_name', 'enabled', 'system', 'config_version', 'seed_version', 'created_at'])
    .where('realm_id', '=', realmId)
    .where('deleted_at', 'is', null),
)

export async function readRealm(db: Database, realmId: string) {
  const [row] = await findRealm(db, realmId)
  if (!row) return null
  return {
    realmId: row.realm_id,
    displayName: row.display_name,
    enabled: row.enabled,
    system: row.system,
    configVersion: row.config_version,
    seedVersion: row.seed_version,
    createdAt: row.created_at,
  }
}

export async function readConfigVersion(db: Executor, realmId: string): Promise<number | null> {
  const row = await db.selectFrom('realms').select('config_version').where('realm_id', '=', realmId).executeTakeFirst()
  return row?.config_version ?? null
}

/** Not bound to one realm: every node asks it a few times a second, over an index of the latest changes only. */
export async function readRecentChanges(db: Database): Promise<{ key: string; version: number }[]> {
  return db
    .selectFrom('realms')
    .select(['realm_id as key', 'config_version as version'])
    .where('config_changed_at', '>', sql<Date>`clock_timestamp() - interval '10 seconds'`)
    .execute()
}

/** Every configuration write calls this in its own transaction. */
export async function raiseConfigVersion(tx: Tx, realmId: string): Promise<number> {
  const row = await tx
    .updateTable('realms')
    .set((eb) => ({ config_version: eb('config_version', '+', 1), config_changed_at: sql`clock_timestamp()` }))
    .where('realm_id', '=', realmId)
    .returning('config_version')
    .executeTakeFirstOrThrow()
  return row.config_version
}
