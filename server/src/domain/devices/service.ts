import { notFound } from '../../platform/errors/index.ts'
import type { Executor } from '../../platform/db/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import type { Context } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { eraseTokensOfDevice } from '../messaging/push-tokens/index.ts'
import { forgetDevices } from '../trusted-devices/index.ts'
import { maxDevices } from './limits.ts'
import type { Device, Platform } from './schema.ts'
import { deleteDevice, type DeviceRow, selectDevices } from './store.ts'

/** Newest first. */
export async function listDevices(db: Executor, realmId: string, userId: string): Promise<Device[]> {
  return (await selectDevices(db, realmId, userId, maxDevices)).map(toDevice)
}

function toDevice(row: DeviceRow): Device {
  return {
    id: row.id,
    deviceName: row.label ?? '',
    platform: row.platform as Platform,
    pushEnabled: row.push_enabled,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

/** Nothing is sent to it and nothing it signs counts any more; a browser that was trusted because of it is asked again. */
export async function removeDevice(ctx: Context, userId: string, deviceId: string): Promise<void> {
  if (!isUuid(deviceId) || !(await deleteDevice(ctx.tx, ctx.realmId, userId, deviceId))) throw notFound()
  await eraseTokensOfDevice(ctx, userId, deviceId)
  await forgetDevices(ctx, userId)
  await recordEvent(ctx, {
    type: 'CREDENTIAL_REMOVED',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    detail: JSON.stringify({ type: 'device', id: deviceId }),
    detailSubject: userId,
  })
}
