import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'
import type { PublicKey } from './schema.ts'

export interface DeviceRow {
  id: string
  label: string | null
  platform: string
  push_enabled: boolean
  created_at: number
  last_used_at: number | null
}

/** Newest first. */
export async function selectDevices(
  db: Executor,
  realmId: string,
  userId: string,
  limit: number,
): Promise<DeviceRow[]> {
  return db
    .selectFrom('device_keys')
    .innerJoin('credentials', (join) =>
      join.onRef('credentials.realm_id', '=', 'device_keys.realm_id').onRef('credentials.id', '=', 'device_keys.id'),
    )
    .select(['device_keys.id', 'device_keys.platform', 'credentials.label'])
    .select(['credentials.created_at', 'credentials.last_used_at'])
    .select(
      sql<boolean>`exists (select from push_tokens where push_tokens.realm_id = device_keys.realm_id
        and push_tokens.user_id = device_keys.user_id and push_tokens.device_id = device_keys.id::text
        and push_tokens.enabled)`.as('push_enabled'),
    )
    .where('device_keys.realm_id', '=', realmId)
    .where('device_keys.user_id', '=', userId)
    .orderBy('device_keys.id', 'desc')
    .limit(limit)
    .execute()
}

export interface HolderRow {
  public_key: unknown
  user_id: string
  username: string
  enabled: boolean
  locked: boolean
  locked_until: number | null
}

const byId = prepareStatement('device_key', (db, realmId: string, id: string) =>
  db
    .selectFrom('device_keys')
    .innerJoin('users', (join) =>
      join.onRef('users.realm_id', '=', 'device_keys.realm_id').onRef('users.id', '=', 'device_keys.user_id'),
    )
    .select(['device_keys.public_key', 'device_keys.user_id'])
    .select(['users.username', 'users.enabled', 'users.locked', 'users.locked_until'])
    .where('device_keys.realm_id', '=', realmId)
    .where('device_keys.id', '=', id),
)

/** The key of a device with whose it is, and how that person stands now. */
export async function selectHolder(db: Executor, realmId: string, id: string): Promise<HolderRow | null> {
  const [row] = await byId(db, realmId, id)
  return row ?? null
}

export interface PersonRow {
  username: string
  enabled: boolean
  locked: boolean
  locked_until: number | null
  service_account_client_id: string | null
}

/** Locked until the end of the transaction: two devices that are added at once see one another. */
export async function lockPerson(tx: Tx, realmId: string, userId: string): Promise<PersonRow | null> {
  const row = await tx
    .selectFrom('users')
    .select(['username', 'enabled', 'locked', 'locked_until', 'service_account_client_id'])
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function countDevices(db: Executor, realmId: string, userId: string): Promise<number> {
  const row = await db
    .selectFrom('device_keys')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return row.total
}

export interface DeviceInsert {
  id: string
  userId: string
  deviceName: string
  platform: string
  publicKey: PublicKey
  thumbprint: string
  now: number
}

/** False when the realm has a device with this key already, whosever it is. */
export async function insertDevice(tx: Tx, realmId: string, device: DeviceInsert): Promise<boolean> {
  const { id, userId, platform } = device
  await tx
    .insertInto('credentials')
    .values({
      realm_id: realmId,
      id,
      user_id: userId,
      type: 'device',
      label: device.deviceName,
      details: JSON.stringify({ platform }),
      created_at: device.now,
    })
    .execute()
  const row = await tx
    .insertInto('device_keys')
    .values({
      realm_id: realmId,
      id,
      user_id: userId,
      platform,
      public_key: JSON.stringify(device.publicKey),
      thumbprint: device.thumbprint,
    })
    .onConflict((conflict) => conflict.columns(['realm_id', 'thumbprint']).doNothing())
    .returning('id')
    .executeTakeFirst()
  await raiseVersion(tx, realmId, userId)
  return row !== undefined
}

/** The key goes with its credential. False when this person has no such device. */
export async function deleteDevice(tx: Tx, realmId: string, userId: string, id: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('credentials')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('type', '=', 'device')
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) return false
  await raiseVersion(tx, realmId, userId)
  return true
}

export async function deleteDevicesOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', 'device')
    .execute()
}

export async function markUsed(tx: Tx, realmId: string, id: string, now: number): Promise<void> {
  await tx
    .updateTable('credentials')
    .set({ last_used_at: now })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

/** Devices show in the person's record (`mfaEnabled`). */
async function raiseVersion(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}
