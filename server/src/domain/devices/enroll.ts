import { conflictError, fieldError } from '../../platform/errors/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { Context } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { type DeviceToken, registerDeviceToken } from '../messaging/push-tokens/index.ts'
import { assertRoom, invalidToken, usedToken } from './enrollments.ts'
import { type EnrollmentRow, takeEnrollment } from './enrollments-store.ts'
import { type ReadKey, readPublicKey } from './key.ts'
import type { PublicKey } from './schema.ts'
import { openSigned } from './signatures.ts'
import { mayEnroll } from './standing.ts'
import { insertDevice, lockPerson } from './store.ts'

/** An enrolment whose challenge a key has signed. */
export interface ProvedEnrollment extends ReadKey {
  id: string
  userId: string
  deviceName: string
  platform: string
  challenge: string
}

export interface EnrolledDevice {
  deviceId: string
  userId: string
  deviceName: string
  createdAt: number
}

/** Needs no transaction; `enrollDevice` makes it count. */
export async function proveEnrollment(
  enrollment: EnrollmentRow,
  sent: { enrollmentId: string; publicKey: PublicKey; signature: string },
): Promise<ProvedEnrollment> {
  const { id, user_id: userId, device_name: deviceName, platform, challenge } = enrollment
  if (deviceName === null || platform === null || challenge === null || sent.enrollmentId !== id) {
    throw fieldError('enrollmentId', 'This enrollment was not started; start it with the same token.')
  }
  const key = await readPublicKey(sent.publicKey)
  if (!key) throw fieldError('publicKey', 'This is not a point of the curve P-256.')
  if ((await openSigned(sent.signature, key.publicKey)) !== challenge) {
    throw fieldError('signature', 'A compact JWS with ES256 by this key over the challenge of the latest start.')
  }
  return { ...key, id, userId, deviceName, platform, challenge }
}

/** Of many at once with one token, one gets a device. The person acts themselves: whoever has the token is them. */
export async function enrollDevice(
  ctx: Context,
  proved: ProvedEnrollment,
  push: DeviceToken | null,
): Promise<EnrolledDevice> {
  const { userId, deviceName, platform, publicKey, thumbprint, challenge } = proved
  const person = await lockPerson(ctx.tx, ctx.realmId, userId)
  if (!person || !mayEnroll(person)) throw invalidToken()
  const id = newId(ctx.now)
  const taken = { challenge, deviceId: id, now: ctx.now }
  if (!(await takeEnrollment(ctx.tx, ctx.realmId, proved.id, taken))) throw usedToken()
  await assertRoom(ctx, userId)
  const device = { id, userId, deviceName, platform, publicKey, thumbprint, now: ctx.now }
  if (!(await insertDevice(ctx.tx, ctx.realmId, device))) {
    throw conflictError('publicKey', 'This key is enrolled already; every device has a key of its own.')
  }
  if (push) await registerDeviceToken(ctx, { userId, deviceId: id, ...push })
  await recordEvent(ctx, {
    type: 'CREDENTIAL_ADDED',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    detail: JSON.stringify({ type: 'device', id, deviceName, platform }),
    detailSubject: userId,
  })
  return { deviceId: id, userId, deviceName, createdAt: ctx.now }
}
