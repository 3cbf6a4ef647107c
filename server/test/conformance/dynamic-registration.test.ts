// The plan of the Dynamic OP: every client registers itself and proves who it is with a key of its own (private_key_jwt).
import { decodeProtectedHeader } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  api,
  createBrowser,
  createRealmFor,
  issuerOf,
  must,
  redirectUri,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { type ClientKey, makeKey } from '../harness/signing.ts'
import { type HttpHost, startHttpHost } from '../messaging/http-host.ts'
import { walk } from '../relying-parties/walk.ts'
import { ask, finish, type Party, type SignIn } from './party.ts'

// The clock is moved where the suite waits, so the node is its own.
let node: TestNode
let realm: TestRealm
let host: HttpHost
let initialAccessToken: string
let key: ClientKey
/** What the client publishes at its address. */
let published: ClientKey[]

beforeAll(async () => {
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  realm = await createRealmFor({ node })
  host = await startHttpHost({ answer: () => ({ body: JSON.stringify({ keys: published.map(({ jwk }) => jwk) }) }) })
  key = await makeKey('RS256')
  const wanted = { count: 20, allowedScopes: ['offline_access'] }
  initialAccessToken = (await must(realm.call('POST', '/provisioning/initial-access-tokens', wanted), 201)).body.token
})
beforeEach(() => {
  published = [key]
})
afterAll(async () => {
  await host.stop()
  await node.stop()
})

const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
const authenticate = (by: ClientKey, options?: openid.ModifyAssertionOptions) =>
  openid.PrivateKeyJwt({ key: by.privateKey, kid: by.kid }, options)

/** What the suite registers: keys by value unless they are at an address. */
const asTheSuiteRegisters = () => ({
  client_name: 'Conformance suite',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
  contacts: ['certification@example.org'],
  token_endpoint_auth_method: 'private_key_jwt',
})

async function register(metadata: Partial<openid.ClientMetadata> = {}, by = authenticate(key)): Promise<Party> {
  const keys = metadata.jwks_uri === undefined ? { jwks: { keys: [key.jwk] } } : {}
  const whole = { ...asTheSuiteRegisters(), ...keys, ...metadata } as Partial<openid.ClientMetadata>
  const config = await openid.dynamicClientRegistration(new URL(issuerOf(realm)), whole, by, {
    initialAccessToken,
    execute,
  })
  const { client_id: clientId, redirect_uris: [address] = [] } = config.clientMetadata() as {
    redirect_uris?: string[]
  } & {
    client_id: string
  }
  return { realm, config, client: { id: '', clientId, secret: null, redirectUri: address as string } }
}

/** Registered clients must use PKCE, which the suite leaves out. */
const pkceCodeVerifier = openid.randomPKCECodeVerifier()
async function challenged(params: Record<string, string> = {}): Promise<Record<string, string>> {
  const challenge = await openid.calculatePKCECodeChallenge(pkceCodeVerifier)
  return { code_challenge: challenge, code_challenge_method: 'S256', ...params }
}

async function signInWith(party: Party, options: SignIn = {}) {
  const asked = await ask(party, { ...options, params: await challenged(options.params) })
  const tokens = await finish(party, asked, { pkceCodeVerifier })
  return { ...asked, tokens, claims: tokens.claims()! }
}

async function expectErrorPage(party: Party, params: Record<string, string>): Promise<void> {
  const { callback, answer } = await ask(party, { params: await challenged(params) })
  expect(callback).toBeNull()
  expect([answer.status, answer.text.includes('redirect_uri')]).toEqual([400, true])
}

