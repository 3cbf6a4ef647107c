// A server that protects its tools with a realm: the examples of examples/mcp, which know nothing but the address of the server,
// and what the authorization part of the Model Context Protocol says about the issuer behind it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findClient } from '../../src/domain/clients/index.ts'
import {
  api,
  authorize,
  type Browser,
  createBrowser,
  createRealmFor,
  issuerOf,
  redeem,
  refresh,
  requestToken,
  signInTo,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { must } from '../harness/realm.ts'
import { makeCertificate } from '../messaging/certificate.ts'
import { createMcpClient, findPort, type McpClient, type McpServer, startMcpServer } from './mcp-example.ts'

const scopes = ['notes:read', 'notes:write', 'offline_access']
const localRedirect = 'http://127.0.0.1/callback'

let node: TestNode
let realm: TestRealm
let server: McpServer
let document: { url: string; env: Record<string, string>; stop(): void }
const clients: McpClient[] = []

beforeAll(async () => {
  document = await prepareDocument()
  const allow = new URL(document.url).origin
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: allow, GATEHOUSE_WORKER: 'false' } })
  const port = await findPort()
  realm = await prepareRealm(`http://127.0.0.1:${port}/mcp`)
  server = await startMcpServer(issuerOf(realm), { port })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await node.stop()
  document.stop()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.stop()
})

/** All that an administrator does for an MCP server, once. */
async function prepareRealm(resource: string, change: object = {}): Promise<TestRealm> {
  const made = await createRealmFor({ node })
  for (const name of ['notes:read', 'notes:write']) await must(made.call('POST', '/client-scopes', { name }), 201)
  const open = {
    dcrAnonymousAllowed: true,
    cimdEnabled: true,
    dcrAllowedScopes: scopes,
    dcrAllowedResources: [resource],
  }
  await must(made.call('PUT', '/provisioning', { ...open, ...change }), 200)
  return made
}

/** The client hosts its document itself; its certificate is trusted here as that of a public authority would be. */
async function prepareDocument() {
  const certificate = await makeCertificate('localhost')
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate.cert])
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mcp-tls-'))
  const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(TLS_CERT, certificate.cert)
  writeFileSync(TLS_KEY, certificate.key)
  const url = `https://localhost:${await findPort()}/mcp-client.json`
  return {
    url,
    env: { CLIENT_METADATA_URL: url, TLS_CERT, TLS_KEY },
    stop() {
      setDefaultCACertificates(trusted)
      rmSync(folder, { recursive: true })
    },
  }
}

function create(env: Record<string, string> = {}, person: Browser = createBrowser(node.url)): McpClient {
  const client = createMcpClient({ server: server.url, env, person })
  clients.push(client)
  return client
}

const issuer = () => issuerOf(realm)
const findKept = (clientId: string) => realm.run((ctx) => findClient(ctx.tx, realm.realmId, clientId))
const tokensOf = (client: McpClient) => client.readState().tokens[server.url]!
const scopeOf = (address: URL | undefined) => address?.searchParams.get('scope')?.split(' ').toSorted()

/** First to read, then more when a tool needs it, then with what is there; all by itself but for the person. */
async function goWholeWay(client: McpClient) {
  const first = await client.run('list')
  expect([first.code, first.output], first.complaints).toEqual([0, ''])
  expect(first.pages).toEqual([['sign-in', 'consent']])
  // No more than the first tool needs, and a token that outlives the session.
  expect(scopeOf(first.asked[0])).toEqual(['notes:read', 'offline_access'])
  expect(first.asked[0]?.searchParams.get('resource')).toBe(server.url)
  expect(decodeJwt(tokensOf(client).access_token)).toMatchObject({ aud: server.url, iss: issuer(), sub: realm.adminId })

  const more = await client.run('add', 'Milk')
  expect([more.code, more.output], more.complaints).toEqual([0, 'Kept. That makes 1.\n'])
  // The person is signed in already, and is asked about what is new.
  expect(more.pages).toEqual([['consent']])
  expect(scopeOf(more.asked[0])).toEqual(scopes)

  const { refresh_token: before } = tokensOf(client)
  client.spoilToken()
  const later = await client.run('list')
  expect([later.code, later.output, later.asked], later.complaints).toEqual([0, 'Milk\n', []])
  const { refresh_token: after, access_token: token } = tokensOf(client)
  expect(after).not.toBe(before)
  expect(String(decodeJwt(token).scope).split(' ').toSorted()).toEqual(scopes)

  await server.restart()
  const restarted = await client.run('list')
  expect([restarted.code, restarted.output, restarted.asked]).toEqual([0, '', []])
  return first
}

