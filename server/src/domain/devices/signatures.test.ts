import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addDevice,
  createRealmFor,
  must,
  startTestNode,
  type TestDevice,
  type TestNode,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { authenticateDevice, listDevices, verifyStatement } from './index.ts'

// A node of its own: time is moved here.
let node: TestNode
let realm: TestRealm
let userId: string
let device: TestDevice
beforeAll(async () => {
  node = await startTestNode()
  realm = await createRealmFor({ node })
  userId = (await must(realm.call('POST', '/users', { username: 'ada' }), 201)).body.userId
  device = await addDevice(realm, userId)
})
afterAll(() => node.stop())

const nowSeconds = () => Math.floor(node.clock.now() / 1000)
const path = () => `/realms/${realm.realmId}/push`
const authenticate = (authorization: string | undefined, method = 'GET', url = path()) =>
  authenticateDevice(node.services, realm.realmId, { authorization, method, url })
const verify = (jws: string, claims: Record<string, string | number> = { push: 'p1', decision: 'DENY' }) =>
  realm.run((ctx) => verifyStatement(ctx, { userId, deviceId: device.deviceId, jws, claims }))

describe('a request', () => {
  test('is its device’s, whatever stands in the query', async () => {
    const caller = { deviceId: device.deviceId, userId, username: 'ada' }
    expect(await authenticate(await device.header('GET', path()))).toEqual(caller)
    expect(await authenticate(await device.header('GET', path()), 'GET', `${path()}?size=5`)).toEqual(caller)
    const whole = node.services.config.baseUrl + path()
    expect(await authenticate(await device.header('POST', `${path()}?a=b`), 'POST', whole)).toEqual(caller)
  })

  test('counts once', async () => {
    const header = await device.header('GET', path())
    const tries = await Promise.all(Array.from({ length: 10 }, () => authenticate(header)))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await authenticate(header)).toBeNull()
  })

  test.each([-61, 61])('that is %d seconds from now counts for nothing', async (seconds) => {
    expect(await authenticate(await device.header('GET', path(), { iat: nowSeconds() + seconds }))).toBeNull()
    const near = nowSeconds() + seconds - Math.sign(seconds) * 5
    expect(await authenticate(await device.header('GET', path(), { iat: near }))).not.toBeNull()
  })

  test('counts for nothing while its person is disabled or locked', async () => {
    const set = (change: object) => must(realm.call('PUT', `/users/${userId}`, { username: 'ada', ...change }), 200)
    for (const change of [{ enabled: false }, { locked: true }]) {
      await set(change)
      expect(await authenticate(await device.header('GET', path()))).toBeNull()
      expect(await verify(await device.state({ push: 'p1', decision: 'DENY' }))).toBe(false)
    }
    await set({})
    expect(await authenticate(await device.header('GET', path()))).not.toBeNull()
  })
})

describe('a statement', () => {
  test('with exactly these claims counts, and marks the device as used', async () => {
    expect(await verify(await device.state({ push: 'p1', decision: 'DENY' }))).toBe(true)
    const [listed] = await listDevices(node.services.db, realm.realmId, userId)
    expect(node.clock.now() - listed!.lastUsedAt!).toBeLessThan(10_000)
  })

  test.each([
    ['another value', { push: 'p2', decision: 'DENY' }],
    ['one claim less', { push: 'p1' }],
    ['one claim more', { push: 'p1', decision: 'DENY', number: 7 }],
    ['a number for a text', { push: 'p1', decision: 0 }],
    ['another recipient', { push: 'p1', decision: 'DENY', aud: 'https://other.example/realms/x' }],
    ['another sender', { push: 'p1', decision: 'DENY', iss: 'somebody' }],
  ])('with %s counts for nothing', async (_what, claims) => {
    expect(await verify(await device.state(claims))).toBe(false)
  })

  test.each([-121, 121])('that is %d seconds from now counts for nothing', async (seconds) => {
    const said = { push: 'p1', decision: 'DENY' }
    expect(await verify(await device.state(said, nowSeconds() + seconds))).toBe(false)
    expect(await verify(await device.state(said, nowSeconds() + seconds - Math.sign(seconds) * 5))).toBe(true)
  })
})
