// Requests of an enrolled device, and of one that is about to be.

import { createHeader, createKey, createStatement, type Enrolled, publicPartOf, signChallenge } from './signing.ts'
import type { Stored } from './store.ts'

/** What the service says when it refuses (RFC 9457). */
interface Problem {
  code?: string
  detail?: string
}

async function call(method: string, url: string, authorization: string, body?: unknown): Promise<unknown> {
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const answer = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const text = await answer.text()
  const content: unknown = text === '' ? null : JSON.parse(text)
  if (answer.ok) return content
  const { code, detail } = content as Problem
  throw new Error(`${answer.status} ${code}: ${detail}`)
}

/** Every request is signed anew. */
export function callAs(device: Enrolled, method: string, url: string, body?: unknown): Promise<unknown> {
  return call(method, url, createHeader(device, method, url), body)
}

export interface Enrollment {
  deviceName: string
  platform: string
  pushToken: string | null
}

/** Two requests with the token of the address: what the device is, and the proof that it holds the key it names. */
export async function enroll(enrollmentUrl: string, { deviceName, platform, pushToken }: Enrollment): Promise<Stored> {
  const [address = '', token = ''] = enrollmentUrl.split('#')
  if (!address.endsWith('/device/enroll') || !token.startsWith('enr_')) {
    throw new Error('The enrollment address ends in /device/enroll#enr_…')
  }
  const bearer = `Bearer ${token}`
  const started = (await call('POST', `${address}/start`, bearer, { deviceName, platform })) as {
    enrollmentId: string
    challenge: string
  }
  const privateKey = createKey()
  const { deviceId } = (await call('POST', address, bearer, {
    enrollmentId: started.enrollmentId,
    publicKey: publicPartOf(privateKey),
    signature: signChallenge(privateKey, started.challenge),
    ...(pushToken === null ? {} : { driver: 'fcm', pushToken }),
  })) as { deviceId: string }
  return { issuer: address.slice(0, -'/device/enroll'.length), deviceId, privateKey, deviceName, pushToken }
}

export function approve(device: Enrolled, id: string, number: number | null): Promise<unknown> {
  const chosen = number === null ? {} : { number }
  const signature = createStatement(device, { push: id, decision: 'APPROVE', ...chosen })
  return callAs(device, 'POST', `${device.issuer}/push/${id}/approve`, {
    ...chosen,
    deviceId: device.deviceId,
    signature,
  })
}

export function deny(device: Enrolled, id: string, isFraud: boolean): Promise<unknown> {
  const signature = createStatement(device, { push: id, decision: 'DENY' })
  const reason = isFraud ? { reason: 'FRAUD' } : {}
  return callAs(device, 'POST', `${device.issuer}/push/${id}/deny`, { ...reason, deviceId: device.deviceId, signature })
}

/** The address is what the QR code holds. It is looked at before it is confirmed, as a person would. */
export async function confirmQr(device: Enrolled, url: string, code: string | null): Promise<unknown> {
  if (!url.startsWith(`${device.issuer}/qr/`)) throw new Error('This QR code is not of the realm of this device.')
  const id = url.slice(`${device.issuer}/qr/`.length)
  console.log(await callAs(device, 'GET', url))
  const signature = createStatement(device, { qr: id, decision: 'CONFIRM' })
  const typed = code === null ? {} : { code }
  return callAs(device, 'POST', `${url}/confirm`, { ...typed, deviceId: device.deviceId, signature })
}
