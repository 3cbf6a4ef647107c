// FAPI 2.0 Security Profile, plain_fapi with private_key_jwt, DPoP and OpenID Connect: requests, answers and PAR.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as openid from 'openid-client'
import { api, createBrowser, redirectUri, type TestRealm } from '../harness/index.ts'
import { assertAs, type ClientKey, makeKey } from '../harness/signing.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import {
  ask,
  createFapiParty,
  expectError,
  type FapiParty,
  getCode,
  getTokens,
  handleOf,
  nowInSeconds,
  open,
  push,
  redeemCode,
  requestOf,
  signIn,
  verifier,
} from './fapi-party.ts'

let realm: TestRealm
let rsa: ClientKey
let one: FapiParty
/** As the suite has it: with a query in its address. People are asked here. */
let two: FapiParty

beforeAll(async () => {
  realm = await createUnmovedRealm()
  rsa = await makeKey('PS256')
  one = await createFapiParty(realm, rsa)
  const address = `${redirectUri}?dummy1=lorem&dummy2=ipsum`
  two = await createFapiParty(realm, await makeKey(), { redirectUris: [address], consentRequired: true })
})

describe('fapi2-security-profile-final-test-plan', () => {
  test('fapi2-security-profile-final-discovery-end-point-verification', () => {
    expect(one.config.serverMetadata()).toMatchObject({
      issuer: one.issuer,
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
      pushed_authorization_request_endpoint: `${one.issuer}/par`,
      require_pushed_authorization_requests: expect.any(Boolean),
      dpop_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['PS256']),
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
      code_challenge_methods_supported: ['S256'],
      scopes_supported: expect.arrayContaining(['openid']),
      subject_types_supported: expect.arrayContaining(['public']),
      jwks_uri: expect.stringContaining(one.issuer),
    })
  })

  test('fapi2-security-profile-final-happy-flow: two clients, each with its own tokens', async () => {
    const { tokens, claims, params } = await signIn(one)
    expect(params.iss).toBe(one.issuer)
    expect(tokens.token_type).toBe('dpop')
    expect(decodeProtectedHeader(tokens.id_token!).alg).toBe('PS256')
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt: one.proofKey.thumbprint })
    await openid.fetchUserInfo(one.config, tokens.access_token, claims.sub, { DPoP: await handleOf(one) })
    // Nothing that was not asked for.
    for (const name of ['email', 'name', 'address', 'phone_number']) expect(claims).not.toHaveProperty(name)
    const inQuery = await api(`${one.issuer}/userinfo?access_token=${tokens.access_token}`, 'GET')
    expect(inQuery.status).toBeGreaterThanOrEqual(400)
    // The key is named in the request alone, without a proof.
    const second = await getTokens(two, { dpop_jkt: two.proofKey.thumbprint, nonce: 'n'.repeat(43) })
    expect(decodeJwt(second.id_token).nonce).toBe('n'.repeat(43))
    expect((await ask(two, second.access_token)).status).toBe(200)
    expect((await ask(two, second.access_token, {}, one.proofKey)).status).toBe(401)
  })

  test('fapi2-security-profile-final-user-rejects-authentication', async () => {
    const asked = await createFapiParty(realm, rsa, { redirectUris: [two.client.redirectUri], consentRequired: true })
    const state = 's'.repeat(128)
    const { body } = await push(asked, { state })
    const { params } = await open(asked, body.request_uri, { decision: 'deny' })
    expect(params).toMatchObject({ error: 'access_denied', state, iss: one.issuer, dummy1: 'lorem', dummy2: 'ipsum' })
    expect(params).not.toHaveProperty('code')
  })

  test('fapi2-security-profile-final-ensure-authorization-request-without-state-success', async () => {
    expect((await signIn(one, { state: undefined })).params).not.toHaveProperty('state')
  })

  test('fapi2-security-profile-final-ensure-authorization-request-without-nonce-success', async () => {
    expect((await signIn(one, { nonce: undefined })).claims).not.toHaveProperty('nonce')
  })

  test('fapi2-security-profile-final-ensure-authorization-request-with-64-char-nonce-success', async () => {
    const nonce = 'n'.repeat(64)
    expect((await signIn(one, { nonce })).claims.nonce).toBe(nonce)
  })

  test('fapi2-security-profile-final-ensure-authorization-request-with-long-nonce: it comes back whole', async () => {
    const nonce = 'n'.repeat(384)
    expect((await signIn(one, { nonce })).claims.nonce).toBe(nonce)
  })

  test('fapi2-security-profile-final-ensure-authorization-request-with-long-state: it comes back whole', async () => {
    const state = 's'.repeat(1000)
    expect((await signIn(one, { state })).params.state).toBe(state)
  })

  test('fapi2-security-profile-final-ensure-other-scope-order-succeeds', async () => {
    const { tokens } = await signIn(one, { scope: 'profile openid' })
    expect(tokens.scope!.split(' ').toSorted()).toEqual(['openid', 'profile'])
  })

  test('fapi2-security-profile-final-test-claims-parameter-identity-claims', async () => {
    const asked = { email: null, preferred_username: { essential: true }, 'https://example.org/unknown': null }
    const { tokens, claims, DPoP } = await signIn(one, { claims: JSON.stringify({ id_token: asked, userinfo: asked }) })
    const told = await openid.fetchUserInfo(one.config, tokens.access_token, claims.sub, { DPoP })
    for (const one of [claims, told]) expect(one).toMatchObject({ preferred_username: 'admin' })
    expect({ ...told, ...claims }).not.toHaveProperty('https://example.org/unknown')
  })

  test('fapi2-security-profile-final-ensure-different-nonce-inside-and-outside-request-object', async () => {
    const { body } = await push(one, { nonce: 'inside' })
    const { params } = await open(one, body.request_uri, { params: { nonce: 'outside' } })
    const { body: tokens } = await redeemCode(one, params.code!)
    expect(decodeJwt(tokens.id_token).nonce).toBe('inside')
  })

  test('fapi2-security-profile-final-ensure-different-state-inside-and-outside-request-object', async () => {
    const { body } = await push(one, { state: 'inside' })
    const { params } = await open(one, body.request_uri, { params: { state: 'outside' } })
    expect(params).toMatchObject({ state: 'inside', code: expect.any(String) })
  })

  test('fapi2-security-profile-final-state-only-outside-request-object-not-used', async () => {
    const { body } = await push(one, { state: undefined })
    const { params } = await open(one, body.request_uri, { params: { state: 'outside' } })
    expect(params.code).toEqual(expect.any(String))
    expect(params).not.toHaveProperty('state')
  })
})

