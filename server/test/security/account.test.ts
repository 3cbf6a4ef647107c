// S9, S12, S38, S39, S40, S48 at the account: every route of the table is sent as somebody who may not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSession, type Proof } from '../../src/domain/sessions/index.ts'
import { type OpenAccount, openAccount, sessionCaller, signIn, tokenCaller } from '../harness/account-callers.ts'
import { accountRoutes } from '../../src/protocols/account/routes/index.ts'
import { createDevice } from '../harness/device.ts'
import {
  addPerson,
  api,
  type Browser,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  type RequestOptions,
  requestToken,
  signInTo,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'

let node: TestNode
let realm: TestRealm
let ada: OpenAccount
beforeAll(async () => {
  node = await startTestNode()
  realm = await createRealmFor({ node })
  ada = await openAccount(realm, 'ada')
}, 60_000)
afterAll(() => node.stop())

/** What each route asks of its caller. A new one has to be written down here by somebody who thought about it. */
const demands: Record<string, string> = {
  'GET /profile': 'READ',
  // And FRESH for another address or number, below.
  'PUT /profile': 'WRITE',
  'POST /password': 'FRESH',
  'GET /whoami': 'READ',
  'GET /sessions': 'READ',
  'DELETE /sessions': 'WRITE',
  'DELETE /sessions/:id': 'WRITE',
  'GET /credentials': 'READ',
  'POST /credentials': 'FRESH',
  'POST /credentials/totp/:id/confirm': 'FRESH',
  'POST /credentials/webauthn/options': 'FRESH',
  'POST /credentials/webauthn': 'FRESH',
  'PUT /credentials/:type/:id': 'WRITE',
  'DELETE /credentials/:type/:id': 'FRESH',
  'GET /devices': 'READ',
  'DELETE /devices/:id': 'FRESH',
  'POST /devices/enrollment-tokens': 'FRESH',
  'GET /applications': 'READ',
  'GET /linked-accounts': 'READ',
  'DELETE /linked-accounts/:alias': 'FRESH',
  'GET /agents': 'READ',
  'DELETE /agents/:id': 'FRESH',
  'GET /gdpr/consents': 'READ',
  'DELETE /gdpr/consents/:clientId': 'WRITE',
  // Nothing changes, but it is nobody else's to carry away.
  'GET /gdpr/export': 'WRITE',
  'GET /activity': 'READ',
  'DELETE ': 'FRESH',
}
const table = Object.entries(demands).map(([name, demand]) => {
  const [method, path] = name.split(' ') as [string, string]
  return { name, method, demand, path: path.replace(':type', 'totp').replaceAll(/:\w+/g, crypto.randomUUID()) }
})
const writes = table.filter(({ method }) => method !== 'GET')
const own = table.filter(({ demand }) => demand !== 'READ')
const fresh = table.filter(({ demand }) => demand === 'FRESH')

/** A browser with a session of the person that was made in this way and not by a sign-in. */
async function browserWith(
  userId: string,
  more: { at?: number; impersonatorId?: string; proofs?: Proof[] },
): Promise<Browser> {
  const { at = node.services.clock.now(), impersonatorId = null } = more
  const { proofs = [{ method: 'password', at }] } = more
  const session = { userId, proofs, rememberMe: false, idleSeconds: 600, maxSeconds: 3600, impersonatorId }
  const { token } = await realm.run((ctx) => createSession(ctx, session))
  const browser = createBrowser(node.url)
  browser.cookies.set(`gatehouse_session_${realm.realmId}`, token)
  await browser.get(`/realms/${realm.realmId}/account/whoami`)
  return browser
}

const tooOld = () => node.services.clock.now() - 301_000

test('the table is every route there is, and every write asks for more than a read', () => {
  expect(Object.fromEntries(accountRoutes.map(({ method, path, demand }) => [`${method} ${path}`, demand]))).toEqual(
    demands,
  )
  expect(writes.filter(({ demand }) => demand === 'READ')).toEqual([])
})

describe('S38: a write with a session', () => {
  test.each(writes)('$name needs this session’s token and no other site', async ({ method, path }) => {
    const attempts: RequestOptions[] = [
      { csrf: null },
      { csrf: 'wrong' },
      { csrf: realm.admin.csrf() },
      { headers: { origin: 'https://evil.example' } },
      { headers: { 'sec-fetch-site': 'cross-site' } },
    ]
    for (const options of attempts) {
      const at = `/realms/${realm.realmId}/account${path}`
      const answer = await ada.browser.write(method, at, undefined, options)
      expect([answer.status, answer.body.code]).toEqual([403, 'csrf_invalid'])
    }
  })

  test('is JSON and nothing else, and its method is the request’s', async () => {
    const at = `/realms/${realm.realmId}/account/password`
    const raw = JSON.stringify({ currentPassword: 'a', newPassword: 'b' })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const answer = await ada.browser.write('POST', at, undefined, { raw, type })
      expect(answer.status, type).toBe(415)
    }
    const override = { headers: { 'x-http-method-override': 'DELETE' } }
    expect((await ada.browser.write('POST', `/realms/${realm.realmId}/account`, {}, override)).status).toBe(405)
  })
})

