// Telephones of people in tests: a key of their own, enrolled over HTTP, that signs requests and statements as an app would.
import { randomUUID } from 'node:crypto'
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { issueEnrollment } from '../../src/domain/devices/index.ts'
import { type Answer, api } from './browser.ts'
import { must, type TestRealm } from './realm.ts'

export interface TestDevice {
  /** Set once it is enrolled. */
  deviceId: string
  publicKey: JWK
  privateKey: CryptoKey
  /** Enrols with a token; throws when it is refused. */
  enroll(token: string, more?: object): Promise<Answer>
  /** The second request alone, as it is. */
  answerChallenge(token: string, started: { enrollmentId: string; challenge: string }, more?: object): Promise<Answer>
  /** The value of `Authorization` for one request; `url` is a path of the service or a whole address. */
  header(method: string, url: string, claims?: object): Promise<string>
  /** A statement with these claims (contract of push, QR and transactions). */
  state(claims: Record<string, string | number>, iat?: number): Promise<string>
  /** A request that carries the header. */
  send(method: string, path: string, json?: unknown): Promise<Answer>
}

/** A device that nobody has enrolled yet. Its clock is the node's. */
export async function createDevice(realm: TestRealm): Promise<TestDevice> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const issuer = `${realm.node.services.config.baseUrl}/realms/${realm.realmId}`
  const base = realm.node.url
  const nowSeconds = () => Math.floor(realm.node.services.clock.now() / 1000)

  const device: TestDevice = {
    deviceId: '',
    publicKey: jwk,
    privateKey,
    async answerChallenge(token, { enrollmentId, challenge }, more) {
      const signature = await new CompactSign(Buffer.from(challenge))
        .setProtectedHeader({ alg: 'ES256' })
        .sign(privateKey)
      const json = { enrollmentId, publicKey: jwk, signature, ...more }
      return api(`${base}/realms/${realm.realmId}/device/enroll`, 'POST', { json, headers: bearer(token) })
    },
    async enroll(token, more) {
      const json = { deviceName: 'Telephone', platform: 'ANDROID' }
      const url = `${base}/realms/${realm.realmId}/device/enroll/start`
      const started = await must(api(url, 'POST', { json, headers: bearer(token) }), 200)
      const answer = await must(device.answerChallenge(token, started.body, more), 201)
      device.deviceId = answer.body.deviceId
      return answer
    },
    async header(method, url, claims) {
      const htu = new URL(url, new URL(issuer).origin).href
      const jws = await new SignJWT({ aud: issuer, htm: method, htu, iat: nowSeconds(), jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: device.deviceId, typ: 'gatehouse-device+jwt' })
        .sign(privateKey)
      return `DeviceKey ${jws}`
    },
    state: (claims, iat = nowSeconds()) =>
      new SignJWT({ iss: device.deviceId, aud: issuer, iat, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: device.deviceId, typ: 'gatehouse-statement+jwt' })
        .sign(privateKey),
    async send(method, path, json) {
      const headers = { authorization: await device.header(method, path) }
      return api(base + path, method, json === undefined ? { headers } : { json, headers })
    },
  }
  return device
}

/** A device that the person has enrolled before. */
export async function addDevice(realm: TestRealm, userId: string, more?: object): Promise<TestDevice> {
  const device = await createDevice(realm)
  const { enrollmentToken } = await realm.run((ctx) => issueEnrollment(ctx, userId))
  await device.enroll(enrollmentToken, more)
  return device
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
