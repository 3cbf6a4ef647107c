import { hashToken } from '../../../platform/crypto/index.ts'
import { conflictError, DomainError, fieldError } from '../../../platform/errors/index.ts'
import type { Context } from '../../context/index.ts'
import { PushTokenInput } from './schema.ts'
import { registerToken } from './service.ts'
import { deleteTokensOfDevice, selectOwnerByToken } from './store.ts'

/** What a device says about how messages reach it. */
export type DeviceToken = Pick<PushTokenInput, 'driver' | 'token'>

/** Refuses what the push service would, in the words of the enrolment; null when the device says nothing. */
export function readDeviceToken(driver: string | undefined, pushToken: string | undefined): DeviceToken | null {
  if (driver === undefined && pushToken === undefined) return null
  if (driver === undefined) throw fieldError('driver', 'A push token needs the driver that it is of.', 'required')
  if (pushToken === undefined) throw fieldError('pushToken', 'A driver is of use with a push token only.', 'required')
  const read = PushTokenInput.safeParse({ driver, token: pushToken })
  if (read.success) return { driver: read.data.driver, token: read.data.token }
  const { path, message } = read.error.issues[0]!
  throw fieldError(path[0] === 'driver' ? 'driver' : 'pushToken', message)
}

/**
 * Registers the token of a device that its person enrols. Unlike an administrator, they cannot take one that reaches somebody
 * else: nothing proves that the token is theirs, and the other person’s questions would stay unanswered.
 */
export async function registerDeviceToken(
  ctx: Context,
  { userId, deviceId, driver, token }: DeviceToken & { userId: string; deviceId: string },
): Promise<void> {
  const owner = await selectOwnerByToken(ctx.tx, ctx.realmId, { driver, hash: hashToken(token) })
  if (owner !== null && owner !== userId) {
    throw conflictError(
      'pushToken',
      'This token is registered for somebody else; their device has to be removed first.',
    )
  }
  try {
    await registerToken(ctx, { userId, deviceId, driver, token })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    // The person is there, so it is their number of tokens.
    throw new DomainError('limit_reached', error.detail, { cause: error })
  }
}

export async function eraseTokensOfDevice(ctx: Context, userId: string, deviceId: string): Promise<void> {
  await deleteTokensOfDevice(ctx.tx, ctx.realmId, userId, deviceId)
}
