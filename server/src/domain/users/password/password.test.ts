import { beforeEach, describe, expect, test } from 'vitest'
import { createBrowser, createRealmFor, type TestRealm } from '../../../../test/harness/index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const first = 'lantern-orchid-47-granite'
const second = 'velvet-compass-83-thunder'

async function createUser(username = 'ada-lovelace') {
  return (await realm.call('POST', '/users', { username, email: `${username}@example.org` })).body.userId as string
}

function setPassword(userId: string, newPassword: string, more: object = {}) {
  return realm.call('PUT', `/users/${userId}/password`, { newPassword, ...more })
}

function codesOf(answer: { body: { errors: { code: string }[] } }): string[] {
  return [...new Set(answer.body.errors.map((error) => error.code))]
}

const signIn = (username: string, password: string) =>
  createBrowser(realm.node.url).login(realm.realmId, username, password)

describe('an accepted password', () => {
  test('is answered 204, signs the user in, and the one before no longer does', async () => {
    const userId = await createUser()
    expect((await signIn('ada-lovelace', first)).status).toBe(401)
    expect((await setPassword(userId, first)).status).toBe(204)
    expect((await signIn('ada-lovelace', first)).status).toBe(200)
    const before = await realm.call('GET', `/users/${userId}`)
    expect(before.body).toMatchObject({ passwordSet: true, passwordChangedAt: expect.any(Number), requiredActions: [] })
    expect((await setPassword(userId, second)).status).toBe(204)
    expect((await signIn('ada-lovelace', first)).status).toBe(401)
    expect((await signIn('ada-lovelace', second)).status).toBe(200)
    expect((await realm.call('GET', `/users/${userId}`)).headers.etag).not.toBe(before.headers.etag)
  })

  test('is stored as Argon2id and appears in no event, log line or answer', async () => {
    const userId = await createUser()
    await setPassword(userId, first)
    const rows = await realm.run(({ tx }) =>
      tx
        .selectFrom('credentials')
        .select('secret_hash')
        .where('realm_id', '=', realm.realmId)
        .where('user_id', '=', userId)
        .execute(),
    )
    expect(rows).toEqual([{ secret_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }])
    const everything = JSON.stringify([await realm.events(), realm.node.lines, realm.node.auditLines])
    expect(everything).not.toContain(first)
    expect(everything).not.toContain('$argon2id$')
  })

  test('S9: is an ADMIN event and a SECURITY event that name the administrator and the user', async () => {
    const userId = await createUser()
    await setPassword(userId, first)
    const [admin] = await realm.events('&type=ADMIN_UPDATE')
    expect(admin).toMatchObject({ actor: realm.adminId, resourceType: 'users', resourceId: userId })
    expect(JSON.parse(admin.detail)).toEqual({ passwordSet: true, temporary: false, sessionsEnded: 0 })
    const [security] = await realm.events('&type=CREDENTIAL_RESET')
    expect(security).toMatchObject({
      category: 'SECURITY',
      actor: realm.adminId,
      resourceType: 'users',
      resourceId: userId,
    })
  })

  test('a temporary one asks for UPDATE_PASSWORD, a lasting one no longer does', async () => {
    const userId = await createUser()
    await setPassword(userId, first, { temporary: true })
    expect((await realm.call('GET', `/users/${userId}`)).body.requiredActions).toEqual(['UPDATE_PASSWORD'])
    await setPassword(userId, second, { temporary: true })
    expect((await realm.call('GET', `/users/${userId}`)).body.requiredActions).toEqual(['UPDATE_PASSWORD'])
    await setPassword(userId, 'marble-harvest-19-lagoon')
    expect((await realm.call('GET', `/users/${userId}`)).body.requiredActions).toEqual([])
  })

  test('ends the user’s sessions unless told not to, and never the one that calls', async () => {
    const caller = await realm.signInWith([])
    await setPassword(caller.userId, first, { revokeSessions: false })
    expect((await realm.callAs(caller.browser, 'GET', '/whoami')).status).toBe(200)
    await setPassword(caller.userId, second)
    expect((await realm.callAs(caller.browser, 'GET', '/whoami')).status).toBe(401)

    const elsewhere = createBrowser(realm.node.url)
    await elsewhere.login(realm.realmId, 'admin', 'correct-horse-battery-42')
    expect((await setPassword(realm.adminId, first)).status).toBe(204)
    expect((await realm.call('GET', '/whoami')).status).toBe(200)
    expect((await realm.callAs(elsewhere, 'GET', '/whoami')).status).toBe(401)
  })

  test('unlocks the user and clears the failures', async () => {
    const userId = await createUser()
    await setPassword(userId, first)
    await realm.call('PATCH', `/users/${userId}`, { locked: true }, { type: 'application/merge-patch+json' })
    expect((await signIn('ada-lovelace', first)).status).toBe(401)
    await setPassword(userId, second)
    expect((await realm.call('GET', `/users/${userId}`)).body.locked).toBe(false)
    expect((await signIn('ada-lovelace', second)).status).toBe(200)
    expect(await realm.events('&type=USER_UNLOCKED')).toHaveLength(1)
  })
})

