import { exportJWK, generateKeyPair } from 'jose'
import * as oauth from 'oauth4webapi'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, createClientIn, issuerOf, type TestRealm } from '../harness/index.ts'
import { createUnmovedRealm } from './unmoved-node.ts'
import { walk } from './walk.ts'

let realm: TestRealm
let resource: string
let server: oauth.AuthorizationServer
const afterwards = 'https://app.example.org/goodbye'
// The tests speak HTTP on loopback.
const insecure = { [oauth.allowInsecureRequests]: true }

beforeAll(async () => {
  realm = await createUnmovedRealm()
  resource = `${realm.node.url}/admin`
  server = await discover('oidc')
})

async function discover(algorithm: 'oidc' | 'oauth2'): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(issuerOf(realm))
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm, ...insecure }))
}

interface Party {
  id: string
  client: oauth.Client
  redirectUri: string
  authenticate: oauth.ClientAuth
}

/** A client with a secret, and one that proves itself with a key. */
async function register(method: string, members: Record<string, unknown> = {}): Promise<Party> {
  const common = { postLogoutRedirectUris: [afterwards], tokenEndpointAuthMethod: method, ...members }
  if (method !== 'private_key_jwt') {
    const { id, clientId, secret, redirectUri } = await createClientIn(realm, common)
    const authenticate = oauth.ClientSecretBasic(secret!)
    return { id, client: { client_id: clientId }, redirectUri, authenticate }
  }
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'app-key' }] }
  const { id, clientId, redirectUri } = await createClientIn(realm, { ...common, jwks })
  const authenticate = oauth.PrivateKeyJwt({ key: privateKey as oauth.CryptoKey, kid: 'app-key' })
  return { id, client: { client_id: clientId }, redirectUri, authenticate }
}

/** The request is pushed, the answer and the tokens are checked by the library, the signature of the ID token as well. */
async function signIn({ client, redirectUri, authenticate }: Party, params: Record<string, string> = {}) {
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const pushed = await oauth.pushedAuthorizationRequest(
    server,
    client,
    authenticate,
    {
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid profile',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
      ...params,
    },
    insecure,
  )
  const { request_uri: requestUri } = await oauth.processPushedAuthorizationResponse(server, client, pushed)
  const url = new URL(server.authorization_endpoint!)
  url.search = new URLSearchParams({ client_id: client.client_id, request_uri: requestUri }).toString()
  const browser = createBrowser(realm.node.url)
  const { callback } = await walk(browser, url)
  const answer = oauth.validateAuthResponse(server, client, callback as URL, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticate,
    answer,
    redirectUri,
    verifier,
    insecure,
  )
  const options = { expectedNonce: nonce, requireIdToken: true }
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, options)
  await oauth.validateApplicationLevelSignature(server, response, insecure)
  return { browser, tokens, claims: oauth.getValidatedIdTokenClaims(tokens)! }
}

async function introspect({ client, authenticate }: Party, token: string) {
  const response = await oauth.introspectionRequest(server, client, authenticate, token, insecure)
  return oauth.processIntrospectionResponse(server, client, response)
}

async function revoke({ client, authenticate }: Party, token: string) {
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, authenticate, token, insecure))
}

async function refresh({ client, authenticate }: Party, token: string) {
  const response = await oauth.refreshTokenGrantRequest(server, client, authenticate, token, insecure)
  return oauth.processRefreshTokenResponse(server, client, response)
}

async function requestAsMachine({ client, authenticate }: Party, params: Record<string, string>) {
  const response = await oauth.clientCredentialsGrantRequest(server, client, authenticate, params, insecure)
  return oauth.processClientCredentialsResponse(server, client, response)
}

/** What an API does with a token that is shown to it (RFC 9068). */
function readAsApi(token: string, audience: string) {
  const request = new Request('https://api.example.org/', { headers: { authorization: `Bearer ${token}` } })
  return oauth.validateJwtAccessToken(server, request, audience, insecure)
}