describe('S39: what changes how an account is opened', () => {
  test.each(fresh)('$name needs a sign-in of the last five minutes', async ({ method, path }) => {
    const metadata = `${node.url}/.well-known/oauth-protected-resource/realms/${realm.realmId}`
    const browser = await browserWith(ada.userId, { at: tooOld() })
    const client = await createClientIn(realm, { consentRequired: false })
    const { access_token: token } = await signInTo(realm, client, { browser })
    for (const caller of [sessionCaller(realm, browser), tokenCaller(realm, token!)]) {
      const answer = await caller.call(method, path, {})
      expect([answer.status, answer.body.code]).toEqual([401, 'insufficient_user_authentication'])
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer error="insufficient_user_authentication", error_description="a more recent sign-in is required", ' +
          `max_age="300", resource_metadata="${metadata}"`,
      )
      expect((await caller.call('GET', '/whoami')).status).toBe(200)
    }
  })

  test('a second factor alone, or the yes of another screen, makes an old sign-in no fresh one', async () => {
    const now = node.services.clock.now()
    const password = { method: 'password', at: tooOld() }
    const client = await createClientIn(realm, { consentRequired: false })
    for (const proofs of [
      [password, { method: 'totp', at: now }],
      [{ method: 'qr', at: now }],
      [password, { method: 'totp', at: tooOld() }, { method: 'push', at: now }],
    ]) {
      const browser = await browserWith(ada.userId, { proofs })
      const { access_token: token } = await signInTo(realm, client, { browser })
      for (const caller of [sessionCaller(realm, browser), tokenCaller(realm, token!)]) {
        const answer = await caller.call('POST', '/credentials', { type: 'recovery-codes' })
        expect([answer.status, answer.body.code]).toEqual([401, 'insufficient_user_authentication'])
      }
    }
    const strong = [
      { method: 'password', at: now - 240_000 },
      { method: 'totp', at: now - 230_000 },
    ]
    const browser = await browserWith(ada.userId, { proofs: strong })
    await must(sessionCaller(realm, browser).call('POST', '/credentials', { type: 'recovery-codes' }), 201)
  })

  test('a token is as fresh as the session it came from, and not once that has ended', async () => {
    const { userId } = await addPerson(realm, 'offline')
    const browser = await browserWith(userId, {})
    const client = await createClientIn(realm, { consentRequired: false, scopes: ['offline_access'] })
    const params = { scope: 'openid offline_access', prompt: 'consent' }
    const { access_token: token } = await signInTo(realm, client, { browser, params })
    const caller = tokenCaller(realm, token!)
    await must(caller.call('POST', '/credentials', { type: 'recovery-codes' }), 201)
    await must(realm.call('DELETE', `/sessions/${(await caller.call('GET', '/whoami')).body.sessionId}`), 204)
    const answer = await caller.call('POST', '/credentials', { type: 'recovery-codes' })
    expect(answer.status).toBe(401)
  })

  test('another address or number in the profile needs it, too; a name does not', async () => {
    const { userId } = await addPerson(realm, 'old')
    const caller = sessionCaller(realm, await browserWith(userId, { at: tooOld() }))
    const { body } = await must(caller.call('GET', '/profile'), 200)
    for (const change of [{ email: 'new@example.org' }, { email: null }, { phone: '+49 30 1' }]) {
      const answer = await caller.call('PUT', '/profile', { ...body, ...change })
      expect([answer.status, answer.body.code]).toEqual([401, 'insufficient_user_authentication'])
      expect(answer.headers['www-authenticate']).toContain('max_age="300"')
    }
    await must(caller.call('PUT', '/profile', { ...body, attributes: { firstName: 'Old' } }), 200)
    expect((await caller.call('GET', '/profile')).body).toEqual({ ...body, attributes: { firstName: 'Old' } })
  })
})

