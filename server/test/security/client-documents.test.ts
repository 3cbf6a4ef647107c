// S31, S45: applications that name the address of a document about themselves. The document is read over the network because
// somebody who is not signed in asked for it, so it must lead nowhere inside, cost little, and promise no more than its host.
import * as openid from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findClient } from '../../src/domain/clients/index.ts'
import type { DocumentRefusal } from '../../src/domain/registration/documents/index.ts'
import { admitFetch } from '../../src/domain/registration/documents/limits.ts'
import {
  api,
  authorize,
  createBrowser,
  createRealmFor,
  issuerOf,
  refresh,
  requestToken,
  signInTo,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { walk } from '../relying-parties/walk.ts'
import { ask, type DocumentHost, redirectUri, setProvisioning, startDocumentHost } from './document-host.ts'

const minute = 60_000

let host: DocumentHost
let node: TestNode
let realm: TestRealm

beforeAll(async () => {
  host = await startDocumentHost()
  // The name is open, and no address: 127.0.0.1 itself stays closed.
  const env = { GATEHOUSE_EGRESS_ALLOW: `https://localhost:${host.port}`, GATEHOUSE_WORKER: 'false' }
  node = await startTestNode({ env })
})
afterAll(async () => {
  await node.stop()
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

describe('an application that publishes a document', () => {
  test('signs somebody in without having been registered, and is only itself', async () => {
    const client = host.publish('/weather.json', { client_uri: `${host.origin}/about` })
    const config = await openid.discovery(new URL(issuerOf(realm)), client.clientId, undefined, openid.None(), {
      execute: [openid.allowInsecureRequests],
    })
    expect(config.serverMetadata().client_id_metadata_document_supported).toBe(true)
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const { callback, pages } = await walk(createBrowser(node.url), url)
    expect(pages).toEqual(['sign-in', 'consent'])
    const checks = { expectedState, pkceCodeVerifier, idTokenExpected: true }
    const tokens = await openid.authorizationCodeGrant(config, callback as URL, checks)
    expect(tokens.claims()).toMatchObject({ aud: client.clientId, sub: realm.adminId })
    const again = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    expect(again.access_token).toBeTruthy()
    expect(host.asked('/weather.json')).toBe(1)
    expect(await kept(client)).toMatchObject({ createdBy: 'CIMD', consentRequired: true, publicClient: true })
    const [event] = await realm.events('&type=DCR_REGISTERED')
    expect(event).toMatchObject({ clientId: client.clientId, outcome: 'SUCCESS', resourceType: 'clients' })
  })

  test('is shown by its host and by where it leads, because anybody can choose its name', async () => {
    const client = host.publish('/bank.json', { client_name: 'First National Bank' })
    const { answer } = await authorize(realm, client, { browser: await signedIn(), stopAtPage: true })
    const place = `localhost:${host.port}`
    expect(answer.text).toContain(`<p class="gh-source-host"><bdi>${place}</bdi></p>`)
    expect(answer.text).toContain(`First National Bank (${place})`)
    expect(answer.text).toContain('Your answer goes to <bdi>app.example.org</bdi>')
    const own = host.publish('/native.json', { redirect_uris: ['http://127.0.0.1/callback'] })
    const browser = await signedIn()
    const local = await authorize(
      realm,
      { ...own, redirectUri: 'http://127.0.0.1:4711/callback' },
      { browser, stopAtPage: true },
    )
    expect(local.answer.text).toContain('a program on this device')
  })

  test('with its own key pushes its request and proves itself', async () => {
    const { publicKey, privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ])
    const key = await crypto.subtle.exportKey('jwk', publicKey)
    const client = host.publish('/keyed.json', {
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ ...key, alg: 'ES256', use: 'sig' }] },
    })
    const authenticate = openid.PrivateKeyJwt(privateKey)
    const config = await openid.discovery(new URL(issuerOf(realm)), client.clientId, undefined, authenticate, {
      execute: [openid.allowInsecureRequests],
    })
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const url = await openid.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const { callback } = await walk(createBrowser(node.url), url)
    const tokens = await openid.authorizationCodeGrant(config, callback as URL, { pkceCodeVerifier })
    expect(tokens.claims()!.aud).toBe(client.clientId)
    const without = await requestToken(realm, client, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token!,
    })
    expect(without.status).toBe(401)
  })
})

