// S12: what is taken from a person, session, client or consent is gone with the very next request on every node.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Authorization,
  authorize,
  type Browser,
  createClientIn,
  redeem,
  refresh,
  requestToken,
  signInTo,
  type TestClient,
  type TestNode,
} from '../harness/index.ts'
import { must } from '../harness/realm.ts'
import { askAdminApi, askUserinfo, introspect, openPair, type Pair, startSecondNode, twinOf } from './two-nodes.ts'

let second: TestNode
beforeAll(async () => {
  second = await startSecondNode()
})
afterAll(() => second.stop())

let pair: Pair
let person: { browser: Browser; userId: string; username: string }
let app: TestClient
let machine: TestClient
let tokens: Record<string, string>
let adminToken: string
let machineToken: string
let machineAdminToken: string
let waiting: Authorization

beforeEach(async () => {
  pair = await openPair(second)
  const { realm } = pair
  const admin = `${realm.node.url}/admin`
  person = await realm.signInWith(['view-users'])
  app = await createClientIn(realm, { consentRequired: true })
  machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
  await must(realm.call('POST', `/clients/${machine.id}/service-account/roles`, { name: 'auditor' }), 201)
  for (const { id } of [app, machine]) {
    await must(realm.call('PUT', `/clients/${id}/allowed-resources`, { allowedResources: [admin] }), 200)
  }
  const { browser } = person
  tokens = await signInTo(realm, app, { browser, params: { scope: 'openid roles' } })
  adminToken = (await signInTo(realm, app, { browser, params: { resource: admin } })).access_token!
  const ask = async (more: Record<string, string>) =>
    (await must(requestToken(realm, machine, { grant_type: 'client_credentials', ...more }), 200)).body.access_token
  machineToken = await ask({})
  machineAdminToken = await ask({ resource: admin })
  // Whatever a node might remember, it now does.
  for (const base of pair.bases) await lookAt(base)
  waiting = await authorize(realm, app, { browser })
})

const outcomeOf = ({ status, body }: Answer) => (status === 200 ? 'tokens' : (body.error ?? status))

/** What each kind of proof is still good for. */
async function lookAt(base: string): Promise<Record<string, unknown>> {
  const { realm } = pair
  const browser = twinOf(person.browser, base)
  const refreshed = await refresh(realm, app, tokens.refresh_token!, base)
  if (refreshed.status === 200) tokens = { ...tokens, refresh_token: refreshed.body.refresh_token }
  const introspected = async (client: TestClient, token: string) => {
    const answer = await introspect(realm, client, token, base)
    return answer.body.active ?? answer.status
  }
  const silent = await authorize(realm, app, { browser, params: { prompt: 'none', scope: 'openid roles' } })
  const grant = { grant_type: 'client_credentials' }
  return {
    session: (await browser.get(`/admin/realms/${realm.realmId}/users`)).status,
    silent: silent.params.error ?? 'code',
    refresh: outcomeOf(refreshed),
    userinfo: (await askUserinfo(realm, tokens.access_token!, base)).status,
    accessToken: await introspected(app, tokens.access_token!),
    refreshToken: await introspected(app, tokens.refresh_token!),
    adminApi: (await askAdminApi(realm, adminToken, base)).status,
    machine: outcomeOf(await requestToken(realm, machine, grant, base)),
    machineToken: await introspected(machine, machineToken),
    machineAdminApi: (await askAdminApi(realm, machineAdminToken, base)).status,
  }
}

const machineAlive = { machine: 'tokens', machineToken: true, machineAdminApi: 200 }
const sessionAlive = { session: 200, silent: 'code' }
const alive = {
  ...sessionAlive,
  refresh: 'tokens',
  userinfo: 200,
  accessToken: true,
  refreshToken: true,
  adminApi: 200,
  ...machineAlive,
}
const tokensGone = { refresh: 'invalid_grant', userinfo: 401, accessToken: false, refreshToken: false, adminApi: 401 }
const personGone = { session: 401, silent: 'login_required', ...tokensGone, ...machineAlive }

async function write(method: string, path: string, json?: unknown): Promise<void> {
  const options = method === 'PATCH' ? { type: 'application/merge-patch+json' } : {}
  const answer = await pair.realm.call(method, path, json, options)
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
}

async function removeClient(client: TestClient, change: 'disable' | 'delete'): Promise<void> {
  if (change === 'delete') return write('DELETE', `/clients/${client.id}`)
  const { body } = await pair.realm.call('GET', `/clients/${client.id}`)
  await write('PUT', `/clients/${client.id}`, { ...body, enabled: false })
}

const appGone = {
  ...sessionAlive,
  refresh: 'invalid_client',
  userinfo: 401,
  accessToken: 401,
  refreshToken: 401,
  adminApi: 401,
  ...machineAlive,
  // The error page of an unknown client leads nowhere.
  silent: 'code',
}
const machineGone = { ...alive, machine: 'invalid_client', machineToken: 401, machineAdminApi: 401 }

