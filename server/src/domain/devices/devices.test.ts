import { CompactSign } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addDevice,
  createDevice,
  createRealmFor,
  must,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../../../test/harness/index.ts'
import {
  devicesContribution,
  endEnrollments,
  enrollDevice,
  findEnrolledDevice,
  findEnrollment,
  isEnrollmentOpen,
  issueEnrollment,
  listDevices,
  proveEnrollment,
  type PublicKey,
  removeDevice,
  startEnrollment,
} from './index.ts'
import { newId } from '../../platform/ids/index.ts'

const minuteMs = 60_000

// A node of its own: time is moved here.
let node: TestNode
let realm: TestRealm
beforeAll(async () => {
  node = await startTestNode()
  realm = await createRealmFor({ node })
})
afterAll(() => node.stop())

let userId: string
let number = 0
beforeEach(async () => {
  const username = `ada-${++number}`
  userId = (await must(realm.call('POST', '/users', { username }), 201)).body.userId
})

const issue = (signInId: string | null = null) => realm.run((ctx) => issueEnrollment(ctx, userId, { signInId }))
const isOpen = (token: string) => realm.run((ctx) => isEnrollmentOpen(ctx, token))
const list = () => listDevices(node.services.db, realm.realmId, userId)
const enrollments = () =>
  node.services.db.selectFrom('device_enrollments').selectAll().where('user_id', '=', userId).execute()

describe('an enrolment', () => {
  test('is an address with the token in its fragment, of which only a hash is kept', async () => {
    const { enrollmentToken, enrollmentUrl, expiresAt } = await issue()
    expect(enrollmentToken).toMatch(/^enr_[\w-]{43}$/)
    expect(enrollmentUrl).toBe(
      `${node.services.config.baseUrl}/realms/${realm.realmId}/device/enroll#${enrollmentToken}`,
    )
    expect(Math.abs(expiresAt - node.clock.now() - 10 * minuteMs)).toBeLessThan(10_000)
    expect(JSON.stringify(await enrollments())).not.toContain(enrollmentToken.slice(4))
  })

  test.each([
    ['a newer one is asked for', () => issue()],
    ['ten minutes are over', async () => node.clock.advance(10 * minuteMs)],
    ['it is ended', () => realm.run((ctx) => endEnrollments(ctx, userId))],
    ['it is used', async (token: string) => (await createDevice(realm)).enroll(token)],
    ['the person is disabled', () => realm.call('PUT', `/users/${userId}`, { username: 'off', enabled: false })],
    [
      'another password is set',
      async () => {
        const password = { type: 'password', value: 'lantern-orchid-47-granite' }
        await must(realm.call('POST', `/users/${userId}/credentials`, password), 201)
        // A first one ends nothing: there was none to begin it with.
        expect(await enrollments()).toHaveLength(1)
        await must(
          realm.call('POST', `/users/${userId}/credentials`, { ...password, value: 'granite-74-orchid-lantern' }),
          201,
        )
      },
    ],
  ])('is over when %s', async (_when, end: (token: string) => Promise<unknown>) => {
    const { enrollmentToken } = await issue()
    expect(await isOpen(enrollmentToken)).toBe(true)
    await end(enrollmentToken)
    expect(await isOpen(enrollmentToken)).toBe(false)
  })

  test('is issued for people only', async () => {
    await must(realm.call('POST', '/clients', { clientId: `robot-${number}`, grantTypes: ['client_credentials'] }), 201)
    const [robot] = (await realm.call('GET', '/users?serviceAccounts=true')).body
    await expect(realm.run((ctx) => issueEnrollment(ctx, robot.userId))).rejects.toMatchObject({ code: 'protected' })
    await expect(realm.run((ctx) => issueEnrollment(ctx, newId()))).rejects.toMatchObject({ code: 'protected' })
  })

  test('is taken with the challenge that was signed, also when it is started again at that moment', async () => {
    const { enrollmentToken } = await issue()
    const find = () => findEnrollment(node.services, realm.realmId, enrollmentToken)
    const begin = async () => {
      const row = await find()
      return realm.run((ctx) => startEnrollment(ctx, row, { deviceName: 'Telephone', platform: 'WEB' }))
    }
    const { challenge, enrollmentId } = await begin()
    const { publicKey, privateKey } = await createDevice(realm)
    const signature = await new CompactSign(Buffer.from(challenge))
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey)
    const sent = { enrollmentId, publicKey: publicKey as PublicKey, signature }
    const proved = await proveEnrollment(await find(), sent)
    await begin()
    await expect(realm.run((ctx) => enrollDevice(ctx, proved, null))).rejects.toMatchObject({ code: 'conflict' })
    expect(await list()).toEqual([])
  })

  test('tells the sign-in that waits for it which device came of it, while that is there', async () => {
    const [signInId, otherId] = [newId(), newId()]
    const { enrollmentToken } = await issue(signInId)
    const find = (id: string) => findEnrolledDevice(node.services.db, realm.realmId, id)
    expect(await find(signInId)).toBeNull()
    const device = await createDevice(realm)
    await device.enroll(enrollmentToken)
    expect([await find(signInId), await find(otherId)]).toEqual([device.deviceId, null])
    await realm.run((ctx) => removeDevice(ctx, userId, device.deviceId))
    expect(await find(signInId)).toBeNull()
  })
})

