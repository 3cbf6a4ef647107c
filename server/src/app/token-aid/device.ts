import type { AidIo } from './io.ts'
import { paint, toPlainText } from './paint.ts'
import { drawQrCode } from './qr-code.ts'
import { endpointOf, type Realm, RemoteError } from './remote.ts'
import { type Answered, type Credentials, sendForm } from './token-endpoint.ts'
import { describeSpan } from './times.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
// RFC 8628, 3.2 and 3.5.
const defaultIntervalSeconds = 5
const slowDownSeconds = 5
// A server may not keep a terminal waiting for a day, nor let it sleep for an hour between two questions.
const maxLifetimeSeconds = 1800
const maxIntervalSeconds = 60

interface DeviceCode {
  deviceCode: string
  userCode: string
  address: string
  completeAddress: string | null
  lifetimeSeconds: number
  intervalSeconds: number
}

/** The device grant (RFC 8628): shows the code and waits until somebody answered it. */
export async function requestByDevice(
  io: AidIo,
  realm: Realm,
  credentials: Credentials,
  form: [string, string][],
): Promise<Answered> {
  const begun = await sendForm(endpointOf(realm, 'device_authorization_endpoint'), credentials, form)
  if (!begun.ok) return begun
  const code = readDeviceCode(begun.body)
  showDeviceCode(io, code)
  return pollForTokens(io, realm, credentials, code)
}

function readDeviceCode(body: Record<string, unknown>): DeviceCode {
  const text = (member: string): string => {
    const value = body[member]
    if (typeof value !== 'string' || value === '') throw new RemoteError(`the answer has no ${member}`)
    return value
  }
  const seconds = (member: string, otherwise: number, most: number): number => {
    const value = body[member]
    return typeof value === 'number' && value > 0 ? Math.min(value, most) : otherwise
  }
  const complete = body.verification_uri_complete
  return {
    deviceCode: text('device_code'),
    userCode: text('user_code'),
    address: text('verification_uri'),
    completeAddress: typeof complete === 'string' ? complete : null,
    lifetimeSeconds: seconds('expires_in', maxLifetimeSeconds, maxLifetimeSeconds),
    intervalSeconds: seconds('interval', defaultIntervalSeconds, maxIntervalSeconds),
  }
}

function showDeviceCode(io: AidIo, { userCode, address, completeAddress, lifetimeSeconds }: DeviceCode): void {
  io.tell(`Open    ${toPlainText(address)}`)
  io.tell(`Enter   ${paint(io, 'bold', toPlainText(userCode))}`)
  if (completeAddress !== null) {
    io.tell(`Or      ${toPlainText(completeAddress)}\n`)
    for (const line of drawQrCode(io, completeAddress)) io.tell(line)
  }
  io.tell(`\nWaiting for an answer, for ${describeSpan(lifetimeSeconds)} at most …`)
}

async function pollForTokens(io: AidIo, realm: Realm, credentials: Credentials, code: DeviceCode): Promise<Answered> {
  const url = endpointOf(realm, 'token_endpoint')
  const endsAt = io.now() + code.lifetimeSeconds * 1000
  const form: [string, string][] = [
    ['grant_type', deviceGrant],
    ['device_code', code.deviceCode],
  ]
  let interval = code.intervalSeconds
  while (io.now() + interval * 1000 < endsAt) {
    await io.wait(interval * 1000)
    const answer = await sendForm(url, credentials, form).catch((error: unknown) => {
      if (error instanceof RemoteError) return error
      throw error
    })
    if (answer instanceof RemoteError) {
      // A connection that fails must not be tried faster than one that works (RFC 8628, 3.5).
      interval = Math.min(interval * 2, maxIntervalSeconds)
      io.tell(`${toPlainText(answer.message)}; trying again in ${interval} s`)
    } else if (!answer.ok && answer.error.code === 'slow_down') {
      interval = Math.min(interval + slowDownSeconds, maxIntervalSeconds)
    } else if (answer.ok || answer.error.code !== 'authorization_pending') return answer
  }
  return { ok: false, error: { code: 'expired_token', description: 'nobody answered in time' } }
}
