// FAPI 2.0 Security Profile, plain_fapi with private_key_jwt, DPoP and OpenID Connect: proofs, codes, clients and refresh tokens.
import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { api, type TestRealm } from '../harness/index.ts'
import { assertAs, type ClientKey, makeKey, present, prove, type Twist } from '../harness/signing.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import {
  ask,
  breakSignature,
  createFapiParty,
  expectError,
  type FapiParty,
  getCode,
  getTokens,
  invalidAssertions,
  nowInSeconds,
  push,
  redeemCode,
  requestOf,
  send,
} from './fapi-party.ts'

let realm: TestRealm
let rsa: ClientKey
let one: FapiParty
let two: FapiParty

beforeAll(async () => {
  realm = await createUnmovedRealm()
  // The key is the client's; the algorithm is not for it.
  rsa = await makeKey('RS256')
  const key = await makeKey('PS256')
  one = await createFapiParty(realm, key, { jwks: { keys: [key.jwk, rsa.jwk] } })
  two = await createFapiParty(realm, await makeKey())
})

const bindingErrors = ['invalid_request', 'invalid_grant', 'invalid_dpop_proof']

describe('fapi2-security-profile-final-test-plan: proofs', () => {
  /** The same twist at PAR, token endpoint and resource. */
  async function succeedWith(twist: Twist): Promise<void> {
    const own = { proof: one.proofKey, proofTwist: twist }
    const { status, body } = await redeemCode(one, await getCode(one, {}, own), {}, own)
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    expect((await ask(one, body.access_token, twist)).status).toBe(200)
  }

  test('fapi2-security-profile-final-check-dpop-proof-nbf-exp', async () =>
    succeedWith({ claims: { nbf: nowInSeconds(), exp: nowInSeconds() + 300 } }))

  test('fapi2-security-profile-final-ensure-dpopproof-with-iat-10seconds-before-succeeds', async () =>
    succeedWith({ claims: { iat: nowInSeconds() - 10 } }))

  test('fapi2-security-profile-final-ensure-dpopproof-with-iat-10seconds-after-succeeds', async () =>
    succeedWith({ claims: { iat: nowInSeconds() + 10 } }))

  test('fapi2-security-profile-final-ensure-dpopproof-at-par-endpoint-binding-success', async () => {
    await getTokens(one, {}, { proof: one.proofKey })
  })

  test('fapi2-security-profile-final-ensure-dpop-auth-code-binding-success', async () => {
    await getTokens(one, { dpop_jkt: one.proofKey.thumbprint }, { proof: one.proofKey })
  })

  test('fapi2-security-profile-final-ensure-mismatched-dpop-jkt-fails', async () => {
    const answer = await push(one, { dpop_jkt: two.proofKey.thumbprint }, { proof: one.proofKey })
    expectError(answer, 400, 'invalid_request', 'invalid_dpop_proof')
  })

  test('fapi2-security-profile-final-ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt', async () => {
    const code = await getCode(one, {}, { proof: one.proofKey })
    expectError(await redeemCode(one, code, {}, { proof: two.proofKey }), 400, ...bindingErrors)
  })

  test('fapi2-security-profile-final-ensure-token-endpoint-fails-with-mismatched-dpop-jkt', async () => {
    const code = await getCode(one, { dpop_jkt: two.proofKey.thumbprint })
    expectError(await redeemCode(one, code), 400, ...bindingErrors)
  })

  test('fapi2-security-profile-final-access-token-type-header-case-sensitivity', async () => {
    const { access_token: token } = await getTokens(one)
    const url = `${one.issuer}/userinfo`
    const { headers } = await present(one.proofKey, { url, token })
    headers.authorization = `dpOp ${token}`
    expect((await api(url, 'GET', { headers })).status).toBe(200)
  })

  test('fapi2-security-profile-final-dpop-negative-tests', async () => {
    const { access_token: token } = await getTokens(one)
    const url = `${one.issuer}/userinfo`
    const accepted: [string, Twist][] = [
      ['htu with a query', { claims: { htu: `${url}?query#fragment` } }],
      ['more members', { claims: { extra: 'x' }, header: { extra: 'x' } }],
      ['htu in capitals', { claims: { htu: url.replace('http:', 'HTTP:') } }],
    ]
    for (const [name, twist] of accepted) expect((await ask(one, token, twist)).status, name).toBe(200)
    const { privateKey } = one.proofKey
    const secret = await crypto.subtle.exportKey('jwk', privateKey)
    const refused: [string, Twist, ClientKey?][] = [
      ['no typ', { header: { typ: undefined } }],
      ['another typ', { header: { typ: 'jwt' } }],
      ['no jwk', { header: { jwk: undefined } }],
      ['a private jwk', { header: { jwk: secret } }],
      ['no jti', { claims: { jti: undefined } }],
      ['no htm', { claims: { htm: undefined } }],
      ['another htm', { claims: { htm: 'PUT' } }],
      ['no htu', { claims: { htu: undefined } }],
      ['another htu', { claims: { htu: `${one.issuer}/other` } }],
      ['no iat', { claims: { iat: undefined } }],
      ['an hour old', { claims: { iat: nowInSeconds() - 3600 } }],
      ['an hour ahead', { claims: { iat: nowInSeconds() + 3600 } }],
      ['no ath', { claims: { ath: undefined } }],
      ['another ath', { claims: { ath: 'A'.repeat(43) } }],
      ['another key', {}, two.proofKey],
      ['RS256', {}, rsa],
    ]
    for (const [name, twist, by] of refused) {
      const { status } = await ask(one, token, twist, by)
      expect([400, 401], `${name}: ${status}`).toContain(status)
    }
    const authorization = `DPoP ${token}`
    const { dpop } = await prove(one.proofKey, { method: 'GET', url, token })
    const [header, payload] = dpop.split('.') as [string, string]
    const unsigned = Buffer.from(JSON.stringify({ typ: 'dpop+jwt', alg: 'none', jwk: secret })).toString('base64url')
    const others = ['not-a-jwt', `${header}.${payload}`, `${unsigned}.${payload}.`, breakSignature(dpop)]
    for (const wrong of others) {
      expect([400, 401], wrong).toContain((await api(url, 'GET', { headers: { authorization, dpop: wrong } })).status)
    }
    for (const headers of [{ authorization }, { authorization: `Bearer ${token}` }]) {
      expect([400, 401]).toContain((await api(url, 'GET', { headers })).status)
    }
    expect([400, 401]).toContain(await getWithTwoProofs(token))
    const once = { claims: { jti: randomUUID() } }
    expect((await ask(one, token, once)).status).toBe(200)
    expect((await ask(one, token, once)).status).toBe(401)
    // None of this was because of the token.
    expect((await ask(one, token)).status).toBe(200)
  })

  async function getWithTwoProofs(token: string): Promise<number> {
    const url = `${one.issuer}/userinfo`
    const proofs = await Promise.all([1, 2].map(() => prove(one.proofKey, { method: 'GET', url, token })))
    const headers = { authorization: `DPoP ${token}`, DPoP: proofs.map(({ dpop }) => dpop) }
    return new Promise((resolve, reject) => {
      const sent = httpRequest(url, { headers }, (answer) => resolve(answer.resume().statusCode!))
      sent.on('error', reject)
      sent.end()
    })
  }
})