describe('with nothing but the address of the server', () => {
  test('mcp-dcr mcp-client-application-type mcp-client-grant-types mcp-step-up mcp-client-scope-union mcp-as-rotation: a client registers itself', async () => {
    const client = create()
    await goWholeWay(client)
    const registered = client.readState().clients[issuer()]!
    expect(registered).toMatchObject({
      application_type: 'native',
      redirect_uris: [localRedirect],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    })
    const kept = await findKept(String(registered.client_id))
    // What it may ask for is the realm's to say, and not written down at the client.
    expect(kept).toMatchObject({ createdBy: 'DCR', publicClient: true, consentRequired: true, allowedResources: [] })
  }, 60_000)

  test('mcp-cimd mcp-client-document mcp-client-checks-cimd mcp-as-document-redirects: a client points to its document', async () => {
    const client = create(document.env)
    const { asked } = await goWholeWay(client)
    expect(asked[0]?.searchParams.get('client_id')).toBe(document.url)
    expect(await findKept(document.url)).toMatchObject({
      createdBy: 'CIMD',
      name: 'Notes client',
      redirectUris: [localRedirect],
    })
    const evil = { id: '', clientId: document.url, secret: null, redirectUri: 'https://evil.example/callback' }
    const { answer } = await authorize(realm, evil)
    expect([answer.status, answer.headers.location]).toEqual([400, undefined])
  }, 60_000)

  test('a client that an administrator made works as well', async () => {
    const members = {
      clientId: 'notes',
      publicClient: true,
      redirectUris: [localRedirect],
      scopes,
      consentRequired: true,
    }
    await must(realm.call('POST', '/clients', members), 201)
    await must(realm.call('PUT', '/clients/notes/allowed-resources', { allowedResources: [server.url] }), 200)
    const { code, output, pages } = await create({ CLIENT_ID: 'notes', ISSUER: issuer() }).run('add', 'Eggs')
    // To begin with for what the server names, then for what the tool needs.
    expect([code, output]).toEqual([0, expect.stringContaining('Kept.')])
    expect(pages).toEqual([['sign-in', 'consent'], ['consent']])
  })
})

describe('the client', () => {
  test('mcp-client-binding mcp-client-separate-state mcp-client-own-tokens: starts anew when the server gets another issuer', async () => {
    const client = create()
    expect((await client.run('list')).code).toBe(0)
    const old = { id: client.readState().clients[issuer()]?.client_id, token: tokensOf(client).access_token }
    const other = await prepareRealm(server.url)
    await server.restart(issuerOf(other))
    try {
      const { code, asked, complaints } = await client.run('list')
      expect([code, asked.length], complaints).toEqual([0, 1])
      expect(asked[0]?.pathname).toBe(`/realms/${other.realmId}/authorize`)
      const { clients: known } = client.readState()
      expect(known[issuer()]?.client_id).toBe(old.id)
      expect(known[issuerOf(other)]?.client_id).not.toBe(old.id)
      expect(decodeJwt(tokensOf(client).access_token).iss).toBe(issuerOf(other))
      // Nothing of the old issuer was shown to the new one.
      expect(await other.events('&type=TOKEN_REFRESH_FAILED')).toEqual([])
    } finally {
      await server.restart(issuer())
    }
  }, 60_000)

  test('mcp-client-registration-refused: says why it was not registered', async () => {
    const strict = await prepareRealm(server.url, { dcrAllowedRedirectHosts: ['shop.example.com'] })
    await server.restart(issuerOf(strict))
    try {
      const { code, complaints, asked } = await create().run('list')
      expect([code, asked]).toEqual([1, []])
      expect(complaints).toMatch(/RegistrationRejectedError.*redirect_uris\[0\]/s)
    } finally {
      await server.restart(issuer())
    }
  }, 30_000)
})