describe('oauth4webapi', () => {
  test('finds the same issuer by OpenID Connect Discovery and by RFC 8414', async () => {
    const asOAuth = await discover('oauth2')
    expect(asOAuth).toMatchObject({ issuer: issuerOf(realm), token_endpoint: server.token_endpoint })
    expect(server.authorization_response_iss_parameter_supported).toBe(true)
  })

  test.each(['client_secret_basic', 'private_key_jwt'])('lives a whole life with %s', async (method) => {
    const party = await register(method)
    const { browser, tokens, claims } = await signIn(party)
    expect(claims).toMatchObject({ sub: realm.adminId, aud: party.client.client_id })
    expect(await readAsApi(tokens.access_token, issuerOf(realm))).toMatchObject({ client_id: party.client.client_id })

    const asked = await oauth.userInfoRequest(server, party.client, tokens.access_token, insecure)
    const person = await oauth.processUserInfoResponse(server, party.client, claims.sub, asked)
    expect(person).toMatchObject({ sub: realm.adminId, preferred_username: 'admin' })

    const next = await refresh(party, tokens.refresh_token!)
    expect(oauth.getValidatedIdTokenClaims(next)).toMatchObject({ sub: claims.sub, auth_time: claims.auth_time })
    expect(await introspect(party, next.access_token)).toMatchObject({ active: true, sub: claims.sub })

    await revoke(party, next.access_token)
    expect(await introspect(party, next.access_token)).toEqual({ active: false })
    await revoke(party, next.refresh_token!)
    await expect(refresh(party, next.refresh_token!)).rejects.toMatchObject({ error: 'invalid_grant' })

    const bye = new URL(server.end_session_endpoint!)
    bye.searchParams.set('id_token_hint', next.id_token!)
    bye.searchParams.set('post_logout_redirect_uri', afterwards)
    expect(((await walk(browser, bye)).callback as URL).href).toBe(afterwards)
  })

  test.each(['client_secret_basic', 'private_key_jwt'])('gets tokens for a machine with %s', async (method) => {
    const party = await register(method, { grantTypes: ['client_credentials'], redirectUris: [] })
    const plain = await requestAsMachine(party, { scope: 'roles' })
    expect(await readAsApi(plain.access_token, issuerOf(realm))).toMatchObject({ scope: 'roles' })
    await expect(requestAsMachine(party, { resource })).rejects.toMatchObject({ error: 'invalid_target' })
    await realm.call('PUT', `/clients/${party.id}/allowed-resources`, { allowedResources: [resource] })
    const meant = await requestAsMachine(party, { resource })
    expect((await readAsApi(meant.access_token, resource)).aud).toBe(resource)
    await expect(readAsApi(meant.access_token, issuerOf(realm))).rejects.toThrow(/"aud"/)
  })

  test('gets a token for a resource with a sign-in', async () => {
    const party = await register('client_secret_basic')
    await realm.call('PUT', `/clients/${party.id}/allowed-resources`, { allowedResources: [resource] })
    const { tokens } = await signIn(party, { resource })
    expect((await readAsApi(tokens.access_token, resource)).sub).toBe(realm.adminId)
  })

  test('S30: an assertion is good once', async () => {
    const party = await register('private_key_jwt', { grantTypes: ['client_credentials'], redirectUris: [] })
    const body = new URLSearchParams()
    await party.authenticate(server, party.client, body, new Headers())
    const replaying = { ...party, authenticate: (...[, , form]: Parameters<oauth.ClientAuth>) => copyInto(form, body) }
    await requestAsMachine(replaying, {})
    await expect(requestAsMachine(replaying, {})).rejects.toMatchObject({ status: 401 })
  })
})

function copyInto(form: URLSearchParams, members: URLSearchParams): void {
  for (const [name, value] of members) form.set(name, value)
}
