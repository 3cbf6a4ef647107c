import { exportJWK, generateKeyPair } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser, createClientIn, issuerOf, type TestRealm } from '../harness/index.ts'
import { createUnmovedRealm } from './unmoved-node.ts'
import { walk } from './walk.ts'

let realm: TestRealm
let resource: string
const afterwards = 'https://app.example.org/goodbye'

beforeAll(async () => {
  realm = await createUnmovedRealm()
  resource = `${realm.node.url}/admin`
})

const discover = (clientId: string, authenticate?: openid.ClientAuth) =>
  openid.discovery(new URL(issuerOf(realm)), clientId, undefined, authenticate, {
    // The tests speak HTTP on loopback; the ID token is checked by its signature all the same.
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
  })

/** How a relying party may prove who it is, with a client that is registered for it. */
const authentications = [
  { how: 'client_secret_basic', method: 'client_secret_basic', alg: null },
  { how: 'client_secret_post', method: 'client_secret_post', alg: null },
  { how: 'private_key_jwt with ES256', method: 'private_key_jwt', alg: 'ES256' },
  { how: 'private_key_jwt with PS256', method: 'private_key_jwt', alg: 'PS256' },
  { how: 'nothing, as a public client', method: 'none', alg: null },
]

async function register({ method, alg }: (typeof authentications)[number], members: Record<string, unknown> = {}) {
  const isPublic = method === 'none'
  const common = { postLogoutRedirectUris: [afterwards], ...members, ...(isPublic ? { publicClient: true } : {}) }
  if (alg === null) {
    const client = await createClientIn(realm, { ...common, tokenEndpointAuthMethod: method })
    const authenticate =
      { none: openid.None, client_secret_post: openid.ClientSecretPost }[method] ?? openid.ClientSecretBasic
    return { client, config: await discover(client.clientId, authenticate(client.secret ?? undefined)) }
  }
  const { publicKey, privateKey } = await generateKeyPair(alg)
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'app-key', alg, use: 'sig' }] }
  const client = await createClientIn(realm, { ...common, tokenEndpointAuthMethod: method, jwks })
  const authenticate = openid.PrivateKeyJwt({ key: privateKey as openid.CryptoKey, kid: 'app-key' })
  return { client, config: await discover(client.clientId, authenticate) }
}

async function signIn(config: openid.Configuration, redirectUri: string, params: Record<string, string> = {}) {
  const browser = createBrowser(realm.node.url)
  const pkceCodeVerifier = openid.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()]
  const url = await openid.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    ...params,
  })
  // What was asked for stays between the relying party and the issuer.
  expect([...url.searchParams.keys()].toSorted()).toEqual(['client_id', 'request_uri'])
  const { callback, answer } = await walk(browser, url)
  if (!callback) throw new Error(`the application was not called: ${answer.status} ${answer.text}`)
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
  return { browser, tokens: await openid.authorizationCodeGrant(config, callback, checks) }
}

describe.each(authentications)('openid-client, authenticating by $how', (authentication) => {
  test('lives a whole life: pushed request, code, userinfo, refresh, introspection, revocation, sign-out', async () => {
    const { client, config } = await register(authentication)
    const { browser, tokens } = await signIn(config, client.redirectUri)
    const { sub } = tokens.claims()!
    expect(sub).toBe(realm.adminId)
    expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ preferred_username: 'admin' })

    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!)
    expect(refreshed.claims()!.sub).toBe(sub)
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
      active: true,
      sub,
      client_id: client.clientId,
    })

    await openid.tokenRevocation(config, refreshed.access_token)
    expect(await openid.tokenIntrospection(config, refreshed.access_token)).toEqual({ active: false })
    await openid.tokenRevocation(config, refreshed.refresh_token!)
    const gone = openid.refreshTokenGrant(config, refreshed.refresh_token!)
    await expect(gone).rejects.toMatchObject({ error: 'invalid_grant' })

    const params = { id_token_hint: refreshed.id_token!, post_logout_redirect_uri: afterwards, state: 'bye' }
    const { callback } = await walk(browser, openid.buildEndSessionUrl(config, params))
    expect((callback as URL).href).toBe(`${afterwards}?state=bye`)
  })
})

describe('openid-client', () => {
  test('gets tokens for a machine, also for a resource that the client may use', async () => {
    for (const authentication of authentications.filter(({ method }) => method !== 'none')) {
      const { client, config } = await register(authentication, {
        grantTypes: ['client_credentials'],
        redirectUris: [],
      })
      const plain = await openid.clientCredentialsGrant(config, { scope: 'roles' })
      expect(plain.scope).toBe('roles')
      const refused = openid.clientCredentialsGrant(config, { resource })
      await expect(refused).rejects.toMatchObject({ error: 'invalid_target' })
      await realm.call('PUT', `/clients/${client.id}/allowed-resources`, { allowedResources: [resource] })
      const { access_token: token } = await openid.clientCredentialsGrant(config, { resource })
      expect(await openid.tokenIntrospection(config, token)).toMatchObject({ active: true, aud: resource })
    }
  })

  test('gets a token for a resource with a sign-in, and userinfo does not take it', async () => {
    const { client, config } = await register(authentications[0]!)
    await realm.call('PUT', `/clients/${client.id}/allowed-resources`, { allowedResources: [resource] })
    const { tokens } = await signIn(config, client.redirectUri, { resource })
    expect(await openid.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, aud: resource })
    const refused = openid.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub)
    await expect(refused).rejects.toMatchObject({ status: 401 })
  })

  test('is refused with a secret or a key that is not its own', async () => {
    const { client } = await register(authentications[0]!, { grantTypes: ['client_credentials'], redirectUris: [] })
    const wrongSecret = await discover(client.clientId, openid.ClientSecretBasic('wrong'))
    await expect(openid.clientCredentialsGrant(wrongSecret)).rejects.toMatchObject({ status: 401 })
    const keyed = await register(authentications[2]!, { grantTypes: ['client_credentials'], redirectUris: [] })
    const { privateKey } = await generateKeyPair('ES256')
    const wrongKey = await discover(
      keyed.client.clientId,
      openid.PrivateKeyJwt({ key: privateKey as openid.CryptoKey, kid: 'app-key' }),
    )
    await expect(openid.clientCredentialsGrant(wrongKey)).rejects.toMatchObject({ status: 401 })
  })
})
