import { beforeAll, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'
import { runSql } from '../../../../test/faults/parts.ts'
import { openPushTarget } from './service.ts'

let realm: TestRealm
let userId: string
beforeAll(async () => {
  realm = await createRealmFor()
  userId = (await realm.call('POST', '/users', { username: 'ada' })).body.userId
})

const path = '/messaging/push-tokens'
const token = 'Canary-Device:Token-0123456789'

describe('push tokens', () => {
  test('are registered, shown by their end only, and sealed', async () => {
    const made = await realm.call('POST', path, { userId, deviceId: 'phone-1', driver: 'fcm', token })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toEqual({
      ...{ id: expect.any(String), realmId: realm.realmId, userId, deviceId: 'phone-1', driver: 'fcm' },
      ...{ tokenHint: '…6789', enabled: true, createdAt: expect.any(Number), lastUsedAt: null },
    })
    expect(made.headers.location).toMatch(new RegExp(`/messaging/push-tokens/${made.body.id}$`))
    expect((await realm.call('GET', `${path}?userId=${userId}`)).body).toEqual([made.body])
    const target = await openPushTarget(realm.node.services, realm.realmId, made.body.id)
    expect(target).toEqual({ address: token, driver: 'fcm' })
    const { rows } = await runSql(realm.node.adminDatabaseUrl, 'select t::text from push_tokens t')
    const events = (await realm.call('GET', '/events?size=500')).text
    expect(JSON.stringify(rows) + events + JSON.stringify(realm.node.auditLines)).not.toContain('Canary-Device')
  })

  test('that come again keep their record and follow their owner', async () => {
    const first = (await realm.call('POST', path, { userId, driver: 'fcm', token: `${token}-b` })).body
    const again = (await realm.call('POST', path, { driver: 'fcm', token: `${token}-b` })).body
    expect(again).toEqual({ ...first, userId: realm.adminId })
  })

  test('are removed, and of another realm simply not there', async () => {
    const other = await createRealmFor()
    const theirs = (await other.call('POST', path, { driver: 'fcm', token })).body
    expect((await realm.call('DELETE', `${path}/${theirs.id}`)).status).toBe(404)
    expect((await realm.call('POST', path, { userId: other.adminId, driver: 'fcm', token })).status).toBe(400)
    expect((await realm.call('GET', path)).text).not.toContain(theirs.id)
    expect((await realm.call('GET', `${path}?userId=${other.adminId}`)).body).toEqual([])
    expect(await openPushTarget(realm.node.services, realm.realmId, theirs.id)).toBeNull()
    expect((await other.call('DELETE', `${path}/${theirs.id}`)).status).toBe(204)
    expect((await other.call('DELETE', `${path}/${theirs.id}`)).status).toBe(404)
  })

  test('go with the person', async () => {
    const gone = (await realm.call('POST', '/users', { username: 'gone' })).body.userId
    await realm.call('POST', path, { userId: gone, driver: 'apns', token: 'ab'.repeat(32) })
    await realm.call('DELETE', `/users/${gone}`)
    expect((await realm.call('GET', `${path}?userId=${gone}`)).body).toEqual([])
  })

  test.each([
    ['token', { driver: 'apns', token: 'not hexadecimal at all' }],
    ['token', { driver: 'apns', token: 'zz'.repeat(32) }],
    ['token', { driver: 'fcm', token: 'short' }],
    ['token', { driver: 'fcm', token: 'a'.repeat(5000) }],
    ['driver', { driver: 'smtp', token }],
    ['userId', { driver: 'fcm', token, userId: 'ada' }],
  ])('are refused with %s named', async (field, body) => {
    const answer = await realm.call('POST', path, body)
    expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field])
  })
})
