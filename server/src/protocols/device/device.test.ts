import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addDevice,
  api,
  createBrowser,
  createDevice,
  createRealmFor,
  must,
  type TestDevice,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { systemPassword } from '../../../test/harness/node.ts'
import { issueEnrollment } from '../../domain/devices/index.ts'

let realm: TestRealm
let userId: string
let device: TestDevice
let token: string
let number = 0
beforeAll(async () => {
  realm = await createRealmFor()
})
beforeEach(async () => {
  const username = `ada-${++number}`
  userId = (await must(realm.call('POST', '/users', { username }), 201)).body.userId
  device = await createDevice(realm)
  token = (await realm.run((ctx) => issueEnrollment(ctx, userId))).enrollmentToken
})

const url = (path = '') => `${realm.node.url}/realms/${realm.realmId}/device/enroll${path}`
const bearer = (value: string) => ({ authorization: `Bearer ${value}` })
const begin = (json: unknown = { deviceName: 'Telephone', platform: 'IOS' }, value = token) =>
  api(url('/start'), 'POST', { json, headers: bearer(value) })

test('a device starts, signs the challenge and is enrolled', async () => {
  const started = await begin()
  expect(started).toMatchObject({
    status: 200,
    body: { enrollmentId: expect.any(String), challenge: expect.stringMatching(/^[\w-]{43}$/) },
    headers: { 'cache-control': 'no-store' },
  })
  expect(Object.keys(started.body).toSorted()).toEqual(['challenge', 'enrollmentId', 'expiresAt'])
  const answer = await device.answerChallenge(token, started.body)
  expect(answer).toMatchObject({ status: 201, headers: { 'cache-control': 'no-store' } })
  expect(answer.body).toEqual({
    deviceId: expect.any(String),
    userId,
    deviceName: 'Telephone',
    createdAt: expect.any(Number),
  })
  const [event] = await realm.events('&type=CREDENTIAL_ADDED&outcome=SUCCESS')
  expect(event).toMatchObject({ actor: userId, resourceId: userId, outcome: 'SUCCESS' })
  expect(JSON.parse(event.detail)).toMatchObject({ type: 'device', id: answer.body.deviceId, platform: 'IOS' })
})

test('of fifty at once with one token one is enrolled, the others are told that it was used', async () => {
  const { body: started } = await must(begin(), 200)
  const others = await Promise.all(Array.from({ length: 50 }, () => createDevice(realm)))
  const answers = await Promise.all(others.map((other) => other.answerChallenge(token, started)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409 || status === 429)).toHaveLength(49)
  expect((await realm.call('GET', `/users/${userId}/credentials`)).body).toHaveLength(1)
})

describe('is refused', () => {
  // Every refusal counts against the address, so each group has a realm of its own.
  beforeAll(async () => {
    realm = await createRealmFor()
  })

  test.each([
    ['no token', {}, 'Bearer'],
    ['another scheme', { authorization: `Basic ${'x'.repeat(47)}` }, 'Bearer'],
    ['an unknown token', bearer(`enr_${'x'.repeat(43)}`), 'Bearer error="invalid_token"'],
  ])('%s', async (_what, headers, challenge) => {
    for (const path of ['', '/start']) {
      const answer = await api(url(path), 'POST', { json: {}, headers })
      expect(answer).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
        headers: { 'www-authenticate': challenge, 'content-type': expect.stringContaining('application/problem+json') },
      })
    }
  })

  test.each([
    [{}, ['deviceName', 'platform']],
    [{ deviceName: '', platform: 'PHONE' }, ['deviceName', 'platform']],
    [{ deviceName: 'x'.repeat(101), platform: 'WEB' }, ['deviceName']],
    [{ deviceName: 'Telephone', platform: 'WEB', more: 1 }, ['more']],
  ])('a start with %j, naming its members', async (json, fields) => {
    const answer = await begin(json)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields)
  })

  test('a token that was used, also at the start', async () => {
    await device.enroll(token)
    expect(await begin()).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const again = await device.answerChallenge(token, { enrollmentId: userId, challenge: 'x' })
    expect(again.status).toBe(409)
  })

  test('a key that is somebody’s device already, and the token stays good', async () => {
    const other = await addDevice(realm, realm.adminId)
    const { body: started } = await must(begin(), 200)
    expect(await other.answerChallenge(token, started)).toMatchObject({
      status: 409,
      body: { errors: [{ field: 'publicKey' }] },
    })
    expect((await device.answerChallenge(token, started)).status).toBe(201)
  })

  test('a form, and every other method', async () => {
    const form = await api(url('/start'), 'POST', {
      form: { deviceName: 'x', platform: 'WEB' },
      headers: bearer(token),
    })
    expect(form.status).toBe(415)
    expect(await api(url('/start'), 'GET')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
    expect(await api(url(), 'DELETE')).toMatchObject({ status: 405, headers: { allow: 'GET, POST, HEAD' } })
  })

  test('what failed with a token is in the audit trail of its person', async () => {
    await begin({})
    const [event] = await realm.events('&type=CREDENTIAL_ADDED')
    expect(event).toMatchObject({ actor: userId, outcome: 'FAILURE' })
    expect(JSON.parse(event.detail)).toMatchObject({ type: 'device', error: 'validation_failed' })
  })
})

