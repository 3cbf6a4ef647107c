// What a device signs: the challenge of its enrolment, every request it sends, and what its person decides. Compact JWS with ES256
// (RFC 7515, RFC 7518), by the platform's own cryptography.

import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'

/** A P-256 key as a JSON Web Key (RFC 7517). */
export interface PrivateJwk {
  kty: string
  crv: string
  x: string
  y: string
  d: string
}

export type PublicJwk = Omit<PrivateJwk, 'd'>

/** What the device knows about itself once it is enrolled. */
export interface Enrolled {
  issuer: string
  deviceId: string
  privateKey: PrivateJwk
}

/** A telephone makes this key in its secure element, and never lets it out. */
export function createKey(): PrivateJwk {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
}

export function publicPartOf({ kty, crv, x, y }: PrivateJwk): PublicJwk {
  return { kty, crv, x, y }
}

/** The challenge is signed as the text it is, not as JSON. */
export function signChallenge(privateKey: PrivateJwk, challenge: string): string {
  return signCompact(privateKey, { alg: 'ES256' }, challenge)
}

/** The value of `Authorization` for one request: good for this method and address, for a minute, and once. */
export function createHeader({ issuer, deviceId, privateKey }: Enrolled, method: string, url: string): string {
  const header = { alg: 'ES256', kid: deviceId, typ: 'gatehouse-device+jwt' }
  const claims = { aud: issuer, htm: method, htu: url, iat: nowInSeconds(), jti: randomUUID() }
  return `DeviceKey ${signCompact(privateKey, header, JSON.stringify(claims))}`
}

/** What the person decided, in words that can mean nothing else: the claims name the question and the answer. */
export function createStatement(
  { issuer, deviceId, privateKey }: Enrolled,
  decided: Record<string, string | number>,
): string {
  const header = { alg: 'ES256', kid: deviceId, typ: 'gatehouse-statement+jwt' }
  const claims = { iss: deviceId, aud: issuer, iat: nowInSeconds(), ...decided }
  return signCompact(privateKey, header, JSON.stringify(claims))
}

function signCompact(privateKey: PrivateJwk, header: object, payload: string): string {
  const input = `${encode(JSON.stringify(header))}.${encode(payload)}`
  const key: KeyObject = createPrivateKey({ key: { ...privateKey }, format: 'jwk' })
  // JWS wants the two numbers of the signature side by side, not wrapped in DER.
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}

const encode = (text: string) => Buffer.from(text).toString('base64url')
const nowInSeconds = () => Math.floor(Date.now() / 1000)