describe('S9: whoever acts as the person', () => {
  test('reads', async () => {
    const caller = sessionCaller(realm, await browserWith(ada.userId, { impersonatorId: realm.adminId }))
    for (const { path, name } of table.filter(({ demand }) => demand === 'READ')) {
      expect((await caller.call('GET', path)).status, name).toBe(200)
    }
    expect((await caller.call('GET', '/whoami')).body.impersonatorId).toBe(realm.adminId)
  })

  test.each(own)('is refused $name', async ({ method, path }) => {
    const caller = sessionCaller(realm, await browserWith(ada.userId, { impersonatorId: realm.adminId }))
    const answer = await caller.call(method, path, {})
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  })
})

describe('what is somebody else’s', () => {
  test('is not there: sessions, credentials and devices of others, and of other realms', async () => {
    const eve = await openAccount(realm, 'eve')
    const device = await createDevice(realm)
    const { body: issued } = await must(eve.bySession.call('POST', '/devices/enrollment-tokens'), 201)
    await device.enroll(issued.enrollmentToken)
    const [session] = (await must(eve.bySession.call('GET', '/sessions'), 200)).body
    const { body: app } = await must(eve.bySession.call('POST', '/credentials', { type: 'totp' }), 201)
    const other = await createRealmFor({ node })
    const [foreign] = (await other.call('GET', '/sessions')).body
    for (const [method, path, json] of [
      ['DELETE', `/sessions/${session.id}`],
      ['DELETE', `/sessions/${foreign.id}`],
      ['DELETE', `/devices/${device.deviceId}`],
      ['DELETE', `/credentials/device/${device.deviceId}`],
      ['DELETE', `/credentials/totp/${app.id}`],
      ['PUT', `/credentials/totp/${app.id}`, { label: 'mine' }],
      ['POST', `/credentials/totp/${app.id}/confirm`, { code: '123456' }],
    ] as const) {
      for (const caller of [ada.bySession, ada.byToken]) {
        expect((await caller.call(method, path, json)).status, path).toBe(404)
      }
    }
    expect((await eve.bySession.call('GET', '/devices')).body).toHaveLength(1)
    const elsewhere = await api(`${issuerOf(other)}/account/profile`, 'GET', {
      headers: { authorization: `Bearer ${ada.token}` },
    })
    expect(elsewhere.status).toBe(401)
    expect((await ada.browser.get(`/realms/${other.realmId}/account/profile`)).status).toBe(401)
  })
})

