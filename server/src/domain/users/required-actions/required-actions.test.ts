import { beforeEach, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'

let realm: TestRealm
let path: string
let userPath: string
beforeEach(async () => {
  realm = await createRealmFor()
  userPath = `/users/${(await realm.call('POST', '/users', { username: 'ada' })).body.userId}`
  path = `${userPath}/required-actions`
})

test('PUT replaces the set, POST adds to it, both answer the result; the bare array is accepted', async () => {
  expect((await realm.call('GET', path)).body).toEqual({ requiredActions: [] })
  const put = await realm.call('PUT', path, { requiredActions: ['VERIFY_EMAIL', 'UPDATE_PASSWORD', 'VERIFY_EMAIL'] })
  expect([put.status, put.body]).toEqual([200, { requiredActions: ['VERIFY_EMAIL', 'UPDATE_PASSWORD'] }])
  const post = await realm.call('POST', path, ['UPDATE_PASSWORD', 'TERMS_AND_CONDITIONS'])
  expect([post.status, post.body]).toEqual([
    200,
    { requiredActions: ['VERIFY_EMAIL', 'UPDATE_PASSWORD', 'TERMS_AND_CONDITIONS'] },
  ])
  expect((await realm.call('PUT', path, ['UPDATE_PROFILE'])).body).toEqual({ requiredActions: ['UPDATE_PROFILE'] })
  expect((await realm.call('PUT', path, { requiredActions: [] })).body).toEqual({ requiredActions: [] })
})

test('changes the user’s ETag and record', async () => {
  const before = await realm.call('GET', userPath)
  const put = await realm.call('PUT', path, ['UPDATE_PASSWORD'], {
    headers: { 'if-match': String(before.headers.etag) },
  })
  const after = await realm.call('GET', userPath)
  expect([after.body.requiredActions, after.headers.etag]).toEqual([['UPDATE_PASSWORD'], put.headers.etag])
  expect((await realm.call('PUT', path, [], { headers: { 'if-match': String(before.headers.etag) } })).status).toBe(412)
})

test('refuses unknown actions, unknown members and users that are not there', async () => {
  const answer = await realm.call('PUT', path, { requiredActions: ['VERIFY_EMAIL', 'DANCE'] })
  expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'requiredActions[1]'])
  expect((await realm.call('PUT', path, ['DANCE'])).status).toBe(400)
  expect((await realm.call('PUT', path, { actions: [] })).status).toBe(400)
  expect((await realm.call('PUT', path)).status).toBe(400)
  expect((await realm.call('GET', '/users/nonsense/required-actions')).status).toBe(404)
  const other = await createRealmFor()
  expect((await other.call('PUT', path, [])).status).toBe(404)
})

test('two parallel additions both end up in the set', async () => {
  await Promise.all(['VERIFY_EMAIL', 'UPDATE_PROFILE'].map((action) => realm.call('POST', path, [action])))
  expect((await realm.call('GET', path)).body.requiredActions.sort()).toEqual(['UPDATE_PROFILE', 'VERIFY_EMAIL'])
})

test('is an ADMIN_UPDATE of the user', async () => {
  await realm.call('POST', path, ['VERIFY_EMAIL'])
  const [event] = await realm.events('&type=ADMIN_UPDATE')
  expect(event).toMatchObject({ resourceType: 'users', resourceId: userPath.split('/')[2] })
  expect(JSON.parse(event.detail)).toEqual({ requiredActions: ['VERIFY_EMAIL'] })
})