describe('devices', () => {
  test('are listed newest first, with what they are and whether pushes reach them', async () => {
    const [first, second] = [await addDevice(realm, userId), await createDevice(realm)]
    const { enrollmentToken } = await issue()
    await second.enroll(enrollmentToken, { driver: 'fcm', pushToken: `token-of-the-second-${number}` })
    expect(await list()).toEqual([
      {
        id: second.deviceId,
        deviceName: 'Telephone',
        platform: 'ANDROID',
        pushEnabled: true,
        createdAt: expect.any(Number),
        lastUsedAt: null,
      },
      expect.objectContaining({ id: first.deviceId, pushEnabled: false }),
    ])
  })

  test('are at most twenty', async () => {
    for (let at = 0; at < 20; at++) await addDevice(realm, userId)
    expect(await list()).toHaveLength(20)
    await expect(issue()).rejects.toMatchObject({ code: 'limit_reached' })
  })

  test('are removed with their key and push tokens, by their person only', async () => {
    const device = await addDevice(realm, userId, { driver: 'fcm', pushToken: `token-to-remove-${number}` })
    const remove = (who: string, id: string) => realm.run((ctx) => removeDevice(ctx, who, id))
    await expect(remove(realm.adminId, device.deviceId)).rejects.toMatchObject({ code: 'not_found' })
    await expect(remove(userId, newId())).rejects.toMatchObject({ code: 'not_found' })
    await expect(remove(userId, 'x')).rejects.toMatchObject({ code: 'not_found' })
    await remove(userId, device.deviceId)
    expect(await list()).toEqual([])
    expect((await realm.call('GET', `/messaging/push-tokens?userId=${userId}`)).body).toEqual([])
    await expect(remove(userId, device.deviceId)).rejects.toMatchObject({ code: 'not_found' })
    const [event] = await realm.events('&type=CREDENTIAL_REMOVED')
    expect(JSON.parse(event.detail)).toEqual({ type: 'device', id: device.deviceId })
  })

  test('do not remove a credential of another type', async () => {
    const { id } = (await must(realm.call('POST', `/users/${userId}/credentials`, { type: 'totp' }), 201)).body
    await expect(realm.run((ctx) => removeDevice(ctx, userId, id))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('show in the export of their person, and go with them', async () => {
    const device = await addDevice(realm, userId)
    await issue()
    const [section] = devicesContribution.dataSubject!
    const shown = await realm.run((ctx) => section!.exportFor(ctx, userId))
    expect(shown).toEqual([expect.objectContaining({ id: device.deviceId, deviceName: 'Telephone' })])
    expect(JSON.stringify(shown)).not.toContain(device.publicKey.x)
    await realm.run((ctx) => section!.eraseFor(ctx, userId))
    expect([await list(), await enrollments()]).toEqual([[], []])
    await addDevice(realm, userId)
    await must(realm.call('DELETE', `/users/${userId}`), 204)
    expect([await list(), await enrollments()]).toEqual([[], []])
  })
})

describe('through the credentials of a user', () => {
  const path = () => `/users/${userId}/credentials`

  test('an administrator gets an enrolment, which says nothing about itself afterwards', async () => {
    const answer = await must(realm.call('POST', path(), { type: 'device' }), 201)
    expect(answer.body).toEqual({
      type: 'device',
      pending: true,
      enrollmentToken: expect.stringMatching(/^enr_/),
      enrollmentUrl: expect.stringContaining('/device/enroll#enr_'),
      expiresAt: expect.any(Number),
    })
    expect(answer.headers.location).toBeUndefined()
    expect((await realm.call('GET', path())).text).not.toContain('device')
    expect(JSON.stringify(await realm.events())).not.toContain(answer.body.enrollmentToken)
    await (await createDevice(realm)).enroll(answer.body.enrollmentToken)
    const [credential] = (await realm.call('GET', path())).body
    expect(credential).toMatchObject({ type: 'device', label: 'Telephone', details: { platform: 'ANDROID' } })
  })

  test('whoever may not act on the person gets none', async () => {
    const lesser = await realm.signInWith(['manage-users'], `lesser-${number}`)
    const body = { type: 'device' }
    expect(await realm.callAs(lesser.browser, 'POST', `/users/${realm.adminId}/credentials`, body)).toMatchObject({
      status: 403,
      body: { code: 'escalation' },
    })
    expect((await realm.callAs(lesser.browser, 'POST', path(), body)).status).toBe(201)
  })

  test('a device is renamed to a name only, and removed with everything of it', async () => {
    const device = await addDevice(realm, userId, { driver: 'fcm', pushToken: `token-of-${number}-credentials` })
    const own = `${path()}/device/${device.deviceId}`
    expect((await realm.call('PUT', own, { label: null })).status).toBe(400)
    expect((await realm.call('PUT', own, { label: 'two\nlines' })).status).toBe(400)
    await must(realm.call('PUT', own, { label: 'Old telephone' }), 200)
    expect(await list()).toMatchObject([{ deviceName: 'Old telephone', pushEnabled: true }])
    await must(realm.call('DELETE', own), 204)
    expect(await list()).toEqual([])
    expect((await realm.call('GET', `/messaging/push-tokens?userId=${userId}`)).body).toEqual([])
  })

  test('a device names itself', async () => {
    const answer = await realm.call('POST', path(), { type: 'device', label: 'Mine' })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'label' }] } })
  })
})

// Last, because the administrator's session ends on the way.
test('an enrolment is forgotten an hour after it is over, and not before', async () => {
  const clean = () => devicesContribution.jobs![0]!.handle(node.services, {})
  await issue()
  node.clock.advance(65 * minuteMs)
  await clean()
  expect(await enrollments()).toHaveLength(1)
  node.clock.advance(5 * minuteMs)
  await clean()
  expect(await enrollments()).toEqual([])
})
