// What somebody tries who wants a device in another person’s name, or wants what a device said to count for more (S12, S39, S41, S48).
import { createHmac, randomUUID } from 'node:crypto'
import { CompactSign, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { authenticateDevice, issueEnrollment, listDevices, verifyStatement } from '../../src/domain/devices/index.ts'
import {
  addDevice,
  type Answer,
  api,
  createDevice,
  createRealmFor,
  must,
  startTestNode,
  type TestDevice,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'

const minuteMs = 60_000

// A node of its own: time is moved here.
let node: TestNode
let realm: TestRealm
let other: TestRealm
beforeAll(async () => {
  node = await startTestNode()
  other = await createRealmFor({ node })
})
afterAll(() => node.stop())

// Refusals are counted for the address in a realm, and nearly everything here is refused.
async function useNewRealm(): Promise<void> {
  realm = await createRealmFor({ node })
}

let username: string
let userId: string
let token: string
let device: TestDevice
let number = 0
beforeEach(async () => {
  username = `ada-${++number}`
  userId = (await must(realm.call('POST', '/users', { username }), 201)).body.userId
  device = await createDevice(realm)
  token = await issue()
})

async function issue(within = realm, whose = userId): Promise<string> {
  return (await within.run((ctx) => issueEnrollment(ctx, whose))).enrollmentToken
}

function send(path: string, json: unknown, value: string, within = realm): Promise<Answer> {
  const headers = { authorization: `Bearer ${value}` }
  return api(`${node.url}/realms/${within.realmId}/device/enroll${path}`, 'POST', { json, headers })
}

const start = async (value = token, within = realm) =>
  (await must(send('/start', { deviceName: 'Telephone', platform: 'OTHER' }, value, within), 200)).body
const devicesOf = (id = userId, within = realm) => listDevices(node.services.db, within.realmId, id)

describe('no device comes of', () => {
  beforeAll(useNewRealm)

  test('a token of another realm', async () => {
    const foreign = await issue(other, other.adminId)
    const answer = await send('/start', { deviceName: 'Telephone', platform: 'WEB' }, foreign)
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    const started = await start(foreign, other)
    expect((await device.answerChallenge(foreign, started)).status).toBe(401)
    expect(await devicesOf()).toEqual([])
  })

  test('the enrolment of somebody else with a token of one’s own, in this realm or another', async () => {
    const theirs = await start(await issue(realm, realm.adminId))
    const own = await start()
    for (const foreign of [theirs, await start(await issue(other, other.adminId), other)]) {
      expect(await device.answerChallenge(token, foreign)).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'enrollmentId' }] },
      })
      const mixed = { enrollmentId: own.enrollmentId, challenge: foreign.challenge }
      expect((await device.answerChallenge(token, mixed)).body.errors).toMatchObject([{ field: 'signature' }])
    }
    const people = [await devicesOf(), await devicesOf(realm.adminId), await devicesOf(other.adminId, other)]
    expect(people).toEqual([[], [], []])
  })

  test('an enrolment that was never started', async () => {
    const { id } = await node.services.db
      .selectFrom('device_enrollments')
      .select('id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    for (const challenge of ['', 'null', 'undefined'])
      expect((await device.answerChallenge(token, { enrollmentId: id, challenge })).status).toBe(400)
  })

  test('the challenge of a start that a later one took the place of', async () => {
    const first = await start()
    const second = await start()
    expect((await device.answerChallenge(token, first)).body.errors).toMatchObject([{ field: 'signature' }])
    expect((await device.answerChallenge(token, second)).status).toBe(201)
  })

  test('a token after ten minutes, begun or not', async () => {
    const started = await start()
    node.clock.advance(10 * minuteMs)
    expect((await device.answerChallenge(token, started)).status).toBe(401)
    expect((await send('/start', { deviceName: 'Telephone', platform: 'WEB' }, token)).status).toBe(401)
  })

  test('a token whose person was disabled, locked or deleted meanwhile', async () => {
    const change = (member: object) => realm.call('PUT', `/users/${userId}`, { username, ...member })
    const started = await start()
    await must(change({ locked: true }), 200)
    expect((await device.answerChallenge(token, started)).status).toBe(401)
    expect((await send('/start', { deviceName: 'x', platform: 'WEB' }, token)).status).toBe(401)
    await must(change({ locked: false, enabled: false }), 200)
    expect((await device.answerChallenge(token, started)).status).toBe(401)
    // What ended does not begin again.
    await must(change({ enabled: true }), 200)
    expect((await device.answerChallenge(token, started)).status).toBe(401)
    const fresh = await issue()
    const again = await start(fresh)
    await must(realm.call('DELETE', `/users/${userId}`), 204)
    expect((await device.answerChallenge(fresh, again)).status).toBe(401)
  })

  test('the same token again, with the same or another key', async () => {
    const started = await start()
    expect((await device.answerChallenge(token, started)).status).toBe(201)
    expect((await device.answerChallenge(token, started)).status).toBe(409)
    expect((await (await createDevice(realm)).answerChallenge(token, started)).status).toBe(409)
    expect(await devicesOf()).toHaveLength(1)
  })

  test('an earlier token, once there is a newer one', async () => {
    const started = await start()
    const newer = await issue()
    expect((await device.answerChallenge(token, started)).status).toBe(401)
    await device.enroll(newer)
  })
})