describe('S12: what changes on one node counts at the next request on the other', () => {
  let other: TestNode
  beforeAll(async () => {
    const database = { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl }
    other = await startTestNode({ database, env: { GATEHOUSE_WORKER: 'false' } })
  }, 60_000)
  afterAll(() => other.stop())

  /** The same session, as a browser sends it to the other node. */
  const moved = (browser: Browser) => {
    const there = createBrowser(other.url)
    for (const [name, value] of browser.cookies) there.cookies.set(name, value)
    return there
  }
  const change = async (userId: string, values: Record<string, unknown>) => {
    const { body: user } = await must(realm.call('GET', `/users/${userId}`), 200)
    await must(realm.call('PUT', `/users/${userId}`, { ...user, ...values }), 200)
  }

  test.each([
    ['disabled', { enabled: false }],
    ['locked', { locked: true }],
  ])('whoever is %s is out, with session and with token', async (name, values) => {
    const bob = await openAccount(realm, `is-${name}`)
    const there = moved(bob.browser)
    const caller = sessionCaller(realm, there)
    await must(caller.call('GET', '/whoami'), 200)
    await change(bob.userId, values)
    for (const each of [caller, bob.bySession, bob.byToken]) {
      for (const { method, path, name: route } of table) expect((await each.call(method, path)).status, route).toBe(401)
    }
    expect((await there.get(`/realms/${realm.realmId}/account/security`)).status).toBe(303)
  })

  test('a role that was taken away is gone from what the person is told of themselves', async () => {
    const { browser, userId } = await realm.signInWith(['view-users'])
    const caller = sessionCaller(realm, moved(browser))
    expect((await caller.call('GET', '/whoami')).body.permissions).toEqual(['view-users'])
    const { body: roles } = await must(realm.call('GET', `/users/${userId}/roles`), 200)
    const held = (roles as { roleId: string; name: string }[]).map(({ roleId }) => roleId)
    for (const roleId of held) await must(realm.call('DELETE', `/users/${userId}/roles/${roleId}`), 204)
    expect((await caller.call('GET', '/whoami')).body.permissions).toEqual([])
  })
})

describe('contract 4.32: a token of somebody else’s application', () => {
  test('opens the account with the scope that the person allowed, and not without', async () => {
    await addPerson(realm, 'cyd')
    const theirs = await createClientIn(realm, { consentRequired: true, scopes: ['account'] })
    const get = async (scope: string) => {
      const { access_token: token } = await signInTo(realm, theirs, { username: 'cyd', params: { scope } })
      return tokenCaller(realm, token!).call('GET', '/profile')
    }
    const refused = await get('openid profile')
    expect([refused.status, refused.body.code]).toEqual([401, 'unauthenticated'])
    expect(refused.headers['www-authenticate']).toContain('resource_metadata=')
    expect((await get('openid account')).body.username).toBe('cyd')
  })

  test('of a machine is none of a person', async () => {
    const machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
    const { body } = await must(requestToken(realm, machine, { grant_type: 'client_credentials' }), 200)
    expect((await tokenCaller(realm, body.access_token).call('GET', '/whoami')).status).toBe(401)
  })
})

describe('S40: guesses at the password of now', () => {
  test('many at once are looked at as often as the ledger allows, and not once more', async () => {
    const { userId } = await addPerson(realm, 'dan')
    const browser = await signIn(realm, 'dan')
    const caller = sessionCaller(realm, browser)
    const canary = 'canary-guess-of-a-password'
    const guess = () =>
      caller.call('POST', '/password', { currentPassword: canary, newPassword: 'lantern-orchid-47-granite' })
    const statuses = (await Promise.all(Array.from({ length: 60 }, guess))).map(({ status }) => status)
    // Some were refused because many came at once; what the ledger has left over is used up now.
    for (let n = 0; n < 11; n++) statuses.push((await guess()).status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(10)
    expect(statuses.filter((status) => ![400, 429, 503].includes(status))).toEqual([])
    // The right one is not looked at either while the lock lasts.
    const right = { currentPassword: 'correct-horse-battery-42', newPassword: 'lantern-orchid-47-granite' }
    expect((await caller.call('POST', '/password', right)).status).toBe(429)
    expect((await realm.call('GET', `/users/${userId}`)).body.locked).toBe(true)
    // Whoever is signed in stays: typing wrong passwords throws nobody out.
    expect((await caller.call('GET', '/whoami')).status).toBe(200)
    const log = [...node.lines, ...node.auditLines.map((line) => JSON.stringify(line))].join('\n')
    for (const secret of [canary, 'lantern-orchid-47-granite']) expect(log).not.toContain(secret)
  })
})
