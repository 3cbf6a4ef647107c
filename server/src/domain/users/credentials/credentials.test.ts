import { beforeEach, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { createBrowser, createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'

let realm: TestRealm
let userId: string
beforeEach(async () => {
  realm = await createRealmFor()
  userId = (await realm.call('POST', '/users', { username: 'ada' })).body.userId
})

const value = 'lantern-orchid-47-granite'

/** Enrolling second factors comes later; the rows look the same. */
async function addFactor(type: string): Promise<string> {
  return realm.run(async ({ tx, now }) => {
    const id = newId(now)
    await tx
      .insertInto('credentials')
      .values({
        realm_id: realm.realmId,
        id,
        user_id: userId,
        type,
        label: 'Phone',
        secret_hash: 'secret-material',
        created_at: now,
      })
      .execute()
    return id
  })
}

test('sets a password with 201 and lists it without any secret', async () => {
  const answer = await realm.call('POST', `/users/${userId}/credentials`, {
    type: 'password',
    value,
    temporary: true,
    label: 'first',
  })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    id: expect.any(String),
    type: 'password',
    label: 'first',
    createdAt: expect.any(Number),
    lastUsedAt: null,
    details: {},
  })
  expect(answer.headers.location).toBe(
    `/admin/realms/${realm.realmId}/users/${userId}/credentials/password/${answer.body.id}`,
  )
  await addFactor('totp')
  const list = await realm.call('GET', `/users/${userId}/credentials`)
  expect(list.body.map((credential: { type: string }) => credential.type)).toEqual(['totp', 'password'])
  expect(list.text).not.toMatch(/argon2|secret/)
  expect((await realm.call('GET', `/users/${userId}`)).body.requiredActions).toEqual(['UPDATE_PASSWORD'])
  const [event] = await realm.events('&type=ADMIN_CREATE')
  expect(event).toMatchObject({ resourceType: 'users', resourceId: userId })
  expect(await realm.events('&type=CREDENTIAL_RESET')).toHaveLength(1)
})

test('refuses other types on the member type, and a weak password on the member value', async () => {
  for (const type of ['totp', 'recovery-codes', 'device', 'webauthn', 'nonsense']) {
    const answer = await realm.call('POST', `/users/${userId}/credentials`, { type, value })
    expect([answer.status, answer.body.code, answer.body.errors[0].field], type).toEqual([
      400,
      'validation_failed',
      'type',
    ])
  }
  const weak = await realm.call('POST', `/users/${userId}/credentials`, { type: 'password', value: 'short' })
  expect([weak.status, weak.body.errors[0].field]).toEqual([400, 'value'])
})

test('a repeated request with one Idempotency-Key gets the first answer, though the password is now in the history', async () => {
  const send = () =>
    realm.call(
      'POST',
      `/users/${userId}/credentials`,
      { type: 'password', value },
      { headers: { 'idempotency-key': 'once' } },
    )
  const [one, two] = [await send(), await send()]
  expect([one.status, two.status]).toEqual([201, 201])
  expect(two.body).toEqual(one.body)
})

test('revokes a credential of this user and type, and nothing else', async () => {
  const { id } = (await realm.call('POST', `/users/${userId}/credentials`, { type: 'password', value })).body
  const factor = await addFactor('totp')
  const base = `/users/${userId}/credentials`
  expect((await realm.call('DELETE', `${base}/totp/${id}`)).status).toBe(404)
  expect((await realm.call('DELETE', `${base}/password/nonsense`)).status).toBe(404)
  expect((await realm.call('DELETE', `/users/${realm.adminId}/credentials/password/${id}`)).status).toBe(404)
  const other = await createRealmFor()
  expect((await other.call('DELETE', `${base}/password/${id}`)).status).toBe(404)

  const before = await realm.call('GET', `/users/${userId}`)
  expect(before.body).toMatchObject({ mfaEnabled: true, passwordSet: true })
  expect((await realm.call('DELETE', `${base}/totp/${factor}`)).status).toBe(204)
  expect((await realm.call('DELETE', `${base}/password/${id}`)).status).toBe(204)
  const after = await realm.call('GET', `/users/${userId}`)
  expect(after.body).toMatchObject({ mfaEnabled: false, passwordSet: false })
  expect(after.headers.etag).not.toBe(before.headers.etag)
  expect((await createBrowser(realm.node.url).login(realm.realmId, 'ada', value)).status).toBe(401)
  const removed = await realm.events('&type=CREDENTIAL_REMOVED')
  expect(removed.map((event) => JSON.parse(event.detail).type)).toEqual(['password', 'totp'])
  expect(removed[0]).toMatchObject({ category: 'SECURITY', actor: realm.adminId, resourceId: userId })
})

test('a password that was taken away stays in the history', async () => {
  const { id } = (await realm.call('POST', `/users/${userId}/credentials`, { type: 'password', value })).body
  await realm.call('DELETE', `/users/${userId}/credentials/password/${id}`)
  const answer = await realm.call('PUT', `/users/${userId}/password`, { newPassword: value })
  expect(answer.body.errors[0].code).toBe('password_history')
})