describe('fapi2-security-profile-final-test-plan: requests that are refused', () => {
  test('fapi2-security-profile-final-ensure-request-object-without-redirect-uri-fails', async () =>
    expectError(await push(one, { redirect_uri: undefined }), 400, 'invalid_request'))

  test('fapi2-security-profile-final-ensure-redirect-uri-in-authorization-request', async () =>
    expectError(await push(two, { redirect_uri: undefined }), 400, 'invalid_request'))

  test('fapi2-security-profile-final-ensure-registered-redirect-uri', async () =>
    expectError(await push(two, { redirect_uri: `${redirectUri}/unregistered` }), 400, 'invalid_request'))

  test('fapi2-security-profile-final-plain-fapi-tolerate-unregistered-redirect-uri: it is not tolerated', async () =>
    expectError(await push(one, { redirect_uri: `${redirectUri}/unregistered` }), 400, 'invalid_request'))

  test('fapi2-security-profile-final-ensure-unsigned-authorization-request-without-using-par-fails', async () => {
    const request = requestOf(one)
    const { params } = await open(one, '', { params: { request_uri: undefined, ...request } })
    expect(params).toMatchObject({ error: 'invalid_request', state: request.state, iss: one.issuer })
    expect(params).not.toHaveProperty('code')
  })

  test('fapi2-security-profile-final-ensure-response-type-code-idtoken-fails', async () =>
    expectError(await push(one, { response_type: 'code id_token' }), 400, 'unsupported_response_type'))

  test('fapi2-security-profile-final-ensure-response-type-token-fails', async () =>
    expectError(await push(one, { response_type: 'token' }), 400, 'unsupported_response_type'))

  test('fapi2-security-profile-final-par-ensure-pkce-required', async () =>
    expectError(
      await push(one, { code_challenge: undefined, code_challenge_method: undefined }),
      400,
      'invalid_request',
    ))

  test('fapi2-security-profile-final-par-plain-pkce-rejected', async () =>
    expectError(await push(one, { code_challenge: verifier, code_challenge_method: 'plain' }), 400, 'invalid_request'))

  test('fapi2-security-profile-final-par-authorization-request-containing-request_uri-form-param', async () =>
    expectError(
      await push(one, { request_uri: 'urn:ietf:params:oauth:request_uri:random' }),
      400,
      ...['invalid_request', 'invalid_request_object', 'request_uri_not_supported'],
    ))

  test('fapi2-security-profile-final-par-attempt-invalid-http-method', async () => {
    const form = { ...requestOf(one), ...(await assertAs(one.key, one.client.clientId, one.issuer)) }
    expect((await api(`${one.issuer}/par`, 'PUT', { form })).status).toBe(405)
  })

  test('fapi2-security-profile-final-par-test-array-as-audience-fails', async () =>
    expectAudienceRefused([one.issuer, 'https://other.example']))

  test('fapi2-security-profile-final-par-test-par-endpoint-url-as-audience-fails', async () =>
    expectAudienceRefused(`${one.issuer}/par`))

  test('fapi2-security-profile-final-par-test-token-endpoint-url-as-audience-fails', async () =>
    expectAudienceRefused(`${one.issuer}/token`))

  test('fapi2-security-profile-final-par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted', async () => {
    const ahead = nowInSeconds() + 8
    await getTokens(one, {}, { assertion: { claims: { nbf: ahead, iat: ahead } } })
  })

  test('fapi2-security-profile-final-par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails', async () => {
    const ahead = nowInSeconds() + 65
    const claims = { nbf: ahead, iat: ahead, exp: ahead + 60 }
    expectError(await push(one, {}, { assertion: { claims } }), 401, 'invalid_client')
  })
})

