// S37: what a sign-in ends in, and what it must not outlive: secrets of sessions, trusted browsers, ended sessions.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  addTotp,
  type Answer,
  authorize,
  type Browser,
  createBrowser,
  createClientIn,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  readForm,
  startTestNode,
  step,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'

let realm: TestRealm
let client: TestClient
beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm)
  await must(realm.call('PUT', '/settings', { mfaPolicy: { trustedDeviceDays: 30 } }), 200)
})

const second = { acr_values: 'urn:gatehouse:acr:2' }
const cookieOf = (at = realm) => `gatehouse_session_${at.realmId}`
const whoami = (browser: Browser) => browser.get(`/admin/realms/${realm.realmId}/whoami`)
const logout = (browser: Browser, at = realm) =>
  browser.send('POST', `/realms/${at.realmId}/login/logout`, {
    form: { _csrf: browser.csrf() },
    headers: { accept: 'application/json' },
  })

/** The same browser with another secret of the session. */
function withSecret(browser: Browser, secret: string): Browser {
  const other = createBrowser(realm.node.url)
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  other.cookies.set(cookieOf(), secret)
  return other
}

/** Signed in with a password alone, with an app since, and asked for it now. */
async function reachStepUp(username: string) {
  const { userId } = await addPerson(realm, username)
  const browser = createBrowser(realm.node.url)
  await authorize(realm, client, { browser, username })
  const code = await addTotp(realm, userId)
  const { answer } = await authorize(realm, client, { browser, params: second, stopAtPage: true })
  return { browser, code, userId, challengeId: readForm(answer.text).signIn! }
}

describe('S37: the secret of a session', () => {
  test('is new at each sign-in and step-up, and the one before is worth nothing', async () => {
    const { browser, code, challengeId } = await reachStepUp('renewed')
    const before = browser.cookies.get(cookieOf())!
    expect((await whoami(withSecret(browser, before))).status).toBe(200)
    await must(step(browser, realm, { challengeId, code: code() }), 200)
    const after = browser.cookies.get(cookieOf())!
    expect(after).not.toBe(before)
    expect((await whoami(withSecret(browser, before))).status).toBe(401)
    await passPassword(realm, 'renewed', browser)
    expect(browser.cookies.get(cookieOf())).toBe(after)
  })

  test('that somebody planted in another browser stays their own, and ends there', async () => {
    await addPerson(realm, 'planter')
    await addPerson(realm, 'victim')
    const { browser: attacker } = await passPassword(realm, 'planter')
    const victim = createBrowser(realm.node.url)
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value)
    await passPassword(realm, 'victim', victim)
    expect((await whoami(victim)).body.username).toBe('victim')
    // Whoever knows every cookie from before is nobody now.
    expect((await whoami(attacker)).status).toBe(401)
  })

  test('does not come to a browser that only shares what there was before the sign-in', async () => {
    const { userId } = await addPerson(realm, 'shared')
    const code = await addTotp(realm, userId)
    const { browser, challengeId } = await passPassword(realm, 'shared')
    const twin = createBrowser(realm.node.url)
    for (const [name, value] of browser.cookies) twin.cookies.set(name, value)
    await must(step(browser, realm, { challengeId, code: code() }), 200)
    await twin.get(`/realms/${realm.realmId}/login`)
    expect((await step(twin, realm, { challengeId, code: code(30_000) })).status).toBe(401)
    expect(isSignedIn(twin, realm)).toBe(false)
  })
})

describe('S37: a step-up', () => {
  const refused = async ({ browser, challengeId, code }: Awaited<ReturnType<typeof reachStepUp>>) => {
    await browser.get(`/realms/${realm.realmId}/login`)
    const before = browser.cookies.get(cookieOf())
    expect((await step(browser, realm, { challengeId, code: code() })).status).toBe(401)
    expect(browser.cookies.get(cookieOf())).toBe(before)
  }

  test('does not bring back a session that an administrator ended', async () => {
    const waiting = await reachStepUp('ended')
    await must(realm.call('DELETE', `/sessions?userId=${waiting.userId}`), 204)
    await refused(waiting)
    expect((await realm.call('GET', `/sessions?userId=${waiting.userId}`)).body).toEqual([])
  })

  test('does not bring back a session that its person signed out of, nor goes to the next person', async () => {
    const waiting = await reachStepUp('left')
    await logout(waiting.browser)
    await refused(waiting)
    const other = await reachStepUp('stays')
    await addPerson(realm, 'next')
    await passPassword(realm, 'next', other.browser)
    await refused(other)
    expect((await whoami(other.browser)).body.username).toBe('next')
  })
})