describe('the issuer', () => {
  const register = async (members: object) => {
    const url = `${issuer()}/connect/register`
    return api(url, 'POST', { json: { redirect_uris: [localRedirect], ...members } })
  }
  const native = { application_type: 'native', token_endpoint_auth_method: 'none' }
  const registerNative = async (members: object = {}): Promise<TestClient> => {
    const { body } = await must(register({ ...native, ...members }), 201)
    return { id: '', clientId: body.client_id, secret: null, redirectUri: 'http://127.0.0.1:4711/callback' }
  }
  const read = () => ({ params: { scope: 'notes:read', resource: server.url, nonce: undefined } })

  test('mcp-as-metadata mcp-as-pkce-metadata mcp-as-advertises-cimd mcp-as-iss-metadata: says in all its documents what clients need', async () => {
    const inserted = issuer().replace('/realms/', '/.well-known/oauth-authorization-server/realms/')
    const own = ['oauth-authorization-server', 'openid-configuration'].map((name) => `${issuer()}/.well-known/${name}`)
    for (const place of [inserted, ...own]) {
      const { status, body } = await api(place, 'GET')
      expect([place, status]).toEqual([place, 200])
      expect(body).toMatchObject({
        issuer: issuer(),
        code_challenge_methods_supported: ['S256'],
        registration_endpoint: `${issuer()}/connect/register`,
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
        scopes_supported: expect.arrayContaining(scopes),
      })
    }
    const closed = await prepareRealm(server.url, { dcrEnabled: false, cimdEnabled: false })
    const { body } = await api(`${issuerOf(closed)}/.well-known/openid-configuration`, 'GET')
    expect(body).not.toHaveProperty('registration_endpoint')
    expect(body).not.toHaveProperty('client_id_metadata_document_supported')
  })

  test('mcp-as-audience mcp-as-short-lived: gives tokens for the one server that was named', async () => {
    const client = await registerNative()
    const tokens = await signInTo(realm, client, read())
    expect(tokens.expires_in).toBeLessThanOrEqual(300)
    expect(decodeJwt(tokens.access_token!)).toMatchObject({ aud: server.url, scope: 'notes:read' })
    const elsewhere = { params: { ...read().params, resource: 'https://other.example/mcp' } }
    expect((await authorize(realm, client, elsewhere)).params).toMatchObject({ error: 'invalid_target' })
    // Neither with the code nor later can it become one for another.
    const authorization = await authorize(realm, client, read())
    const form = {
      ...{ grant_type: 'authorization_code', code: authorization.params.code!, code_verifier: authorization.verifier },
      ...{ redirect_uri: client.redirectUri, resource: 'https://other.example/mcp' },
    }
    expect((await requestToken(realm, client, form)).body.error).toBe('invalid_target')
    const again = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token! }
    const other = await requestToken(realm, client, { ...again, resource: 'https://other.example/mcp' })
    expect(other.body.error).toBe('invalid_target')
  })

  test('mcp-as-other-token: a token that it gave for something else opens nothing at the server', async () => {
    const client = await registerNative()
    const tokens = await signInTo(realm, client, { params: { scope: 'openid notes:read' } })
    expect(decodeJwt(tokens.access_token!).aud).toBe(issuer())
    for (const token of [tokens.access_token!, tokens.id_token!]) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      expect((await fetch(server.url, { method: 'POST', headers, body: '{}' })).status).toBe(401)
    }
  })

  test('mcp-as-oauth21: has no way without a code, without PKCE or with a password', async () => {
    const client = await registerNative()
    const { body } = await api(`${issuer()}/.well-known/openid-configuration`, 'GET')
    expect(body.response_types_supported).toEqual(['code'])
    const bare = { ...read().params, code_challenge: undefined, code_challenge_method: undefined }
    expect((await authorize(realm, client, { params: bare })).params).toMatchObject({ error: 'invalid_request' })
    const secretive = (await must(register({ redirect_uris: ['https://app.example.org/callback'] }), 201)).body
    const confidential = {
      id: '',
      clientId: secretive.client_id,
      secret: secretive.client_secret,
      redirectUri: 'https://app.example.org/callback',
    }
    expect((await authorize(realm, confidential, { params: { ...bare, scope: 'openid' } })).params).toMatchObject({
      error: 'invalid_request',
    })
    const password = { grant_type: 'password', username: 'admin', password: 'x' }
    expect((await requestToken(realm, client, password)).body.error).toBe('unauthorized_client')
  })

  test('mcp-as-redirect-https mcp-as-redirect-exact mcp-as-open-redirect mcp-client-redirect-registered: sends people only where the client said', async () => {
    for (const uri of ['http://app.example.org/callback', 'http://10.0.0.1/callback', 'javascript:alert(1)']) {
      const { status, body } = await register({ ...native, redirect_uris: [uri] })
      expect([uri, status, body.error]).toEqual([uri, 400, 'invalid_redirect_uri'])
    }
    const client = await registerNative()
    for (const redirectUri of [
      'https://evil.example/callback',
      'http://127.0.0.1:4711/callback/more',
      'http://127.0.0.1.evil.example/callback',
    ]) {
      const { answer } = await authorize(realm, { ...client, redirectUri }, read())
      expect([redirectUri, answer.status, answer.headers.location]).toEqual([redirectUri, 400, undefined])
    }
  })

  test('mcp-as-iss: names itself in every answer, also in errors', async () => {
    const client = await registerNative()
    const denied = await authorize(realm, client, { ...read(), decision: 'deny' })
    expect(denied.params).toMatchObject({ error: 'access_denied', iss: issuer() })
    expect((await authorize(realm, client, read())).params).toMatchObject({ code: expect.any(String), iss: issuer() })
    const unknown = await authorize(realm, client, { params: { ...read().params, scope: 'no-such-scope' } })
    expect(unknown.params).toMatchObject({ error: 'invalid_scope', iss: issuer() })
  })

  test('mcp-as-local-warning: tells people that the answer goes to a program on their device', async () => {
    const client = await registerNative({ client_name: 'First National Bank' })
    const { answer } = await authorize(realm, client, { ...read(), browser: realm.admin, stopAtPage: true })
    expect(answer.text).toContain('First National Bank')
    expect(answer.text).toContain('a program on this device')
  })
})