const expectAudienceRefused = async (aud: string | string[]) =>
  expectError(await push(one, {}, { assertion: { claims: { aud } } }), 401, 'invalid_client')

describe('fapi2-security-profile-final-test-plan: pushed requests', () => {
  test('fapi2-security-profile-final-par-without-duplicate-parameters', async () => {
    const { body } = await push(one)
    expect((await open(one, body.request_uri)).params.code).toEqual(expect.any(String))
  })

  test('fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds', async () => {
    const { body } = await push(one)
    const browser = createBrowser(realm.node.url)
    const seen = await open(one, body.request_uri, { browser, stopAtPage: true })
    expect(seen.answer.text).toContain('name="password"')
    const { params } = await open(one, body.request_uri, { browser })
    expect((await redeemCode(one, params.code!)).status).toBe(200)
  })

  test('fapi2-security-profile-final-par-attempt-reuse-request_uri', async () => {
    const { body } = await push(one)
    expect((await open(one, body.request_uri)).params.code).toEqual(expect.any(String))
    await expectNotOpened(one, body.request_uri)
  })

  test('fapi2-security-profile-final-par-attempt-to-use-expired-request_uri', async () => {
    const { body } = await push(one)
    expect(body.expires_in).toBeLessThan(600)
    await expire('PushedAuthorizationRequest')
    await expectNotOpened(one, body.request_uri)
  })

  test('fapi2-security-profile-final-par-attempt-to-use-request_uri-for-different-client', async () => {
    const { body } = await push(one)
    await expectNotOpened(two, body.request_uri)
  })

  test('fapi2-security-profile-final-ensure-token-endpoint-fails-with-expired-auth-code', async () => {
    const code = await getCode(one)
    await expire('AuthorizationCode')
    expectError(await redeemCode(one, code), 400, 'invalid_grant')
  })
})

/** Instead of waiting for the end of everything of this kind. */
const expire = (model: string) =>
  realm.run((ctx) =>
    sql`update oidc_models set payload = jsonb_set(payload, '{exp}', '1')
      where realm_id = ${realm.realmId} and model = ${model}`.execute(ctx.tx),
  )

async function expectNotOpened(party: FapiParty, requestUri: string): Promise<void> {
  const { params, answer } = await open(party, requestUri, { stopAtPage: true })
  expect(params).not.toHaveProperty('code')
  // A page of ours says so, or the application is told.
  const onPage = answer.status === 400 ? /invalid_request\w*/.exec(answer.text)?.[0] : undefined
  expect(params.error ?? onPage).toMatch(/^invalid_request(_uri|_object)?$/)
}
