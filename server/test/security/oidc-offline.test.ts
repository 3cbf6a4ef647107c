// S12: offline access outlives the session it came from, and nothing else.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Browser,
  createClientIn,
  createRealmFor,
  refresh,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { askUserinfo, introspect } from './two-nodes.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

let person: { browser: Browser; userId: string; username: string }
let client: TestClient
let bound: Record<string, string>
let offline: Record<string, string>
beforeEach(async () => {
  person = await realm.signInWith([])
  client = await createClientIn(realm, { scopes: ['offline_access'] })
  const { browser } = person
  bound = await signInTo(realm, client, { browser, params: { scope: 'openid' } })
  offline = await signInTo(realm, client, { browser, params: { scope: 'openid offline_access' } })
})

const patch = { type: 'application/merge-patch+json' }
const endSessions = async () => {
  expect((await realm.call('DELETE', `/sessions?userId=${person.userId}`)).status).toBe(204)
}

async function expectGone(tokens: Record<string, string>): Promise<void> {
  expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(401)
  expect((await introspect(realm, client, tokens.access_token!)).body).toEqual({ active: false })
  expect((await introspect(realm, client, tokens.refresh_token!)).body).toEqual({ active: false })
  expect((await refresh(realm, client, tokens.refresh_token!)).body.error).toBe('invalid_grant')
}

describe('S12: a sign-in with offline access', () => {
  test('goes on after the session, and one without it ends there, at the same application', async () => {
    await endSessions()
    await expectGone(bound)
    expect((await askUserinfo(realm, offline.access_token!)).status).toBe(200)
    expect((await refresh(realm, client, offline.refresh_token!)).status).toBe(200)
  })

  test('ends when everything in the realm is ended', async () => {
    await endSessions()
    expect((await realm.call('POST', '/sessions/revoke-all')).status).toBe(204)
    await expectGone(offline)
  })

  test('ends when an administrator sets another password', async () => {
    const newPassword = 'another-horse-battery-43'
    expect((await realm.call('PUT', `/users/${person.userId}/password`, { newPassword })).status).toBe(204)
    await expectGone(offline)
  })

  test.each([{ enabled: false }, { locked: true }])('ends with its person: %j', async (members) => {
    await endSessions()
    expect((await realm.call('PATCH', `/users/${person.userId}`, members, patch)).status).toBe(200)
    await expectGone(offline)
    // Letting the person in again does not give the application back what it had.
    const back = 'enabled' in members ? { enabled: true } : { locked: false }
    expect((await realm.call('PATCH', `/users/${person.userId}`, back, patch)).status).toBe(200)
    await expectGone(offline)
  })

  test('ends with its client, also when that comes back', async () => {
    await endSessions()
    for (const enabled of [false, true]) {
      expect((await realm.call('PATCH', `/clients/${client.id}`, { enabled }, patch)).status).toBe(200)
    }
    await expectGone(offline)
  })
})
