// S27, S28 and S40 over the token endpoint of two nodes: each grant only where it is listed, an exchange never widens anything,
// and a password is guessed no more often here than on the sign-in page.
import { decodeJwt, type JWTPayload } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  api,
  basic,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  type Person,
  refresh,
  requestToken,
  signInTo,
  type TestClient,
  type TestNode,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { atOnce, openPair, type Pair, startSecondNode } from './two-nodes.ts'

const maxFailures = 5
const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessType = 'urn:ietf:params:oauth:token-type:access_token'
let second: TestNode
let pair: Pair
let sender: TestClient

beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  const bruteForce = { maxFailures, perIpMaxPerMinute: 10_000 }
  await must(pair.realm.call('PUT', '/settings', { bruteForce }), 200)
  sender = await createClientIn(pair.realm, { grantTypes: ['password'], redirectUris: [] })
})
afterAll(() => second?.stop())

const askWith = (username: string, password: string, base = pair.realm.node.url) =>
  requestToken(pair.realm, sender, { grant_type: 'password', username, password }, base)
const guess = 'not-the-password-1'
const lockedOf = async ({ userId }: Person) => (await pair.realm.call('GET', `/users/${userId}`)).body.locked

describe('S27: a grant', () => {
  const grants: [name: string, listed: string, form: Record<string, string>][] = [
    ['password', 'password', { grant_type: 'password', username: 'admin', password: adminPassword }],
    ['client_credentials', 'client_credentials', { grant_type: 'client_credentials' }],
    ['token exchange', 'token-exchange', { grant_type: exchange, subject_token: 'x', subject_token_type: accessType }],
    ['device', 'device', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' }],
    ['CIBA', 'CIBA', { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: 'x' }],
    ['refresh_token', 'refresh_token', { grant_type: 'refresh_token', refresh_token: 'x' }],
  ]
  const isRefused = /^(unauthorized_client|invalid_request)$/

  test.each(grants)('%s is refused unless the client lists it, on every node', async (_name, listed, form) => {
    const others = [...new Set(['authorization_code', ...grants.map(([, each]) => each)])].filter(
      (each) => each !== listed,
    )
    const without = await createClientIn(pair.realm, { grantTypes: others })
    const having = await createClientIn(pair.realm, { grantTypes: [...others, listed] })
    for (const base of pair.bases) {
      const { status, body } = await requestToken(pair.realm, without, form, base)
      expect([status, body.error]).toEqual([400, expect.stringMatching(isRefused)])
      const { body: answer } = await requestToken(pair.realm, having, form, base)
      expect(answer.error ?? 'invalid_grant').toBe('invalid_grant')
    }
  })

  test('by password is off unless somebody asks for it', async () => {
    const client = await createClientIn(pair.realm)
    const form = { grant_type: 'password', username: 'admin', password: adminPassword }
    expect((await requestToken(pair.realm, client, form)).body.error).toMatch(isRefused)
  })
})

/** Numbers that are the same in every run. */
function randomFrom(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  return { pick, chance: (share: number) => next() < share }
}

interface Exchanger {
  client: TestClient
  scopes: string[]
  resources: string[]
}

const setOf = (value: unknown) => new Set(typeof value === 'string' ? value.split(' ').filter(Boolean) : [])
const audiences = ({ aud }: JWTPayload) => [aud ?? []].flat()

function expectNotWider(before: JWTPayload, after: JWTPayload, { client, scopes, resources }: Exchanger): void {
  const held = setOf(before.scope)
  for (const scope of setOf(after.scope)) {
    expect(held.has(scope) && scopes.includes(scope), `scope ${scope}`).toBe(true)
    expect(scope).not.toBe('offline_access')
  }
  const issuer = issuerOf(pair.realm)
  for (const audience of audiences(after)) {
    const isOwn = audience === client.clientId || resources.includes(audience)
    expect(isOwn || (audience === issuer && audiences(before).includes(issuer)), `audience ${audience}`).toBe(true)
  }
  expect(after.exp).toBeLessThanOrEqual(before.exp!)
  expect(before.client_id === client.clientId || audiences(before).includes(client.clientId)).toBe(true)
  for (const name of ['gid', 'sid', 'auth_time', 'acr', 'sub']) expect(after[name], name).toEqual(before[name])
  const act = after.act as { act?: unknown } | undefined
  expect(before.act ? [act, act?.act] : [undefined]).toContainEqual(before.act)
}

describe('S28: an exchange', () => {
  const resources = ['https://one.example.org', 'https://two.example.org']
  const optional = ['phone', 'address', 'offline_access']

  async function prepare(): Promise<{ exchangers: Exchanger[]; tokens: string[]; actors: Map<string, string> }> {
    const { realm } = pair
    const plans = [
      { clientId: 'one', scopes: ['phone', 'offline_access'], resources: [resources[0]!], seconds: 60 },
      { clientId: 'two', scopes: ['address'], resources: [], seconds: 3600 },
      { clientId: 'three', scopes: optional, resources, seconds: 600 },
    ]
    const exchangers: Exchanger[] = []
    const actors = new Map<string, string>()
    for (const { clientId, scopes, resources: allowedResources, seconds } of plans) {
      const grantTypes = ['token-exchange', 'client_credentials']
      const members = { clientId, scopes, accessTokenLifetimeSeconds: seconds, grantTypes, redirectUris: [] }
      const client = await createClientIn(realm, {
        ...members,
        ...(clientId === 'three' ? { audiences: ['one'] } : {}),
      })
      await must(realm.call('PUT', `/clients/${client.id}/allowed-resources`, { allowedResources }), 200)
      const { body } = await must(requestToken(realm, client, { grant_type: 'client_credentials' }), 200)
      actors.set(clientId, body.access_token)
      const defaults = ['openid', 'profile', 'email', 'roles', 'groups', 'organization']
      exchangers.push({ client, scopes: [...defaults, ...scopes], resources: allowedResources })
    }
    const tokens = [...actors.values()]
    for (const [audience, seconds] of [
      ['one', 120],
      ['two', 30],
      ['three', 900],
    ] as const) {
      const members = { audiences: [audience], scopes: optional, accessTokenLifetimeSeconds: seconds }
      const app = await createClientIn(realm, members)
      for (const scope of ['openid profile', 'openid phone address offline_access', 'openid email address'])
        tokens.push((await signInTo(realm, app, { params: { scope } })).access_token!)
    }
    return { exchangers, tokens, actors }
  }

  test('of 300 at random, none widens scope, audience or life, and the chain is kept', async () => {
    const { pick, chance } = randomFrom(20_260_628)
    const { exchangers, tokens, actors } = await prepare()
    const counts = { given: 0, refused: 0, again: 0 }
    const scopes = ['openid', 'profile', 'email', ...optional, 'account']
    const targets = [...resources, 'one', 'two', 'three', issuerOf(pair.realm), 'https://evil.example']
    const made = new Set<string>()
    for (let at = 0; at < 300; at++) {
      const exchanger = pick(exchangers)
      const subject = pick(tokens)
      const form: Record<string, string> = {
        grant_type: exchange,
        subject_token: subject,
        subject_token_type: accessType,
      }
      if (chance(0.5)) form.scope = [pick(scopes), pick(scopes), pick(scopes)].join(' ')
      if (chance(0.5)) form.audience = pick(targets)
      if (chance(0.3))
        Object.assign(form, { actor_token: actors.get(pick(['one', 'two', 'three'])), actor_token_type: accessType })
      const { status, body, text } = await requestToken(pair.realm, exchanger.client, form, pick(pair.bases))
      expect([200, 400], text).toContain(status)
      if (status !== 200) {
        counts.refused += 1
        continue
      }
      counts.given += 1
      if (made.has(subject)) counts.again += 1
      expect(Object.keys(body).toSorted()).not.toContain('refresh_token')
      expectNotWider(decodeJwt(subject), decodeJwt(body.access_token), exchanger)
      made.add(body.access_token)
      tokens.push(body.access_token)
    }
    expect(counts.given).toBeGreaterThan(40)
    expect(counts.again).toBeGreaterThan(10)
    expect(counts.refused).toBeGreaterThan(40)
  })

  test('of a token that was revoked on one node is refused on the other, and what came of it is void', async () => {
    const { realm } = pair
    const client = await createClientIn(realm, { grantTypes: ['authorization_code', 'token-exchange'] })
    const { access_token: subject } = await signInTo(realm, client)
    const form = { grant_type: exchange, subject_token: subject!, subject_token_type: accessType }
    const { body } = await must(requestToken(realm, client, form, second.url), 200)
    const url = `${realm.node.url}/realms/${realm.realmId}/revoke`
    await must(api(url, 'POST', { form: { token: subject! }, headers: basic(client) }), 200)
    expect((await requestToken(realm, client, form, second.url)).body.error).toBe('invalid_grant')
    const headers = { authorization: `Bearer ${body.access_token}` }
    const asked = await api(`${second.url}/realms/${realm.realmId}/userinfo`, 'GET', { headers })
    expect(asked.status).toBe(401)
  })
})

/** Counts on both nodes how often a password is compared: with somebody's own hash, and with anything at all. */
function countComparisons() {
  const counter = { real: 0, all: 0, stop: () => undo.forEach((put) => put()) }
  const undo = [pair.realm.node, second].map(({ services: { passwords } }) => {
    const { verify } = passwords
    passwords.verify = (phc, ...more) => {
      counter.all += 1
      if (phc !== null) counter.real += 1
      return verify(phc, ...more)
    }
    return () => (passwords.verify = verify)
  })
  return counter
}

describe('S40: passwords at the token endpoint', () => {
  // Two hundred hashes, which is most of what two busy cores do in some seconds.
  test('are compared exactly as often as the limit says, of 200 at once on two nodes', {
    timeout: 60_000,
  }, async () => {
    const person = await addPerson(pair.realm, 'target')
    const counter = countComparisons()
    const answers = await atOnce(pair, 200, (base) => askWith('target', guess, base))
    counter.stop()
    expect(counter.real).toBe(maxFailures)
    // Whoever finds no place for a hash is turned away before it is counted (F28).
    expect(answers.every(({ status }) => status === 400 || status === 503)).toBe(true)
    expect(await lockedOf(person)).toBe(true)
    expect((await askWith('target', adminPassword, second.url)).body.error).toBe('invalid_grant')
    const page = await createBrowser(pair.realm.node.url).login(pair.realm.realmId, 'target', adminPassword)
    expect(page.status).toBe(401)
    const [event] = await pair.realm.events('&type=USER_LOCKED')
    expect(event).toMatchObject({ resourceId: person.userId })
  })

  test('count together with those of the sign-in page', async () => {
    const person = await addPerson(pair.realm, 'both')
    const page = () => createBrowser(pair.realm.node.url).login(pair.realm.realmId, 'both', guess)
    for (let at = 0; at < maxFailures - 2; at++) await page()
    await askWith('both', guess, second.url)
    expect(await lockedOf(person)).toBe(false)
    await askWith('both', guess)
    expect(await lockedOf(person)).toBe(true)
  })

  test('cost the same for whoever there is and is not', async () => {
    const person = await addPerson(pair.realm, 'closed')
    await must(pair.realm.call('PATCH', `/users/${person.userId}`, { enabled: false }), 200)
    const bodies = []
    for (const name of ['closed', 'nobody-at-all', 'both']) {
      const counter = countComparisons()
      bodies.push((await askWith(name, adminPassword)).body)
      counter.stop()
      expect([counter.all, counter.real], name).toEqual([1, 0])
    }
    expect(bodies[1]).toEqual(bodies[0])
    expect(bodies[2]).toEqual(bodies[0])
  })

  test('open nothing that outlives them: a new one, or the end of all sessions, ends tokens without a session', async () => {
    const { realm } = pair
    const client = await createClientIn(realm, { grantTypes: ['password', 'refresh_token'], redirectUris: [] })
    const person = await addPerson(realm, 'renewed')
    const sign = async (password: string) => {
      const form = { grant_type: 'password', username: 'renewed', password, scope: 'openid' }
      return (await must(requestToken(realm, client, form), 200)).body
    }
    const expectEnded = async ({ access_token: token, refresh_token }: Record<string, string>) => {
      expect((await refresh(realm, client, refresh_token!, second.url)).body.error).toBe('invalid_grant')
      const headers = { authorization: `Bearer ${token}` }
      expect((await api(`${issuerOf(realm)}/userinfo`, 'GET', { headers })).status).toBe(401)
    }
    const before = await sign(adminPassword)
    const newPassword = 'another-long-password-1'
    await must(realm.call('PUT', `/users/${person.userId}/password`, { newPassword }), 204)
    await expectEnded(before)
    const after = await sign(newPassword)
    await must(realm.call('DELETE', `/sessions?userId=${person.userId}`), 204)
    await expectEnded(after)
  })

  test('come with a name that can be looked up', async () => {
    for (const name of ['\0', 'adm\0in']) expect((await askWith(name, guess)).body.error, name).toBe('invalid_request')
    for (const name of [' ', 'x'.repeat(5000)]) expect((await askWith(name, guess)).body.error).toBe('invalid_grant')
    expect((await askWith('admin', 'x'.repeat(1025))).body.error).toBe('invalid_grant')
  })

  test('are limited for an address, on the page and here together', async () => {
    const crowd = await createRealmFor()
    await must(crowd.call('PUT', '/settings', { bruteForce: { maxFailures: 50, perIpMaxPerMinute: 4 } }), 200)
    const client = await createClientIn(crowd, { grantTypes: ['password'], redirectUris: [] })
    const ask = (username: string, password: string) =>
      requestToken(crowd, client, { grant_type: 'password', username, password })
    await createBrowser(crowd.node.url).login(crowd.realmId, 'one', guess)
    for (let at = 0; at < 3; at++) expect((await ask(`name-${at}`, guess)).status).toBe(400)
    const answer = await ask('admin', adminPassword)
    expect([answer.status, answer.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    expect((await createBrowser(crowd.node.url).login(crowd.realmId, 'admin', adminPassword)).status).toBe(429)
  })
})
