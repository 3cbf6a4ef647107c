import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../../../test/harness/index.ts'
import { findTrustedDevice, forgetDevices, trustDevice, trustedDevicesContribution } from './index.ts'

const dayMs = 86_400_000
// The clock runs on while a test does.
const marginMs = 10_000

// A node of its own: time is moved here.
let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop())

let realm: TestRealm
let userId: string
beforeEach(async () => {
  realm = await createRealmFor({ node })
  userId = (await realm.call('POST', '/users', { username: 'ada' })).body.userId
})

const trust = (days = 30) => realm.run((ctx) => trustDevice(ctx, { userId, days, userAgent: 'Firefox'.repeat(200) }))
const find = (token: string, id = userId, within = realm, maxDays = 365) =>
  within.run((ctx) => findTrustedDevice(ctx, id, token, maxDays))
const rows = () =>
  node.services.db.selectFrom('trusted_devices').selectAll().where('realm_id', '=', realm.realmId).execute()

test('a browser is trusted for its person, in its realm, until its time is over', async () => {
  const { token, expiresAt } = await trust()
  expect(Math.abs(expiresAt - node.clock.now() - 30 * dayMs)).toBeLessThan(marginMs)
  const other = await createRealmFor({ node })
  expect(await find(token)).toBe(true)
  expect(await find(token, realm.adminId)).toBe(false)
  expect(await find(token, userId, other)).toBe(false)
  for (const rubbish of ['', 'x', `${token}x`, '\0'.repeat(43)]) expect(await find(rubbish)).toBe(false)
  node.clock.advance(30 * dayMs - marginMs)
  expect(await find(token)).toBe(true)
  node.clock.advance(marginMs)
  expect(await find(token)).toBe(false)
})

test('a shorter time in the policy counts at once', async () => {
  const { token } = await trust()
  node.clock.advance(7 * dayMs)
  expect(await find(token, userId, realm, 8)).toBe(true)
  expect(await find(token, userId, realm, 7)).toBe(false)
  expect(await find(token, userId, realm, 0)).toBe(false)
})

test('only a hash of the token is kept, and its last use is written once a day', async () => {
  const { token } = await trust()
  const [row] = await rows()
  expect(JSON.stringify(row)).not.toContain(token)
  expect(row!.user_agent).toHaveLength(512)
  await find(token)
  const used = (await rows())[0]!.last_used_at!
  expect(node.clock.now() - used).toBeLessThan(marginMs)
  node.clock.advance(dayMs - marginMs)
  await find(token)
  expect((await rows())[0]!.last_used_at).toBe(used)
  node.clock.advance(marginMs)
  await find(token)
  expect((await rows())[0]!.last_used_at! - used).toBeGreaterThanOrEqual(dayMs)
})

test('nobody has more than twenty of them: the oldest makes room', async () => {
  const tokens: string[] = []
  for (let at = 0; at < 21; at++) tokens.push((await trust()).token)
  expect(await rows()).toHaveLength(20)
  expect([await find(tokens[0]!), await find(tokens[1]!), await find(tokens[20]!)]).toEqual([false, true, true])
})

test.each([
  ['they are forgotten', () => realm.run((ctx) => forgetDevices(ctx, userId))],
  ['the person is disabled', () => realm.call('PUT', `/users/${userId}`, { username: 'ada', enabled: false })],
  ['the person is locked', () => realm.call('PUT', `/users/${userId}`, { username: 'ada', locked: true })],
  ['the person is deleted', () => realm.call('DELETE', `/users/${userId}`)],
  [
    'a credential is removed',
    async () => {
      const { id } = (await realm.call('POST', `/users/${userId}/credentials`, { type: 'recovery-codes' })).body
      await realm.call('DELETE', `/users/${userId}/credentials/recovery-codes/${id}`)
    },
  ],
])('no browser is trusted any more when %s', async (_when, end: () => Promise<unknown>) => {
  const { token } = await trust()
  await end()
  expect(await find(token)).toBe(false)
})

test('the clean-up forgets what is over, and a person’s export shows the rest', async () => {
  await trust(1)
  await trust(2)
  node.clock.advance(dayMs)
  await trustedDevicesContribution.jobs![0]!.handle(node.services, {})
  const [section] = trustedDevicesContribution.dataSubject!
  const shown = await realm.run((ctx) => section!.exportFor(ctx, userId))
  expect(shown).toEqual([
    {
      userAgent: expect.stringContaining('Firefox'),
      createdAt: expect.any(Number),
      lastUsedAt: null,
      expiresAt: expect.any(Number),
    },
  ])
  await realm.run((ctx) => section!.eraseFor(ctx, userId))
  expect(await rows()).toEqual([])
})
