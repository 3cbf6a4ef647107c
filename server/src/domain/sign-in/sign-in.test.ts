import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminPassword, must } from '../../../test/harness/realm.ts'
import {
  createBrowser,
  createRealmFor,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../../../test/harness/index.ts'

async function addUser(realm: TestRealm, username: string, more: Record<string, unknown> = {}) {
  const { userId } = (
    await must(realm.call('POST', '/users', { username, email: `${username}@example.org`, ...more }), 201)
  ).body
  await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: adminPassword }), 204)
  return userId as string
}

const signIn = (node: TestNode, realmId: string, username: string, password: string) =>
  createBrowser(node.url).login(realmId, username, password)

describe('S39 the sign-in machine', () => {
  let realm: TestRealm
  const path = () => `/realms/${realm.realmId}/login`
  beforeAll(async () => {
    realm = await createRealmFor()
  })

  async function reachUpdatePassword(username: string) {
    const userId = await addUser(realm, username)
    await must(realm.call('PUT', `/users/${userId}/required-actions`, ['UPDATE_PASSWORD']), 200)
    const browser = createBrowser(realm.node.url)
    const answer = await browser.login(realm.realmId, username, adminPassword)
    expect(answer.body).toMatchObject({
      mfaRequired: false,
      requiredAction: 'UPDATE_PASSWORD',
      challengeId: expect.any(String),
    })
    return { browser, challengeId: answer.body.challengeId as string }
  }
  const send = (browser: ReturnType<typeof createBrowser>, form: Record<string, string>) =>
    browser.send('POST', path(), { form: { _csrf: browser.csrf(), ...form }, headers: { accept: 'application/json' } })
  const signedIn = (browser: ReturnType<typeof createBrowser>) =>
    browser.cookies.has(`gatehouse_session_${realm.realmId}`)

  it('asks for a new password, refuses a bad one with its reasons, and then opens the door', async () => {
    const { browser, challengeId } = await reachUpdatePassword('renew')
    const refused = await send(browser, { challengeId, newPassword: 'short' })
    expect(refused.body).toMatchObject({ status: 400, errors: [{ field: 'newPassword', code: 'password_policy' }] })
    const same = await send(browser, { challengeId, newPassword: adminPassword })
    expect(same.body.errors[0].code).toBe('password_history')
    expect(signedIn(browser)).toBe(false)
    const done = await send(browser, { challengeId, newPassword: 'a-brand-new-password-7' })
    expect(done.body).toMatchObject({ username: 'renew', mfaRequired: false })
    expect(signedIn(browser)).toBe(true)
    expect((await signIn(realm.node, realm.realmId, 'renew', 'a-brand-new-password-7')).status).toBe(200)
    const types = (await realm.events()).map((event) => event.type)
    expect(types).toContain('PASSWORD_CHANGED')
  })

  it('makes no progress on an empty, skipped, repeated or reordered request', async () => {
    const { browser, challengeId } = await reachUpdatePassword('steps')
    const useless: Record<string, string>[] = [
      { challengeId },
      { challengeId, newPassword: '' },
      { challengeId, username: 'steps', password: adminPassword },
    ]
    for (const form of useless) {
      await send(browser, form)
      expect(signedIn(browser)).toBe(false)
    }
    const fresh = createBrowser(realm.node.url)
    await fresh.get(path())
    await send(fresh, { newPassword: 'a-brand-new-password-7' })
    expect(signedIn(fresh)).toBe(false)
    await must(send(browser, { challengeId, newPassword: 'a-brand-new-password-7' }), 200)
    const replay = createBrowser(realm.node.url)
    for (const [name, value] of browser.cookies) if (!name.includes('session')) replay.cookies.set(name, value)
    await replay.get(path())
    expect((await send(replay, { challengeId, newPassword: 'another-new-password-8' })).status).toBe(401)
    expect(signedIn(replay)).toBe(false)
  })

  it('goes on only in the browser where it began, and not with the id of another realm', async () => {
    const { challengeId } = await reachUpdatePassword('theft')
    const thief = createBrowser(realm.node.url)
    await thief.get(path())
    expect((await send(thief, { challengeId, newPassword: 'stolen-password-12345' })).status).toBe(401)
    expect(signedIn(thief)).toBe(false)
  })

  it('of two equal requests at the same moment opens the door once', async () => {
    const { browser, challengeId } = await reachUpdatePassword('twice')
    const form = { challengeId, newPassword: 'a-brand-new-password-7' }
    const answers = await Promise.all([send(browser, form), send(browser, form)])
    expect(answers.filter((answer) => answer.status === 200 && answer.body.userId).length).toBe(1)
  })

  it('stops when the person is disabled half way', async () => {
    const { browser, challengeId } = await reachUpdatePassword('halfway')
    const user = (await realm.call('GET', '/users?username=halfway&exact=true')).body[0]
    await must(realm.call('PATCH', `/users/${user.userId}`, { enabled: false }), 200)
    expect((await send(browser, { challengeId, newPassword: 'a-brand-new-password-7' })).status).toBe(401)
    expect(signedIn(browser)).toBe(false)
  })

  it('writes nothing on a GET', async () => {
    const count = () => realm.run(async (ctx) => (await ctx.tx.selectFrom('sign_ins').select('id').execute()).length)
    const before = await count()
    await createBrowser(realm.node.url).get(path())
    expect(await count()).toBe(before)
  })
})