describe('a refused password', () => {
  test('S43: names every rule that is broken at once, against the member that was sent', async () => {
    const userId = await createUser()
    await realm.call('PUT', '/settings', { passwordPolicy: { minDigits: 1 } })
    const answer = await setPassword(userId, 'password')
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect(answer.body.errors.every((error: { field: string }) => error.field === 'newPassword')).toBe(true)
    expect(codesOf(answer)).toEqual(['password_policy', 'password_breached'])
    expect(answer.body.errors.filter((error: { code: string }) => error.code === 'password_policy')).toHaveLength(2)
    expect(answer.text).not.toContain('"password"')
    expect((await realm.call('GET', `/users/${userId}`)).body.passwordSet).toBe(false)
    expect(await realm.events('&type=CREDENTIAL_RESET')).toEqual([])
  })

  test('S43: contains the username or the address, or is publicly known', async () => {
    const userId = await createUser()
    expect(codesOf(await setPassword(userId, 'my-Ada-Lovelace-2026'))).toEqual(['password_policy'])
    expect(codesOf(await setPassword(userId, 'unbelievable'))).toEqual(['password_breached'])
    expect(codesOf(await setPassword(userId, 'x'.repeat(5000)))).toEqual(['password_policy'])
    expect((await realm.call('PUT', `/users/${userId}/password`, { newPassword: 12 })).body.errors[0].field).toBe(
      'newPassword',
    )
  })

  test('S43: is one of the last ones; older ones are forgotten', async () => {
    const userId = await createUser()
    await realm.call('PUT', '/settings', { passwordPolicy: { historyCount: 2 } })
    await setPassword(userId, first)
    await setPassword(userId, second)
    expect(codesOf(await setPassword(userId, second))).toEqual(['password_history'])
    expect(codesOf(await setPassword(userId, first))).toEqual(['password_history'])
    expect((await setPassword(userId, 'marble-harvest-19-lagoon')).status).toBe(204)
    expect((await setPassword(userId, first)).status).toBe(204)
    const rows = await realm.run(({ tx }) =>
      tx
        .selectFrom('password_history')
        .select('id')
        .where('realm_id', '=', realm.realmId)
        .where('user_id', '=', userId)
        .execute(),
    )
    expect(rows).toHaveLength(2)
  })

  test('an unknown user is 404 before anything is said about the password', async () => {
    expect((await setPassword('0198c0de-0000-7000-8000-000000000000', 'x')).status).toBe(404)
    expect((await setPassword('nonsense', 'x')).status).toBe(404)
  })

  test('a service account has none', async () => {
    const userId = await createUser()
    await realm.run(({ tx }) =>
      tx
        .updateTable('users')
        .set({ service_account_client_id: 'app' })
        .where('realm_id', '=', realm.realmId)
        .where('id', '=', userId)
        .execute(),
    )
    expect((await setPassword(userId, first)).status).toBe(409)
  })
})

describe('when the breach source does not answer', () => {
  test('the password is allowed and a SECURITY event says so', async () => {
    const userId = await createUser()
    await realm.call('PUT', '/settings', { passwordPolicy: { breachSource: 'FILE' } })
    expect((await setPassword(userId, first)).status).toBe(204)
    expect(await realm.events('&type=BREACH_CHECK_UNAVAILABLE')).toHaveLength(1)
  })
})

describe('S9: somebody who holds more than the caller', () => {
  test('keeps password, credentials and required actions', async () => {
    const caller = await realm.signInWith(['manage-users'])
    const credential = (await realm.call('GET', `/users/${realm.adminId}/credentials`)).body[0]
    const base = `/users/${realm.adminId}`
    const calls: [string, string, unknown?][] = [
      ['PUT', `${base}/password`, { newPassword: first }],
      ['POST', `${base}/credentials`, { type: 'password', value: first }],
      ['DELETE', `${base}/credentials/password/${credential.id}`],
      ['PUT', `${base}/required-actions`, { requiredActions: ['UPDATE_PASSWORD'] }],
      ['POST', `${base}/required-actions`, ['UPDATE_PASSWORD']],
    ]
    for (const [method, path, json] of calls) {
      const answer = await realm.callAs(caller.browser, method, path, json)
      expect([answer.status, answer.body?.code], `${method} ${path}`).toEqual([403, 'escalation'])
    }
    expect((await signIn('admin', 'correct-horse-battery-42')).status).toBe(200)
    const denied = (await realm.events('&outcome=FAILURE')).filter((event) => event.actor === caller.userId)
    expect(denied.map((event) => event.resourceId)).toEqual(calls.map(() => realm.adminId))
  })

  test('is not compared with the password at all: neither the answer nor its time tells about earlier ones', async () => {
    const caller = await realm.signInWith(['manage-users'])
    const { services } = realm.node
    const { passwords } = services
    let compared = 0
    services.passwords = {
      ...passwords,
      checkPassword: (policy, candidate) => {
        compared += 1
        return passwords.checkPassword(policy, candidate)
      },
    }
    try {
      const newPassword = 'correct-horse-battery-42'
      const refused = await realm.callAs(caller.browser, 'PUT', `/users/${realm.adminId}/password`, { newPassword })
      expect([refused.status, refused.body.errors ?? [], compared]).toEqual([403, [], 0])
      const own = await realm.callAs(caller.browser, 'PUT', `/users/${caller.userId}/password`, { newPassword })
      expect([codesOf(own), compared]).toEqual([['password_history'], 1])
    } finally {
      services.passwords = passwords
    }
  })

  test('nobody is kept from acting on themselves or on equals', async () => {
    const caller = await realm.signInWith(['manage-users'])
    const equal = await realm.signInWith(['manage-users'])
    const lesser = await realm.signInWith(['view-users'])
    for (const userId of [caller.userId, equal.userId, lesser.userId]) {
      expect(
        (await realm.callAs(caller.browser, 'PUT', `/users/${userId}/password`, { newPassword: first })).status,
      ).toBe(204)
    }
  })
})
