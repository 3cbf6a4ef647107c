// S31: what becomes of a client when the document about it changes, cannot be read, or was read by many at once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findClient } from '../../src/domain/clients/index.ts'
import {
  authorize,
  createBrowser,
  createRealmFor,
  redeem,
  refresh,
  signInTo,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { ask, type DocumentHost, redirectUri, setProvisioning, startDocumentHost } from './document-host.ts'

const minute = 60_000
const day = 24 * 60 * minute

let host: DocumentHost
let node: TestNode
let second: TestNode
let realm: TestRealm

beforeAll(async () => {
  host = await startDocumentHost()
  // The name is open, and no address: 127.0.0.1 itself stays closed.
  const env = { GATEHOUSE_EGRESS_ALLOW: `https://localhost:${host.port}`, GATEHOUSE_WORKER: 'false' }
  node = await startTestNode({ env })
  second = await startTestNode({
    database: { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl },
    env: { ...env, GATEHOUSE_BASE_URL: node.url },
  })
})
afterAll(async () => {
  await Promise.all([node.stop(), second.stop()])
  await host.stop()
})

beforeEach(async () => {
  host.answers.clear()
  host.requests.length = 0
  realm = await createRealmFor({ node })
  await setProvisioning(realm, { cimdEnabled: true })
})

const kept = (client: TestClient) => realm.run((ctx) => findClient(ctx.tx, realm.realmId, client.clientId))
const isKnown = async (client: TestClient) => (await ask(realm, client)).isKnown
const signedIn = async () => {
  const browser = createBrowser(node.url)
  await must(browser.login(realm.realmId, 'admin', adminPassword), 200)
  return browser
}

describe('a document that changes', () => {
  const stale = () => node.clock.advance(6 * minute)

  test('changes the client once it is no longer fresh, and not before', async () => {
    const client = host.publish('/weather.json')
    expect(await isKnown(client)).toBe(true)
    host.publish('/weather.json', { redirect_uris: ['https://app.example.org/other'] })
    expect(await isKnown(client)).toBe(true)
    expect(host.asked('/weather.json')).toBe(1)
    stale()
    expect((await ask(realm, client)).says).toBe('invalid_redirect_uri')
    expect((await kept(client))!.redirectUris).toEqual(['https://app.example.org/other'])
  })

  test.each([
    ['leads to a further place', { redirect_uris: [redirectUri, 'https://evil.example/callback'] }, true],
    ['has another name', { client_name: 'First National Bank' }, true],
    ['leads somewhere else after a sign-out', { post_logout_redirect_uris: ['https://app.example.org/bye'] }, false],
    ['leads to one place less', { redirect_uris: [redirectUri] }, false],
  ])('and %s: whether people are asked again, and what they gave before ends', async (_what, change, isOther) => {
    const first = { redirect_uris: [redirectUri, 'https://app.example.org/second'] }
    const client = host.publish('/weather.json', isOther ? {} : first)
    const tokens = await signInTo(realm, client)
    host.publish('/weather.json', { ...(isOther ? {} : first), ...change })
    stale()
    const { params } = await authorize(realm, client, { browser: await signedIn(), params: { prompt: 'none' } })
    expect(params.error ?? 'a code').toBe(isOther ? 'consent_required' : 'a code')
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(isOther ? 400 : 200)
    expect(host.asked('/weather.json')).toBe(2)
  })

  test('into something wrong, or is gone, stops the application at once', async () => {
    const client = host.publish('/weather.json')
    const tokens = await signInTo(realm, client)
    stale()
    host.publish('/weather.json', { client_id: 'https://other.example/' })
    expect(await isKnown(client)).toBe(false)
    expect((await refresh(realm, client, tokens.refresh_token!)).body.error).toBe('invalid_client')
    host.answers.delete('/weather.json')
    node.clock.advance(minute)
    expect(await isKnown(client)).toBe(false)
  })

  test('and cannot be read is believed for another day, and no longer', async () => {
    const client = host.publish('/weather.json')
    expect(await isKnown(client)).toBe(true)
    host.answers.set('/weather.json', { status: 503 })
    stale()
    expect([await isKnown(client), await isKnown(client)]).toEqual([true, true])
    expect(host.asked('/weather.json')).toBe(2)
    expect(node.lines.some((line) => line.includes('a client document was not accepted'))).toBe(true)
    node.clock.advance(day)
    expect(await isKnown(client)).toBe(false)
    host.publish('/weather.json')
    node.clock.advance(minute)
    expect(await isKnown(client)).toBe(true)
  })

  test('does not undo what an administrator decided', async () => {
    const client = host.publish('/weather.json')
    expect(await isKnown(client)).toBe(true)
    const { id } = (await kept(client))!
    const patch = { enabled: false, requirePushedAuthorizationRequests: true, consentRequired: false }
    await must(realm.call('PATCH', `/clients/${id}`, patch, { type: 'application/merge-patch+json' }), 200)
    host.publish('/weather.json', { client_name: 'Weather II' })
    stale()
    expect(await isKnown(client)).toBe(false)
    // Whoever was let in without asking people was so under its old name.
    expect(await kept(client)).toMatchObject({ id, name: 'Weather II', ...patch, consentRequired: true })
  })
})

describe('who was there first', () => {
  test('many at once on two nodes make one client, with one look from each node', async () => {
    const client = host.publish('/weather.json')
    const at = (base: TestNode) => ({ ...realm, node: base })
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, count) =>
        ask(at(count % 2 ? node : second), client, { browser: createBrowser((count % 2 ? node : second).url) }),
      ),
    )
    expect(asked.map(({ isKnown: found }) => found)).toEqual(asked.map(() => true))
    expect(host.asked('/weather.json')).toBeLessThanOrEqual(2)
    expect((await realm.call('GET', '/clients?search=https:')).body).toHaveLength(1)
  })

  test('an administrator’s client of the same name is nobody else’s to describe', async () => {
    const client = host.publish('/weather.json', { redirect_uris: ['https://evil.example/callback'] })
    await must(
      realm.call('POST', '/clients', { clientId: client.clientId, publicClient: true, redirectUris: [redirectUri] }),
      201,
    )
    expect(await isKnown(client)).toBe(true)
    await setProvisioning(realm, {})
    expect(await isKnown(client)).toBe(true)
    const tokens = await redeem(realm, client, await authorize(realm, client))
    expect(tokens.status).toBe(200)
    expect(host.requests).toEqual([])
  })
})