describe('oidcc-dynamic-certification-test-plan', () => {
  test('oidcc-discovery-endpoint-verification: the document says where to register', async () => {
    const { body } = await must(api(`${issuerOf(realm)}/.well-known/openid-configuration`, 'GET'), 200)
    expect(body.registration_endpoint).toBe(`${issuerOf(realm)}/connect/register`)
    expect(body.token_endpoint_auth_methods_supported).toContain('private_key_jwt')
    expect(body.token_endpoint_auth_signing_alg_values_supported).toContain('RS256')
    expect(body.scopes_supported).toContain('offline_access')
  })

  test('oidcc-server: who registered signs people in', async () => {
    const party = await register()
    expect(party.config.clientMetadata()).toMatchObject({
      ...asTheSuiteRegisters(),
      client_id: expect.any(String),
      client_id_issued_at: expect.any(Number),
      registration_access_token: expect.any(String),
      registration_client_uri: expect.stringContaining(issuerOf(realm)),
    })
    const { tokens, claims } = await signInWith(party)
    expect(claims).toMatchObject({ iss: issuerOf(realm), aud: party.client.clientId, sub: realm.adminId })
    const told = await openid.fetchUserInfo(party.config, tokens.access_token, claims.sub)
    expect(told.sub).toBe(claims.sub)
  })

  test('oidcc-idtoken-rs256: the ID token is signed with it and names its key', async () => {
    const { tokens } = await signInWith(await register({ id_token_signed_response_alg: 'RS256' }))
    const keys = (await api(`${issuerOf(realm)}/.well-known/jwks.json`, 'GET')).body.keys as { kid: string }[]
    const { alg, kid } = decodeProtectedHeader(tokens.id_token!)
    expect(alg).toBe('RS256')
    expect(keys.map((one) => one.kid)).toContain(kid)
  })

  test('oidcc-ensure-redirect-uri-in-authorization-request: without one a page says so', async () => {
    const party = await register()
    const query = new URLSearchParams({ client_id: party.client.clientId, response_type: 'code', scope: 'openid' })
    const start = new URL(`${issuerOf(realm)}/authorize?${query}`)
    const { callback, answer } = await walk(createBrowser(realm.node.url), start)
    expect([callback, answer.status, answer.text.includes('redirect_uri')]).toEqual([null, 400, true])
  })

  test('oidcc-redirect-uri-query-OK: an address with a query is called with it', async () => {
    const address = `${redirectUri}?foo=bar`
    const party = await register({ redirect_uris: [address] })
    const { callback, expectedState } = await ask(party, { params: await challenged() })
    const { searchParams } = callback as URL
    expect(Object.fromEntries(searchParams)).toMatchObject({ foo: 'bar', state: expectedState, iss: issuerOf(realm) })
    const parameters = { code: searchParams.get('code')!, redirect_uri: address, code_verifier: pkceCodeVerifier }
    const tokens = await openid.genericGrantRequest(party.config, 'authorization_code', parameters)
    expect(tokens.claims()!.sub).toBe(realm.adminId)
  })

  test('oidcc-redirect-uri-query-mismatch: another query is another address', async () => {
    const party = await register({ redirect_uris: [`${redirectUri}?foo=bar`] })
    await expectErrorPage(party, { redirect_uri: `${redirectUri}?bar=foo` })
  })

  test('oidcc-redirect-uri-query-added: so is one where none is registered', async () => {
    await expectErrorPage(await register(), { redirect_uri: `${redirectUri}?foo=bar` })
  })

  test('oidcc-redirect-uri-regfrag: an address with a fragment is not registered', async () => {
    const refused = register({ redirect_uris: [`${redirectUri}#foobar`] })
    await expect(refused).rejects.toMatchObject({ error: 'invalid_redirect_uri', status: 400 })
  })

  test('oidcc-registration-jwks-uri: the key is found at the client’s address', async () => {
    const asked = host.requests.length
    const party = await register({ jwks_uri: `${host.origin}/jwks` })
    expect((await signInWith(party)).claims.sub).toBe(realm.adminId)
    expect(host.requests.slice(asked).map(({ path }) => path)).toEqual(['/jwks'])
  })

  test('oidcc-refresh-token: gives new tokens about the same sign-in, to the client it was issued to', async () => {
    const granted = { grant_types: ['authorization_code', 'refresh_token'], scope: 'openid offline_access' }
    const party = await register(granted)
    const params = { scope: 'openid offline_access', prompt: 'consent' }
    const { tokens, claims } = await signInWith(party, { params })
    const refreshed = await openid.refreshTokenGrant(party.config, tokens.refresh_token!)
    const { iss, sub, aud, auth_time } = claims
    expect(refreshed.claims()).toMatchObject({ iss, sub, aud, auth_time })
    const stolen = openid.refreshTokenGrant((await register(granted)).config, refreshed.refresh_token!)
    await expect(stolen).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
  })

  test('oidcc-ensure-client-assertion-with-iss-aud-succeeds: the issuer is an audience', async () => {
    const audiences: unknown[] = []
    const forIssuer = authenticate(key, {
      [openid.modifyAssertion]: (_header, payload) => {
        payload.aud = issuerOf(realm)
        audiences.push(payload.aud)
      },
    })
    expect((await signInWith(await register({}, forIssuer))).claims.sub).toBe(realm.adminId)
    expect(audiences).toEqual([issuerOf(realm)])
  })

  test('oidcc-server-rotate-keys: the new key is published beside the old one', async () => {
    const read = async () =>
      (await api(`${issuerOf(realm)}/.well-known/jwks.json`, 'GET')).body.keys as { kid: string; d?: string }[]
    const before = (await read()).map(({ kid }) => kid)
    await must(realm.call('POST', '/keys/rotate'), 201)
    const after = await read()
    const ids = after.map(({ kid }) => kid)
    expect(ids).toEqual(expect.arrayContaining(before))
    expect(new Set(ids).size).toBe(before.length + 1)
    expect(after.filter(({ d }) => d !== undefined)).toEqual([])
    // What is signed from now on verifies, which the suite leaves out.
    expect((await signInWith(await register())).claims.sub).toBe(realm.adminId)
  })

  test('oidcc-refresh-token-rp-key-rotation: a key that the client published since then counts', async () => {
    const party = await register({
      jwks_uri: `${host.origin}/jwks`,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid offline_access',
    })
    const params = { scope: 'openid offline_access', prompt: 'consent' }
    const { tokens, claims } = await signInWith(party, { params })
    const next = await makeKey()
    published = [next]
    // Where the suite waits for a minute.
    node.clock.advance(60_000)
    const { client_id: clientId } = party.config.clientMetadata()
    const rotated = await openid.discovery(new URL(issuerOf(realm)), clientId, undefined, authenticate(next), {
      execute,
    })
    const refreshed = await openid.refreshTokenGrant(rotated, tokens.refresh_token!)
    const told = await openid.fetchUserInfo(rotated, refreshed.access_token, claims.sub)
    expect(told.sub).toBe(claims.sub)
    // The key that is gone is of no use any more.
    const old = openid.refreshTokenGrant(party.config, refreshed.refresh_token!)
    await expect(old).rejects.toMatchObject({ error: 'invalid_client', status: 401 })
  })
})