describe('a challenge signed otherwise is refused:', () => {
  beforeAll(useNewRealm)
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  let started: { enrollmentId: string; challenge: string }
  beforeEach(async () => {
    started = await start()
  })
  const answerWith = (signature: string, more: object = {}) =>
    device.answerChallenge(token, started, { signature, ...more })
  const refused = { status: 400, body: { errors: [{ field: 'signature' }] } }
  const payload = () => Buffer.from(started.challenge).toString('base64url')

  test('alg none', async () => {
    for (const alg of ['none', 'None', ''])
      for (const end of ['', 'AAAA'])
        expect(await answerWith(`${encode({ alg })}.${payload()}.${end}`)).toMatchObject(refused)
  })

  test('HS256 with the public key as its secret', async () => {
    const input = `${encode({ alg: 'HS256' })}.${payload()}`
    for (const secret of [JSON.stringify(device.publicKey), device.publicKey.x!]) {
      const mac = createHmac('sha256', secret).update(input).digest('base64url')
      expect(await answerWith(`${input}.${mac}`)).toMatchObject(refused)
    }
  })

  test('RS256, ES384 and another key of the right kind, with that key in the header', async () => {
    for (const alg of ['RS256', 'ES384', 'ES256']) {
      const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
      const jwk = await exportJWK(publicKey)
      const signature = await new CompactSign(Buffer.from(started.challenge))
        .setProtectedHeader({ alg, jwk })
        .sign(privateKey)
      expect(await answerWith(signature)).toMatchObject(refused)
    }
  })

  test('another text than the challenge, and a signature that is none', async () => {
    const sign = (text: string) =>
      new CompactSign(Buffer.from(text)).setProtectedHeader({ alg: 'ES256' }).sign(device.privateKey)
    for (const text of ['', 'x', `${started.challenge} `, JSON.stringify(started.challenge), started.enrollmentId])
      expect(await answerWith(await sign(text))).toMatchObject(refused)
    for (const rubbish of ['x', '..', 'a.b.c', `${encode({ alg: 'ES256' })}.${payload()}.${'A'.repeat(86)}`])
      expect(await answerWith(rubbish)).toMatchObject(refused)
  })
})