describe('what a realm opens to applications that nobody looked at', () => {
  const url = () => `${issuer()}/connect/register`
  const resource = () => server.url

  test('a machine gets none of it: nobody is asked', async () => {
    const members = { grant_types: ['client_credentials'], scope: 'notes:write' }
    const { body } = await must(api(url(), 'POST', { json: members }), 201)
    const machine = { id: '', clientId: body.client_id, secret: body.client_secret, redirectUri: '' }
    const form = { grant_type: 'client_credentials', scope: 'notes:write' }
    expect((await requestToken(realm, machine, { ...form, resource: resource() })).body.error).toBe('invalid_target')
    expect(decodeJwt((await must(requestToken(realm, machine, form), 200)).body.access_token).aud).toBe(issuer())
  })

  test('a client of an administrator gets none of it: that one has its own list', async () => {
    const members = { clientId: 'own', publicClient: true, redirectUris: ['https://app.example.org/callback'] }
    await must(realm.call('POST', '/clients', members), 201)
    const own = { id: '', clientId: 'own', secret: null, redirectUri: 'https://app.example.org/callback' }
    const asked = await authorize(realm, own, { params: { scope: 'openid', resource: resource() } })
    expect(asked.params.error).toBe('invalid_target')
    expect((await authorize(realm, own, { params: { scope: 'notes:read', nonce: undefined } })).params.error).toBe(
      'invalid_scope',
    )
  })

  test('ends for tokens to come as soon as the realm closes it again', async () => {
    const mine = await prepareRealm(resource())
    const { body } = await must(
      api(`${issuerOf(mine)}/connect/register`, 'POST', {
        json: { token_endpoint_auth_method: 'none', application_type: 'native', redirect_uris: [localRedirect] },
      }),
      201,
    )
    const client = { id: '', clientId: body.client_id, secret: null, redirectUri: localRedirect }
    const wish = { params: { scope: 'notes:read', resource: resource(), nonce: undefined } }
    const tokens = await signInTo(mine, client, wish)
    const open = { dcrAnonymousAllowed: true, dcrAllowedScopes: scopes }
    await must(mine.call('PUT', '/provisioning', { ...open, dcrAllowedResources: [] }), 200)
    expect((await refresh(mine, client, tokens.refresh_token!)).body.error).toBe('invalid_target')
    expect((await authorize(mine, client, wish)).params.error).toBe('invalid_target')
    // Where only tokens of an administrator let applications in, each has the scopes that it named.
    await must(mine.call('PUT', '/provisioning', { ...open, dcrAnonymousAllowed: false }), 200)
    expect((await authorize(mine, client, { params: { scope: 'notes:read', nonce: undefined } })).params.error).toBe(
      'invalid_scope',
    )
    const authorization = await authorize(mine, client, { params: { scope: 'openid' } })
    expect((await redeem(mine, client, authorization)).status).toBe(200)
  })

  test('a client that can also act for itself has the scopes that it named', async () => {
    const ask = async (grantTypes: string[], scope: string) => {
      const redirectUri = 'https://app.example.org/callback'
      const members = { redirect_uris: [redirectUri], scope: 'notes:read', grant_types: grantTypes }
      const { body } = await must(api(url(), 'POST', { json: members }), 201)
      const client = { id: '', clientId: body.client_id, secret: body.client_secret, redirectUri }
      return (await authorize(realm, client, { params: { scope, resource: resource(), nonce: undefined } })).params
    }
    const both = ['authorization_code', 'client_credentials']
    expect(await ask(both, 'notes:read')).toHaveProperty('code')
    expect((await ask(both, 'notes:read notes:write')).error).toBe('invalid_scope')
    expect(await ask(['authorization_code'], 'notes:read notes:write')).toHaveProperty('code')
  })
})