describe('S40 the lockout ledger', () => {
  let first: TestNode
  let second: TestNode
  let realm: TestRealm
  beforeAll(async () => {
    first = await startTestNode()
    second = await startTestNode({ database: { url: first.databaseUrl, adminUrl: first.adminDatabaseUrl } })
    realm = await createRealmFor({ node: first })
    await must(realm.call('PUT', '/settings', { bruteForce: { perIpMaxPerMinute: 10_000 } }), 200)
  })
  afterAll(() => Promise.all([first.stop(), second.stop()]))

  it('verifies not one password too many under 200 parallel tries on two nodes', async () => {
    const userId = await addUser(realm, 'target')
    let verified = 0
    for (const node of [first, second]) {
      const { verify } = node.services.passwords
      node.services.passwords.verify = (phc, password, policy) => {
        if (phc !== null) verified++
        return verify(phc, password, policy)
      }
    }
    const browsers = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const browser = createBrowser((at % 2 ? first : second).url)
        await browser.get(`/realms/${realm.realmId}/login`)
        return browser
      }),
    )
    const answers = await Promise.all(
      browsers.map((browser) =>
        browser.send('POST', `/realms/${realm.realmId}/login`, {
          form: { username: 'target', password: 'wrong', _csrf: browser.csrf() },
          headers: { accept: 'application/json' },
        }),
      ),
    )
    // The hashing lane may refuse some outright; nobody gets in, and no more than ten were verified.
    expect(answers.every((answer) => answer.status === 401 || answer.status === 503)).toBe(true)
    expect(verified).toBeLessThanOrEqual(10)
    expect(verified).toBeGreaterThan(0)
    if (verified < 10) return
    const { body: user } = await realm.call('GET', `/users/${userId}`)
    expect(user).toMatchObject({ locked: true, lockedUntil: expect.any(Number) })
  })

  it('refuses the right password while locked, does not extend the lock, and opens when it ends', async () => {
    const userId = await addUser(realm, 'patient')
    for (let at = 0; at < 10; at++) await signIn(first, realm.realmId, 'patient', 'wrong')
    const { lockedUntil } = (await realm.call('GET', `/users/${userId}`)).body
    expect((await signIn(first, realm.realmId, 'patient', adminPassword)).status).toBe(401)
    expect((await realm.call('GET', `/users/${userId}`)).body.lockedUntil).toBe(lockedUntil)
    first.clock.advance(61_000)
    expect((await realm.call('GET', `/users/${userId}`)).body.locked).toBe(false)
    expect((await signIn(first, realm.realmId, 'patient', adminPassword)).status).toBe(200)
    const types = (await realm.events('&type=USER_LOCKED')).map((event) => event.resourceId)
    expect(types).toContain(userId)
  })

  it('is lifted by an administrator, and a right password starts the count anew', async () => {
    const userId = await addUser(realm, 'lifted')
    for (let at = 0; at < 10; at++) await signIn(first, realm.realmId, 'lifted', 'wrong')
    await must(realm.call('PATCH', `/users/${userId}`, { locked: false }), 200)
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < 9; at++) await signIn(first, realm.realmId, 'lifted', 'wrong')
      expect((await signIn(first, realm.realmId, 'lifted', adminPassword)).status).toBe(200)
    }
  })

  it('answers 429 with Retry-After to an address that keeps failing, and counts no success', async () => {
    const limited = await createRealmFor({ node: second })
    await must(limited.call('PUT', '/settings', { bruteForce: { perIpMaxPerMinute: 5 } }), 200)
    for (let at = 0; at < 6; at++)
      expect((await signIn(second, limited.realmId, 'admin', adminPassword)).status).toBe(200)
    for (let at = 0; at < 5; at++)
      expect((await signIn(second, limited.realmId, `nobody-${at}`, 'wrong')).status).toBe(401)
    const refused = await signIn(second, limited.realmId, 'admin', adminPassword)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    // Another realm is another door.
    expect((await signIn(second, realm.realmId, 'admin', adminPassword)).status).toBe(200)
  })
})