type Ending = [what: string, end: () => Promise<void>, expected: Record<string, unknown>]
const endings: Ending[] = [
  ['a person is disabled', () => write('PATCH', `/users/${person.userId}`, { enabled: false }), personGone],
  ['a person is locked', () => write('PATCH', `/users/${person.userId}`, { locked: true }), personGone],
  ['a person is deleted', () => write('DELETE', `/users/${person.userId}`), personGone],
  [
    'their session is ended',
    async () => {
      const { body } = await pair.realm.call('GET', `/sessions?userId=${person.userId}`)
      for (const { id } of body as { id: string }[]) await write('DELETE', `/sessions/${id}`)
    },
    personGone,
  ],
  ['all their sessions are ended', () => write('DELETE', `/sessions?userId=${person.userId}`), personGone],
  [
    'everything in the realm is ended',
    () => write('POST', '/sessions/revoke-all'),
    // Machines sign in again; what they held is void.
    { ...personGone, machine: 'tokens', machineToken: false, machineAdminApi: 401 },
  ],
  [
    'they take their consent back',
    async () => {
      const path = `/realms/${pair.realm.realmId}/account/gdpr/consents`
      await person.browser.get(path)
      expect((await person.browser.write('DELETE', `${path}/${app.clientId}`)).status).toBe(204)
    },
    { ...alive, ...tokensGone, silent: 'consent_required' },
  ],
  [
    'they sign out',
    async () => {
      const headers = { 'x-xsrf-token': person.browser.csrf(), accept: 'application/json' }
      const path = `/realms/${pair.realm.realmId}/login/logout`
      const cookies = new Map(person.browser.cookies)
      expect((await person.browser.send('POST', path, { headers })).status).toBe(204)
      for (const [name, value] of cookies) person.browser.cookies.set(name, value)
    },
    personGone,
  ],
]

describe('S12: on both nodes, when', () => {
  test('nothing ended, everything is good', async () => {
    for (const base of pair.bases) expect(await lookAt(base)).toEqual(alive)
  })

  test.each(endings)('%s', async (_what, end, expected) => {
    await end()
    for (const base of pair.bases) {
      expect(await lookAt(base)).toEqual(expected)
      expect((await redeem(pair.realm, app, waiting, base)).body.error).toBe('invalid_grant')
    }
  })

  test.each(['disable', 'delete'] as const)('an application is gone: %s', async (change) => {
    await removeClient(app, change)
    for (const base of pair.bases) {
      const { silent: _error, ...seen } = await lookAt(base)
      const { silent: _none, ...expected } = appGone
      expect(seen).toEqual(expected)
      expect((await redeem(pair.realm, app, waiting, base)).body.error).toBe('invalid_client')
      const { answer } = await authorize(pair.realm, app, { browser: person.browser, stopAtPage: true })
      expect(answer.status).toBe(400)
    }
  })

  test.each(['disable', 'delete'] as const)('a machine is gone: %s', async (change) => {
    await removeClient(machine, change)
    for (const base of pair.bases) expect(await lookAt(base)).toEqual(machineGone)
  })

  test('a machine’s service account is disabled', async () => {
    const { body } = await pair.realm.call('GET', `/clients/${machine.id}`)
    await write('PATCH', `/users/${body.serviceAccountUserId}`, { enabled: false })
    for (const base of pair.bases) {
      const seen = await lookAt(base)
      expect(seen).toEqual({ ...alive, machine: 'invalid_grant', machineToken: false, machineAdminApi: 401 })
    }
  })

  test('a machine’s service account is deleted', async () => {
    const { body } = await pair.realm.call('GET', `/clients/${machine.id}`)
    await write('DELETE', `/users/${body.serviceAccountUserId}`)
    for (const base of pair.bases) {
      expect(await lookAt(base)).toEqual({ ...alive, machineToken: false, machineAdminApi: 401 })
    }
  })

  test('a role is taken: from the session, from tokens that are made, and at the admin API', async () => {
    const { realm } = pair
    const role = `role-${person.username}`
    const { body } = await realm.call('GET', `/users/${person.userId}/roles`)
    const { roleId } = (body as { name: string; roleId: string }[]).find(({ name }) => name === role)!
    await write('DELETE', `/users/${person.userId}/roles/${roleId}`)
    for (const base of pair.bases) {
      expect(await lookAt(base)).toEqual({ ...alive, session: 403, adminApi: 403 })
      const next = await refresh(realm, app, tokens.refresh_token!, base)
      tokens = { ...tokens, refresh_token: next.body.refresh_token }
      expect(Buffer.from(next.body.access_token.split('.')[1], 'base64url').toString()).not.toContain(role)
    }
  })

  test('a machine’s role is taken', async () => {
    const { body: client } = await pair.realm.call('GET', `/clients/${machine.id}`)
    const path = `/users/${client.serviceAccountUserId}/roles`
    const { body } = await pair.realm.call('GET', path)
    const { roleId } = (body as { name: string; roleId: string }[]).find(({ name }) => name === 'auditor')!
    await write('DELETE', `${path}/${roleId}`)
    for (const base of pair.bases) expect(await lookAt(base)).toEqual({ ...alive, machineAdminApi: 403 })
  })

  test('bearer access to the admin API is switched off', async () => {
    await write('PUT', '/settings', { adminBearerEnabled: false })
    for (const base of pair.bases) {
      // Asking for the keys makes the other node look at the realm's settings again; see F18 for how long it may take.
      await (await fetch(`${base}/realms/${pair.realm.realmId}/.well-known/jwks.json`)).text()
      expect(await lookAt(base)).toEqual({ ...alive, adminApi: 401, machineAdminApi: 401 })
    }
  })
})