describe('S45: nothing inside is reached', () => {
  test.each([
    ['an address of this machine', (port: number) => `https://127.0.0.1:${port}/x`],
    ['the same in IPv6', (port: number) => `https://[::1]:${port}/x`],
    ['the same in disguise', (port: number) => `https://[::ffff:7f00:1]:${port}/x`],
    ['a name of this machine', (port: number) => `https://inside.localhost:${port}/x`],
    ['another port of an open host', () => `https://localhost:1/x`],
    ['an address that can be spelt without end', (port: number) => `https://localhost:${port}/x?1`],
    ['a path that leads elsewhere', (port: number) => `https://localhost:${port}/x/../y`],
    ['an address of the network', () => 'https://10.0.0.1/x'],
    ['a service that hands out credentials', () => 'https://169.254.169.254/latest/meta-data/'],
  ])('by %s', async (_what, addressOf) => {
    const clientId = addressOf(host.port)
    const { isKnown: found, says, answer } = await ask(realm, { ...host.publish('/x'), clientId })
    expect([found, says]).toEqual([false, 'invalid_client'])
    expect(answer.text).not.toMatch(/blocked|private address/)
    expect(host.requests).toEqual([])
  })

  test('by a redirect', async () => {
    const client = host.publish('/moved.json')
    host.publish('/target.json', { client_id: client.clientId })
    host.answers.set('/moved.json', { status: 302, headers: { location: `${host.origin}/target.json` } })
    expect(await isKnown(client)).toBe(false)
    expect(host.requests.map(({ path }) => path)).toEqual(['/moved.json'])
  })

  test('while documents are switched off, and what came by them is gone until they are on again', async () => {
    const client = host.publish('/weather.json')
    const tokens = await signInTo(realm, client)
    await setProvisioning(realm, {})
    host.requests.length = 0
    const discovery = await api(`${issuerOf(realm)}/.well-known/openid-configuration`, 'GET')
    expect(discovery.body).not.toHaveProperty('client_id_metadata_document_supported')
    expect([await isKnown(client), await isKnown(host.publish('/new.json'))]).toEqual([false, false])
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(401)
    expect(host.requests).toEqual([])
    await setProvisioning(realm, { cimdEnabled: true })
    expect(await isKnown(client)).toBe(true)
  })

  test('nor any host but those the realm allows', async () => {
    const client = host.publish('/weather.json')
    await setProvisioning(realm, { cimdEnabled: true, cimdAllowedHosts: ['apps.example.com', '*.localhost'] })
    expect(await isKnown(client)).toBe(false)
    expect(host.requests).toEqual([])
    await setProvisioning(realm, { cimdEnabled: true, cimdAllowedHosts: ['localhost'] })
    expect(await isKnown(client)).toBe(true)
    await setProvisioning(realm, { cimdEnabled: true, cimdAllowedHosts: ['apps.example.com'] })
    expect(await isKnown(client)).toBe(false)
  })

  test('by anything but the beginning of a sign-in', async () => {
    const { clientId } = host.publish('/weather.json')
    const base = issuerOf(realm)
    const sent = {
      client_id: clientId,
      token: 'x',
      grant_type: 'authorization_code',
      code: 'x',
      code_verifier: 'x'.repeat(43),
    }
    for (const path of ['/token', '/introspect', '/revoke']) {
      const answer = await api(base + path, 'POST', { form: { ...sent, redirect_uri: redirectUri } })
      expect([path, answer.status]).toEqual([path, 401])
    }
    await api(`${base}/logout?client_id=${encodeURIComponent(clientId)}`, 'GET')
    expect(host.requests).toEqual([])
  })
})

describe('a document that is not good', () => {
  test.each([
    ['is about somebody else', { client_id: 'https://app.example.com/client.json' }],
    ['holds a secret', { client_secret: 'x' }],
    ['wants to share a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['leads nowhere', { redirect_uris: [] }],
    ['is too long', { client_name: 'x', padding: 'x'.repeat(5200) }],
  ])('because it %s makes no client, and the developer learns why', async (_what, change) => {
    const client = host.publish('/bad.json', change)
    const { isKnown: found, says, answer } = await ask(realm, client)
    expect([found, says, answer.status]).toEqual([false, 'invalid_client', 400])
    expect(answer.text).toMatch(/client_id|document/)
    expect(await kept(client)).toBeNull()
  })

  test('is asked for once in a minute, however often somebody wants it', async () => {
    const client = host.publish('/bad.json', { client_secret: 'x' })
    for (let time = 0; time < 4; time++) expect(await isKnown(client)).toBe(false)
    expect(host.asked('/bad.json')).toBe(1)
    host.publish('/bad.json')
    node.clock.advance(minute)
    expect(await isKnown(client)).toBe(true)
    expect(host.asked('/bad.json')).toBe(2)
  })

  test('of names made up is not asked for without end', async () => {
    const asked = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        ask(realm, { ...host.publish('/x'), clientId: `${host.origin}/made-up-${at}` }),
      ),
    )
    expect(asked.map(({ answer }) => answer.status).filter((status) => status === 429)).toHaveLength(4)
    expect(host.requests).toHaveLength(20)
  })

  test('of new applications is read as often in an hour as one network may register without a token', async () => {
    const at = { realmId: realm.realmId, host: 'app.example.org' }
    const admit = (sourceIp: string, isNew: boolean) =>
      admitFetch(node.services, { ...at, sourceIp, isNew }).then(
        () => 'READ',
        ({ retryAfterSeconds }: DocumentRefusal) => retryAfterSeconds,
      )
    for (let count = 0; count < 20; count++) expect(await admit(`2001:db8::${count}`, true)).toBe('READ')
    expect(await admit('2001:db8::ffff', true)).toBeGreaterThan(3000)
    expect(await admit('2001:db8::ffff', false)).toBeLessThanOrEqual(60)
    expect(await admit('2001:db8:0:1::1', true)).toBe('READ')
  })

  test('neither is one more than the realm takes', async () => {
    await setProvisioning(realm, { cimdEnabled: true, dcrMaxClients: 1 })
    const clients = [host.publish('/one.json'), host.publish('/two.json')]
    const known = await Promise.all(clients.map(isKnown))
    expect(known.toSorted()).toEqual([false, true])
    expect((await Promise.all(clients.map(kept))).filter((client) => client !== null)).toHaveLength(1)
  })
})
