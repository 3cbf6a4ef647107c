import type { Context, UserActor } from '../../../domain/context/index.ts'
import {
  type Device,
  type IssuedEnrollment,
  issueEnrollment,
  listDevices,
  removeDevice,
} from '../../../domain/devices/index.ts'
import { tellOfChange } from '../../../domain/users/notices/index.ts'
import { notFound } from '../../../platform/errors/index.ts'
import { spend } from './limits.ts'

/** All of them: a person has few. */
export function listOwnDevices(ctx: Context, holder: UserActor): Promise<Device[]> {
  return listDevices(ctx.tx, ctx.realmId, holder.userId)
}

export async function removeOwnDevice(ctx: Context, holder: UserActor, id: string): Promise<void> {
  const device = (await listOwnDevices(ctx, holder)).find((each) => each.id === id)
  if (!device) throw notFound()
  await spend(ctx, holder, 'changes')
  await removeDevice(ctx, holder.userId, id)
  await tellOfChange(ctx, holder.userId, 'DEVICE_REMOVED', { about: device.deviceName })
}

/** The device itself tells the person once it is enrolled. */
export async function startOwnDevice(ctx: Context, holder: UserActor): Promise<IssuedEnrollment> {
  await spend(ctx, holder, 'changes')
  return issueEnrollment(ctx, holder.userId)
}
