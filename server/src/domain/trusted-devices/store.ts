import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

export interface DeviceInsert {
  realm_id: string
  id: string
  user_id: string
  token_hash: Buffer
  user_agent: string | null
  created_at: number
  expires_at: number
}

export async function insertDevice(tx: Tx, device: DeviceInsert): Promise<void> {
  await tx.insertInto('trusted_devices').values(device).execute()
}

/** Forgets all but the newest. */
export async function trimDevices(tx: Tx, realmId: string, userId: string, keep: number): Promise<void> {
  await tx
    .deleteFrom('trusted_devices')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('trusted_devices as kept')
        .select('kept.id')
        .where('kept.realm_id', '=', realmId)
        .where('kept.user_id', '=', userId)
        .orderBy('kept.id', 'desc')
        .limit(keep),
    )
    .execute()
}

const byToken = prepareStatement('trusted_device', (db, realmId: string, tokenHash: Buffer) =>
  db
    .selectFrom('trusted_devices')
    .select(['id', 'user_id', 'created_at', 'last_used_at', 'expires_at'])
    .where('realm_id', '=', realmId)
    .where('token_hash', '=', tokenHash),
)

export async function selectDevice(db: Executor, realmId: string, tokenHash: Buffer) {
  const [row] = await byToken(db, realmId, tokenHash)
  return row ?? null
}

export async function touchDevice(db: Executor, realmId: string, id: string, now: number): Promise<void> {
  await db
    .updateTable('trusted_devices')
    .set({ last_used_at: now })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function selectDevicesOf(db: Executor, realmId: string, userId: string) {
  return db
    .selectFrom('trusted_devices')
    .select(['user_agent', 'created_at', 'last_used_at', 'expires_at'])
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
}

export async function deleteDevicesOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx.deleteFrom('trusted_devices').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
}

/** Not bound to one realm: devices past their end are removed in small bites, over the index by expiry. */
export async function deleteExpiredDevices(db: Executor, now: number, limit: number): Promise<number> {
  const result = await sql`delete from trusted_devices where (realm_id, id) in (
    select realm_id, id from trusted_devices where expires_at <= ${now} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
