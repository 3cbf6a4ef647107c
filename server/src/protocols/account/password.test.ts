import { beforeAll, describe, expect, test } from 'vitest'
import { createClientIn, createRealmFor, must, refresh, signInTo, type TestRealm } from '../../../test/harness/index.ts'
import { adminPassword } from '../../../test/harness/realm.ts'
import { addKey } from '../../../test/harness/authenticator.ts'
import { openAccount, sessionCaller, signIn } from '../../../test/harness/account-callers.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
}, 60_000)

const next = 'lantern-orchid-47-granite'

describe('my password', () => {
  test('is changed with the one of now; I stay, everybody else goes', async () => {
    const ada = await openAccount(realm, 'ada')
    const elsewhere = sessionCaller(realm, await signIn(realm, 'ada'))
    const client = await createClientIn(realm, { scopes: ['offline_access'] })
    const offline = await signInTo(realm, client, { username: 'ada', params: { scope: 'openid offline_access' } })
    const change = { currentPassword: adminPassword, newPassword: next }
    const answer = await must(ada.bySession.call('POST', '/password', change), 204)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect((await ada.bySession.call('GET', '/whoami')).status).toBe(200)
    expect((await ada.byToken.call('GET', '/whoami')).status).toBe(401)
    expect((await elsewhere.call('GET', '/whoami')).status).toBe(401)
    expect((await refresh(realm, client, offline.refresh_token!)).body.error).toBe('invalid_grant')
    await signIn(realm, 'ada', next)
    const [event] = await realm.events(`&type=PASSWORD_CHANGED&actor=${ada.userId}`)
    expect(event).toMatchObject({ outcome: 'SUCCESS', resourceId: ada.userId })
  })

  test('changed with a token, the session of that token stays', async () => {
    const ben = await openAccount(realm, 'ben')
    await must(ben.byToken.call('POST', '/password', { currentPassword: adminPassword, newPassword: next }), 204)
    expect((await ben.byToken.call('GET', '/whoami')).status).toBe(200)
    expect((await ben.bySession.call('GET', '/whoami')).status).toBe(401)
  })

  test('is judged by policy and history, and only for whoever knows the one of now', async () => {
    const { bySession } = await openAccount(realm, 'cyd')
    const attempt = (currentPassword: string | undefined, newPassword: string) =>
      bySession.call('POST', '/password', { currentPassword, newPassword })
    for (const [current, chosen, field, code] of [
      ['wrong-password-of-mine', adminPassword, 'currentPassword', 'invalid'],
      [undefined, next, 'currentPassword', 'required'],
      [adminPassword, 'short', 'newPassword', 'password_policy'],
      [adminPassword, adminPassword, 'newPassword', 'password_history'],
    ] as const) {
      const { status, body } = await attempt(current, chosen)
      expect([status, body.errors[0].field, body.errors[0].code]).toEqual([400, field, code])
    }
    const long = await attempt('a'.repeat(2000), next)
    expect([long.status, long.body.errors[0].field]).toEqual([400, 'currentPassword'])
    const [failure] = await realm.events('&type=LOGIN_FAILURE')
    expect(JSON.stringify(failure)).not.toContain('wrong-password-of-mine')
  })

  test('is set for the first time by whoever signs in with a passkey', async () => {
    const dan = await openAccount(realm, 'dan')
    await addKey(realm, dan.userId)
    const { body } = await must(dan.bySession.call('GET', '/credentials'), 200)
    const { id } = body.find(({ type }: { type: string }) => type === 'password')
    await must(dan.bySession.call('DELETE', `/credentials/password/${id}`), 204)
    await must(dan.bySession.call('POST', '/password', { newPassword: next }), 204)
    await signIn(realm, 'dan', next)
  })
})