describe('of keys', () => {
  beforeAll(useNewRealm)
  let started: { enrollmentId: string; challenge: string }
  beforeEach(async () => {
    started = await start()
  })

  test('those that are no points of the curve, of other kinds, or private are refused', async () => {
    const { kty, crv, x, y } = device.publicKey as { kty: string; crv: string; x: string; y: string }
    const zero = Buffer.alloc(32).toString('base64url')
    const keys = [
      { kty, crv, x, y: x },
      { kty, crv, x: zero, y: zero },
      { kty, crv, x },
      { kty, crv: 'P-384', x, y },
      { kty: 'oct', k: x },
      { kty: 'RSA', n: x, e: 'AQAB' },
      { kty, crv, x: `${x}AA`, y },
      { kty, crv, x, y, alg: 'HS256' },
      await exportJWK(device.privateKey),
      'key',
      null,
    ]
    for (const publicKey of keys) {
      const answer = await device.answerChallenge(token, started, { publicKey })
      expect(answer.status, JSON.stringify(publicKey)).toBe(400)
      expect(answer.body.errors[0].field).toMatch(/^publicKey/)
    }
  })

  test('only the public members of a key are kept, each key in one way of writing', async () => {
    const last = device.publicKey.x!.at(-1)!
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    // The last character has two bits that say nothing.
    const twin = alphabet[alphabet.indexOf(last) ^ 1]!
    const publicKey = { ...device.publicKey, kid: 'mine', ext: true, key_ops: ['verify'], note: 'x' }
    await must(device.answerChallenge(token, started, { publicKey }), 201)
    const row = await node.services.db
      .selectFrom('device_keys')
      .select('public_key')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(Object.keys(row.public_key as object).toSorted()).toEqual(['crv', 'kty', 'x', 'y'])
    const again = await issue()
    const second = await start(again)
    const written = { ...device.publicKey, x: device.publicKey.x!.slice(0, -1) + twin }
    expect(await device.answerChallenge(again, second, { publicKey: written })).toMatchObject({ status: 409 })
  })
})

describe('against floods', () => {
  beforeAll(useNewRealm)

  test('texts that are too long or more than one line never get in', async () => {
    const names = [
      'a\r\nSet-Cookie: x=1',
      'a\nb',
      '\u001b[31mred',
      'a\u2028b',
      '\u202eevil',
      ' x',
      'x\0',
      'x'.repeat(101),
    ]
    for (const deviceName of names)
      expect((await send('/start', { deviceName, platform: 'WEB' }, token)).status, JSON.stringify(deviceName)).toBe(
        400,
      )
    expect((await send('/start', { deviceName: 'x'.repeat(1_000_000), platform: 'WEB' }, token)).status).toBe(413)
    const started = await start()
    for (const more of [{ signature: 'x'.repeat(5000) }, { pushToken: 'x'.repeat(5000), driver: 'fcm' }])
      expect((await device.answerChallenge(token, started, more)).status).toBe(400)
    expect((await device.answerChallenge(token, started, { signature: 'x'.repeat(1_000_000) })).status).toBe(413)
    expect((await send('', {}, 'x'.repeat(10_000))).status).toBe(401)
  })

  test('an address from which too many fail has to wait, and others do not', async () => {
    const answers: number[] = []
    await useNewRealm()
    for (let at = 0; at < 31; at++) answers.push((await send('/start', {}, `enr_${'x'.repeat(43)}`)).status)
    expect([answers[29], answers[30]]).toEqual([401, 429])
    expect(await send('/start', {}, token)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.any(String) },
    })
    expect((await send('/start', {}, await issue(other, other.adminId), other)).status).toBe(400)
  })
})