describe('S37: a sign-in under way', () => {
  test('ends with the password it began with', async () => {
    const { userId } = await addPerson(realm, 'stolen')
    const code = await addTotp(realm, userId)
    const { browser, challengeId } = await passPassword(realm, 'stolen')
    await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: 'another-good-pass-71' }), 204)
    expect((await step(browser, realm, { challengeId, code: code() })).status).toBe(401)
    expect(isSignedIn(browser, realm)).toBe(false)
    const fresh = await createBrowser(realm.node.url).login(realm.realmId, 'stolen', 'another-good-pass-71')
    expect(fresh.body.mfaRequired).toBe(true)
  })

  /** Disables the person while the request waits for their row: it saw them enabled before. */
  async function disableMeanwhile(userId: string, request: () => Promise<Answer>): Promise<Answer> {
    const [ready, waits] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const disabling = realm.run(async ({ tx, realmId }) => {
      const theirs = tx.updateTable('users').where('realm_id', '=', realmId).where('id', '=', userId)
      await theirs.set({ enabled: false }).execute()
      ready.resolve()
      await waits.promise
    })
    await ready.promise
    const answer = request()
    const { db } = realm.node.services
    const waiting = sql<{ total: number }>`select count(*)::int as total from pg_locks
      join pg_database on pg_database.oid = database or database is null
      where not granted and datname = current_database()`
    while ((await waiting.execute(db)).rows[0]!.total === 0) await sleep(10)
    waits.resolve()
    await disabling
    return answer
  }

  test('ends when its person is disabled in the very moment of the last step', async () => {
    const { userId } = await addPerson(realm, 'moment')
    const code = await addTotp(realm, userId)
    const { browser, challengeId } = await passPassword(realm, 'moment')
    const last = () => step(browser, realm, { challengeId, code: code() })
    expect((await disableMeanwhile(userId, last)).status).toBe(401)
    const reader = await addPerson(realm, 'reader')
    await must(realm.call('PUT', `/users/${reader.userId}/required-actions`, ['TERMS_AND_CONDITIONS']), 200)
    const other = await passPassword(realm, 'reader')
    const accept = () => step(other.browser, realm, { challengeId: other.challengeId, accept: 'true' })
    expect((await disableMeanwhile(reader.userId, accept)).status).toBe(401)
    expect([isSignedIn(browser, realm), isSignedIn(other.browser, realm)]).toEqual([false, false])
  })

  test('goes on with the password that its person chose on the way', async () => {
    const { userId } = await addPerson(realm, 'chooses')
    const actions = ['UPDATE_PASSWORD', 'TERMS_AND_CONDITIONS', 'CONFIGURE_RECOVERY_CODES']
    await must(realm.call('PUT', `/users/${userId}/required-actions`, actions), 200)
    const { browser, challengeId } = await passPassword(realm, 'chooses')
    await step(browser, realm, { challengeId, accept: 'true' })
    const next = await step(browser, realm, { challengeId, newPassword: 'another-good-pass-71' })
    expect(next.body.requiredAction).toBe('CONFIGURE_RECOVERY_CODES')
    await must(step(browser, realm, { challengeId, saved: 'true' }), 200)
    expect(isSignedIn(browser, realm)).toBe(true)
  })
})