describe('fapi2-security-profile-final-test-plan: the token endpoint', () => {
  test('fapi2-security-profile-final-ensure-holder-of-key-required', async () =>
    expectError(await redeemCode(one, await getCode(one), {}, { proof: null }), 400, ...bindingErrors))

  test('fapi2-security-profile-final-ensure-client-id-in-token-endpoint', async () => {
    const as = two.client.clientId
    const answer = await redeemCode(one, await getCode(one), { client_id: as }, { as })
    expectError(answer, 401, 'invalid_client')
  })

  test('fapi2-security-profile-final-ensure-authorization-code-is-bound-to-client', async () =>
    expectError(await redeemCode(two, await getCode(one)), 400, 'invalid_grant'))

  test('fapi2-security-profile-final-attempt-reuse-authorization-code-after-one-second', async () => {
    const code = await getCode(one)
    const { body } = await redeemCode(one, code)
    expect((await ask(one, body.access_token)).status).toBe(200)
    expectError(await redeemCode(one, code), 400, 'invalid_grant')
    expect((await ask(one, body.access_token)).status).toBe(401)
  })

  test('fapi2-security-profile-final-ensure-pkce-code-verifier-required', async () =>
    expectError(await redeemCode(one, await getCode(one), { code_verifier: undefined }), 400, 'invalid_grant'))

  test('fapi2-security-profile-final-incorrect-pkce-code-verifier-rejected', async () =>
    expectError(await redeemCode(one, await getCode(one), { code_verifier: 'v'.repeat(43) }), 400, 'invalid_grant'))

  test('fapi2-security-profile-final-ensure-signed-client-assertion-with-RS256-fails', async () =>
    expectError(await redeemCode(one, await getCode(one), {}, { by: rsa }), 401, 'invalid_client'))

  test('fapi2-security-profile-final-ensure-client-assertion-in-token-endpoint', async () => {
    const code = await getCode(one)
    const form = { grant_type: 'authorization_code', code, client_id: one.client.clientId }
    const url = `${one.issuer}/token`
    expectError(await api(url, 'POST', { form, headers: await prove(one.proofKey, { url }) }), 401, 'invalid_client')
  })

  const expectRefused = async (claims: Record<string, unknown>) =>
    expectError(await redeemCode(one, await getCode(one), {}, { assertion: { claims } }), 401, 'invalid_client')

  test('fapi2-security-profile-final-ensure-client-assertion-with-exp-is-5-minutes-in-past-fails', () =>
    expectRefused({ iat: nowInSeconds() - 360, exp: nowInSeconds() - 300 }))

  test('fapi2-security-profile-final-ensure-client-assertion-with-wrong-aud-fails', () =>
    expectRefused({ aud: 'https://other.example/token' }))

  test('fapi2-security-profile-final-ensure-client-assertion-with-no-sub-fails', () =>
    expectRefused({ sub: undefined }))

  test('fapi2-security-profile-final-ensure-invalid-client-assertions-fail: where requests are pushed', async () => {
    const { client, issuer, key } = one
    const forms = await invalidAssertions(key, rsa, client.clientId, issuer)
    for (const aud of [`${issuer}/par`, `${issuer}/token`, [issuer]]) {
      forms.push([`aud ${aud}`, await assertAs(key, client.clientId, issuer, { claims: { aud } })])
    }
    const ahead = (seconds: number) => {
      const at = nowInSeconds() + seconds
      return assertAs(key, client.clientId, issuer, { claims: { iat: at, nbf: at, exp: at + 60 } })
    }
    forms.push(['too early', await ahead(65)])
    const pushWith = (form: Record<string, string>) =>
      api(`${issuer}/par`, 'POST', { form: { ...requestOf(one), ...form } })
    for (const [name, form] of forms) {
      const { status, body } = await pushWith(form)
      expect([400, 401], `${name}: ${status}`).toContain(status)
      expect(['invalid_client', 'invalid_request'], name).toContain(body.error)
    }
    expect((await pushWith(await ahead(8))).status).toBe(201)
  })

  test('fapi2-security-profile-final-refresh-token: kept when it is used, and bound to the client', async () => {
    const { refresh_token: token } = await getTokens(one, { scope: 'openid offline_access' })
    const form = { grant_type: 'refresh_token', refresh_token: token }
    const refreshed = await send(one, '/token', form, { proof: one.proofKey })
    expect(refreshed.body).toMatchObject({ token_type: 'DPoP', id_token: expect.any(String) })
    expect((await ask(one, refreshed.body.access_token)).status).toBe(200)
    // An answer that was lost on the way costs nobody the sign-in (FAPI 2.0 section 5.3.2.1).
    const again = await send(one, '/token', form, { proof: one.proofKey })
    expect([again.status, again.body.refresh_token ?? token]).toEqual([200, token])
    expectError(await send(one, '/token', form), 400, ...bindingErrors)
    const url = `${one.issuer}/token`
    const alone = { form: { ...form, client_id: one.client.clientId }, headers: await prove(one.proofKey, { url }) }
    expectError(await api(url, 'POST', alone), 401, 'invalid_client')
    const other = await getTokens(two, { scope: 'openid offline_access' })
    expect((await ask(one, other.access_token)).status).toBe(401)
    const stolen = { ...form, refresh_token: other.refresh_token }
    expectError(await send(one, '/token', stolen, { proof: one.proofKey }), 400, 'invalid_grant')
    expect((await send(two, '/token', stolen, { proof: two.proofKey })).status).toBe(200)
  })
})