describe('what a device signed', () => {
  beforeAll(useNewRealm)
  const path = () => `/realms/${realm.realmId}/push`
  const said = { push: 'one', decision: 'APPROVE', number: 42 }
  beforeEach(async () => {
    await device.enroll(token)
  })
  const verify = (jws: string, more: object = {}, within = realm) =>
    within.run((ctx) => verifyStatement(ctx, { userId, deviceId: device.deviceId, jws, claims: said, ...more }))
  const authenticate = (authorization: string, more: object = {}, within = realm) =>
    authenticateDevice(node.services, within.realmId, { authorization, method: 'GET', url: path(), ...more })

  test('counts for its claims, its person, its device and its realm alone', async () => {
    const jws = await device.state(said)
    expect(await verify(jws)).toBe(true)
    for (const claims of [
      { ...said, push: 'two' },
      { ...said, decision: 'DENY' },
      { push: 'one' },
      { ...said, more: 1 },
      {},
    ])
      expect(await verify(jws, { claims })).toBe(false)
    expect(await verify(jws, { userId: realm.adminId })).toBe(false)
    expect(await verify(jws, { deviceId: randomUUID() })).toBe(false)
    expect(await verify(jws, { deviceId: "' or 1=1" })).toBe(false)
    expect(await verify(jws, {}, other)).toBe(false)
    const theirs = await addDevice(realm, realm.adminId)
    expect(await verify(await theirs.state(said))).toBe(false)
    expect(await verify(await theirs.state(said), { deviceId: theirs.deviceId })).toBe(false)
  })

  test('counts no more once the device is removed', async () => {
    const jws = await device.state(said)
    const header = await device.header('GET', path())
    await must(realm.call('DELETE', `/users/${userId}/credentials/device/${device.deviceId}`), 204)
    expect([await verify(jws), await authenticate(header)]).toEqual([false, null])
  })

  test('counts with ES256 by the enrolled key alone, as the kind it is', async () => {
    const claims = { iss: device.deviceId, aud: `${node.services.config.baseUrl}/realms/${realm.realmId}` }
    const iat = Math.floor(node.clock.now() / 1000)
    const typ = 'gatehouse-statement+jwt'
    const kid = device.deviceId
    const forge = async (header: object, key: CryptoKey | Uint8Array = device.privateKey as CryptoKey) =>
      new SignJWT({ ...claims, iat, ...said }).setProtectedHeader({ alg: 'ES256', typ, kid, ...header }).sign(key)
    expect(await verify(await forge({}))).toBe(true)
    const stranger = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(stranger.publicKey)
    expect(await verify(await forge({ jwk }, stranger.privateKey as CryptoKey))).toBe(false)
    const secret = Buffer.from(JSON.stringify(device.publicKey))
    expect(await verify(await forge({ alg: 'HS256' }, secret))).toBe(false)
    for (const header of [{ typ: 'JWT' }, { typ: 'gatehouse-device+jwt' }, { kid: randomUUID() }])
      expect(await verify(await forge(header))).toBe(false)
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    expect(await verify(`${encode({ alg: 'none', typ, kid })}.${encode({ ...claims, iat, ...said })}.`)).toBe(false)
    for (const rubbish of ['', '.', 'a.b.c', 'x'.repeat(1_000_000)]) expect(await verify(rubbish)).toBe(false)
  })

  test('a header opens one method and address of one realm, and no statement is a header', async () => {
    expect(await authenticate(await device.header('GET', path()))).not.toBeNull()
    const tries: [string, object, TestRealm?][] = [
      [await device.header('GET', path()), { method: 'POST' }],
      [await device.header('GET', path()), { url: `${path()}/1` }],
      [await device.header('GET', path()), {}, other],
      [await device.header('GET', `https://evil.example${path()}`), {}],
      [await device.header('GET', path(), { aud: 'https://evil.example' }), {}],
      [await device.header('GET', path(), { iat: Math.floor(node.clock.now() / 1000) - 90 }), {}],
      [await device.header('GET', path(), { iat: '1' }), {}],
      [await device.header('GET', path(), { jti: '' }), {}],
      [await device.header('GET', path(), { jti: 7 }), {}],
      [`DeviceKey ${await device.state({ htm: 'GET', htu: node.services.config.baseUrl + path(), jti: 'x' })}`, {}],
      [(await device.header('GET', path())).replace('DeviceKey', 'Bearer'), {}],
      ['DeviceKey', {}],
      [`DeviceKey ${'x'.repeat(100_000)}`, {}],
    ]
    for (const [header, more, within] of tries) expect(await authenticate(header, more, within)).toBeNull()
  })
})