describe('S37: a trusted browser', () => {
  const deviceCookie = (at = realm) => `gatehouse_device_${at.realmId}`

  async function trust(username: string) {
    const { userId } = await addPerson(realm, username)
    const code = await addTotp(realm, userId)
    const { browser, challengeId } = await passPassword(realm, username)
    const answer = await must(step(browser, realm, { challengeId, code: code(), trustDevice: 'true' }), 200)
    await logout(browser)
    return { browser, userId, code, answer }
  }
  const isAsked = async (username: string, browser: Browser) => {
    const { answer } = await passPassword(realm, username, browser)
    if (!answer.body.mfaRequired) await logout(browser)
    return answer.body.mfaRequired as boolean
  }

  test('is trusted in its own realm by its own token alone', async () => {
    const { browser } = await trust('trusted')
    expect(await isAsked('trusted', browser)).toBe(false)
    const other = await createRealmFor()
    await must(other.call('PUT', '/settings', { mfaPolicy: { trustedDeviceDays: 30 } }), 200)
    await addTotp(other, (await addPerson(other, 'trusted')).userId)
    const moved = createBrowser(realm.node.url)
    moved.cookies.set(deviceCookie(other), browser.cookies.get(deviceCookie())!)
    expect((await passPassword(other, 'trusted', moved)).answer.body.mfaRequired).toBe(true)
    const forged = createBrowser(realm.node.url)
    forged.cookies.set(deviceCookie(), 'A'.repeat(43))
    expect(await isAsked('trusted', forged)).toBe(true)
  })

  test('is not trusted in a request that says so: only a second factor that was given makes it so', async () => {
    const { userId } = await addPerson(realm, 'hopeful')
    await addTotp(realm, userId)
    const browser = createBrowser(realm.node.url)
    await browser.get(`/realms/${realm.realmId}/login`)
    const { challengeId } = await passPassword(realm, 'hopeful', browser)
    await step(browser, realm, { challengeId, trustDevice: 'true' })
    await step(browser, realm, { challengeId, trustDevice: 'true', code: '000000' })
    expect(browser.cookies.has(deviceCookie())).toBe(false)
  })

  const endings: [string, (userId: string) => Promise<unknown>][] = [
    ['a factor is removed', (userId) => removeTotp(userId)],
    ['its person is disabled', (userId) => change(userId, { enabled: false }, { enabled: true })],
    ['an administrator locks its person', (userId) => change(userId, { locked: true }, { locked: false })],
  ]
  async function removeTotp(userId: string) {
    await addTotp(realm, userId)
    const [{ id }] = (await realm.call('GET', `/users/${userId}/credentials`)).body
    return must(realm.call('DELETE', `/users/${userId}/credentials/totp/${id}`), 204)
  }
  async function change(userId: string, ...members: object[]): Promise<void> {
    for (const member of members) await must(realm.call('PATCH', `/users/${userId}`, member), 200)
  }
  test.each(endings)('is asked again once %s', async (what, end) => {
    const username = `trust-${what.replaceAll(' ', '-')}`
    const { browser, userId } = await trust(username)
    await end(userId)
    expect(await isAsked(username, browser)).toBe(true)
  })

  test('is asked again once the realm trusts none, also half way into a sign-in', async () => {
    const { browser, userId } = await trust('no-more')
    await must(realm.call('PUT', `/users/${userId}/required-actions`, ['TERMS_AND_CONDITIONS']), 200)
    const { challengeId } = await passPassword(realm, 'no-more', browser)
    await must(realm.call('PUT', '/settings', { mfaPolicy: { trustedDeviceDays: 0 } }), 200)
    const next = await step(browser, realm, { challengeId, accept: 'true' })
    await must(realm.call('PUT', '/settings', { mfaPolicy: { trustedDeviceDays: 30 } }), 200)
    expect(next.body).toMatchObject({ mfaRequired: true, methods: ['totp'] })
    expect(isSignedIn(browser, realm)).toBe(false)
  })

  test('proves nothing to an application that asks for a second factor', async () => {
    const { browser } = await trust('asked')
    const options = { browser, username: 'asked', params: second }
    const { answer } = await authorize(realm, client, options)
    expect(answer.text).toContain('name="code"')
    const { params } = await authorize(realm, client, { browser, username: 'asked' })
    expect(params.code).toBeTruthy()
  })
})

describe('S37: cookies over https', () => {
  let secure: TestNode
  beforeAll(async () => {
    secure = await startTestNode({ env: { GATEHOUSE_BASE_URL: 'https://login.example.org' } })
  })
  afterAll(() => secure?.stop())

  const linesOf = ({ headers }: Answer) => [headers['set-cookie'] ?? []].flat()

  test('belong to this host alone, and no script reads those that sign somebody in', async () => {
    const safe = await createRealmFor({ node: secure })
    await must(safe.call('PUT', '/settings', { mfaPolicy: { trustedDeviceDays: 30 } }), 200)
    const code = await addTotp(safe, (await addPerson(safe, 'ada')).userId)
    const { browser, challengeId } = await passPassword(safe, 'ada')
    const done = await must(step(browser, safe, { challengeId, code: code(), trustDevice: 'true' }), 200)
    for (const kind of ['session', 'device']) {
      const line = linesOf(done).find((cookie) => cookie.startsWith(`__Host-gatehouse_${kind}_${safe.realmId}=`))
      expect(line).toMatch(/; HttpOnly/i)
      expect(line).toMatch(/; Secure/i)
      expect(line).toMatch(/; Path=\/(;|$)/i)
      expect(line).toMatch(/; SameSite=Lax/i)
      expect(line).not.toMatch(/Domain=/i)
    }
    expect(browser.cookies.has('__Host-gatehouse_browser')).toBe(true)
  })
})
