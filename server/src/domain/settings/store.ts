import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

export interface SettingsRow {
  display_name: string | null
  enabled: boolean
  system: boolean
  settings: unknown
  sealed: Buffer | null
  /** Counts the writes of both rows, so that the ETag also follows a change under /admin/realms/{realm}. */
  version: number
}

const findSettings = prepareStatement('settings_of_realm', (db, realmId: string) =>
  db
    .selectFrom('realms')
    .leftJoin('realm_settings', 'realm_settings.realm_id', 'realms.realm_id')
    .select([
      'realms.display_name',
      'realms.enabled',
      'realms.system',
      'realms.version as realm_version',
      'realm_settings.settings',
      'realm_settings.sealed',
      'realm_settings.version as settings_version',
    ])
    .where('realms.realm_id', '=', realmId)
    .where('realms.deleted_at', 'is', null),
)

export async function readSettingsRow(db: Executor, realmId: string): Promise<SettingsRow | null> {
  const [row] = await findSettings(db, realmId)
  if (!row) return null
  const { realm_version, settings_version, ...members } = row
  return { ...members, version: realm_version + (settings_version ?? 0) }
}

/**
 * Makes writers of the same settings wait for one another. The realm's row is taken without its key, so that foreign keys
 * of other tables do not wait, and it is read afterwards in a statement of its own, which sees what the other one wrote.
 */
export async function lockSettings(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export async function insertSettings(tx: Tx, realmId: string): Promise<void> {
  await tx
    .insertInto('realm_settings')
    .values({ realm_id: realmId })
    .onConflict((conflict) => conflict.column('realm_id').doNothing())
    .execute()
}

export interface SettingsWrite {
  settings: Record<string, unknown>
  /** Undefined leaves the column as it is. */
  sealed: Buffer | null | undefined
}

export async function writeSettings(tx: Tx, realmId: string, { settings, sealed }: SettingsWrite): Promise<void> {
  const columns = { settings: JSON.stringify(settings), ...(sealed === undefined ? {} : { sealed }) }
  await tx
    .insertInto('realm_settings')
    .values({ realm_id: realmId, ...columns })
    .onConflict((conflict) =>
      conflict.column('realm_id').doUpdateSet((eb) => ({ ...columns, version: eb('realm_settings.version', '+', 1) })),
    )
    .execute()
}

export async function writeRealmMembers(
  tx: Tx,
  realmId: string,
  members: { displayName: string | null; enabled: boolean },
): Promise<void> {
  await tx
    .updateTable('realms')
    .set((eb) => ({
      display_name: members.displayName,
      enabled: members.enabled,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .execute()
}

export async function readSealed(db: Executor, realmId: string): Promise<Buffer | null> {
  const row = await db.selectFrom('realm_settings').select('sealed').where('realm_id', '=', realmId).executeTakeFirst()
  return row?.sealed ?? null
}