describe('a push token', () => {
  beforeAll(async () => {
    realm = await createRealmFor()
  })
  const tokensOf = async (id: string) => (await realm.call('GET', `/messaging/push-tokens?userId=${id}`)).body

  test('is registered for the device', async () => {
    await device.enroll(token, { driver: 'fcm', pushToken: `a-token-of-a-device-${number}` })
    expect(await tokensOf(userId)).toMatchObject([{ deviceId: device.deviceId, driver: 'fcm', enabled: true }])
  })

  test('that reaches somebody else’s device is not taken from them', async () => {
    const push = { driver: 'fcm', pushToken: 'the-token-of-somebody' }
    await addDevice(realm, realm.adminId, push)
    const { body: started } = await must(begin(), 200)
    const answer = await device.answerChallenge(token, started, push)
    expect(answer).toMatchObject({ status: 409, body: { errors: [{ field: 'pushToken' }] } })
    expect([await tokensOf(userId), await tokensOf(realm.adminId)]).toMatchObject([[], [{}]])
    expect((await device.answerChallenge(token, started)).status).toBe(201)
  })

  test('of their own goes to the new device', async () => {
    const push = { driver: 'fcm', pushToken: `a-token-that-stays-${number}` }
    await device.enroll(token, push)
    const next = await addDevice(realm, userId, push)
    expect(await tokensOf(userId)).toMatchObject([{ deviceId: next.deviceId }])
  })

  test.each([
    [{ driver: 'fcm' }, 'pushToken'],
    [{ pushToken: 'a-token-without-driver' }, 'driver'],
    [{ driver: 'pigeon', pushToken: 'a-token-of-a-pigeon' }, 'driver'],
    [{ driver: 'apns', pushToken: 'not-hexadecimal-at-all' }, 'pushToken'],
    [{ driver: 'fcm', pushToken: 'short' }, 'pushToken'],
  ])('as %j is refused on %s', async (push, field) => {
    const { body: started } = await must(begin(), 200)
    expect(await device.answerChallenge(token, started, push)).toMatchObject({
      status: 400,
      body: { errors: [{ field }] },
    })
  })
})

test('a realm that is disabled enrols nobody', async () => {
  const closed = await createRealmFor()
  const issued = await closed.run((ctx) => issueEnrollment(ctx, closed.adminId))
  const system = createBrowser(realm.node.url)
  await must(system.login('master', 'admin', systemPassword), 200)
  await must(system.write('PUT', `/admin/realms/${closed.realmId}`, { enabled: false }), 200)
  const start = `${realm.node.url}/realms/${closed.realmId}/device/enroll/start`
  const answer = await api(start, 'POST', { json: {}, headers: bearer(issued.enrollmentToken) })
  expect(answer).toMatchObject({ status: 403, body: { code: 'realm_disabled' } })
})

test.each([
  ['en', 'Open this with your authenticator app'],
  ['de', 'Mit Ihrer Authenticator-App öffnen'],
  ['fr', 'Ouvrez ceci avec votre application'],
  ['nl', 'Open dit met uw authenticator-app'],
])('whoever opens the address in a browser is told what it is for (%s)', async (lang, says) => {
  await must(realm.call('PUT', '/settings', { supportedLocales: ['en', 'de', 'fr', 'nl'] }), 200)
  const answer = await api(`${url()}?lang=${lang}`, 'GET', { headers: { accept: 'text/html' } })
  expect(answer.status).toBe(200)
  expect(answer.text).toContain(says)
  expect(answer.text).not.toContain('<script')
})