describe('S42 no account enumeration', () => {
  it('gives unknown, disabled and wrong the same answer', async () => {
    const node = await startTestNode()
    const realm = await createRealmFor({ node })
    await must(realm.call('PUT', '/settings', { bruteForce: { perIpMaxPerMinute: 10_000, maxFailures: 100 } }), 200)
    await addUser(realm, 'known')
    await addUser(realm, 'disabled')
    const disabled = (await realm.call('GET', '/users?username=disabled&exact=true')).body[0]
    await must(realm.call('PATCH', `/users/${disabled.userId}`, { enabled: false }), 200)
    const browser = createBrowser(node.url)
    await browser.get(`/realms/${realm.realmId}/login`)
    const attempt = (username: string) =>
      browser.send('POST', `/realms/${realm.realmId}/login`, {
        form: { username, password: 'wrong-password', _csrf: browser.csrf() },
        headers: { accept: 'application/json' },
      })
    const shape = (answer: Awaited<ReturnType<typeof attempt>>) => {
      const { traceId: _trace, ...body } = answer.body
      const { date: _date, ...headers } = answer.headers
      return { status: answer.status, body, headers }
    }
    const known = shape(await attempt('known'))
    expect(shape(await attempt('nobody'))).toEqual(known)
    expect(shape(await attempt('disabled'))).toEqual(known)
    await node.stop()
  })
})

describe('S43 passwords at sign-in', () => {
  it('takes the same characters typed another way, and raises an old hash to the realm’s parameters', async () => {
    const realm = await createRealmFor()
    const userId = await addUser(realm, 'unicode')
    await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: 'caf\u00e9 au lait du matin' }), 204)
    expect((await signIn(realm.node, realm.realmId, 'unicode', 'cafe\u0301 au lait du matin')).status).toBe(200)
    const hash = () =>
      realm.run(async (ctx) => {
        const row = await ctx.tx
          .selectFrom('credentials')
          .select('secret_hash')
          .where('user_id', '=', userId)
          .executeTakeFirst()
        return row!.secret_hash!
      })
    expect(await hash()).toContain('m=19456,t=2')
    await must(realm.call('PUT', '/settings', { passwordPolicy: { hashIterations: 3 } }), 200)
    expect((await signIn(realm.node, realm.realmId, 'unicode', 'caf\u00e9 au lait du matin')).status).toBe(200)
    expect(await hash()).toContain('m=19456,t=3')
  })
})
