// FAPI 2.0 Message Signing: the requests are signed (JAR), and so are the answers (JARM). The other modules of the plan are those of
// the Security Profile; they are in fapi2-security-profile.test.ts and fapi2-tokens.test.ts.
import { createRemoteJWKSet, decodeJwt, jwtVerify, UnsecuredJWT } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Answer, TestRealm } from '../harness/index.ts'
import { type ClientKey, makeKey, signRequest, type Twist } from '../harness/signing.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import {
  breakSignature,
  createFapiParty,
  expectError,
  type FapiParty,
  handleOf,
  nowInSeconds,
  open,
  type Params,
  redeemCode,
  requestOf,
  send,
  verifier,
} from './fapi-party.ts'

let realm: TestRealm
let rsa: ClientKey
let one: FapiParty
let two: FapiParty

beforeAll(async () => {
  realm = await createUnmovedRealm()
  rsa = await makeKey('RS256')
  const key = await makeKey('PS256')
  one = await createFapiParty(realm, key, { jwks: { keys: [key.jwk, rsa.jwk] } }, [openid.useJwtResponseMode])
  two = await createFapiParty(realm, await makeKey(), { consentRequired: true })
})

/** Every parameter within the signed request. */
const sign = (more: Params = {}, twist: Twist = {}, by = one.key) =>
  signRequest(by, one.client.clientId, one.issuer, requestOf(one, { response_mode: 'jwt', ...more }), twist)
const push = async (request: string) => send(one, '/par', { client_id: one.client.clientId, request })

/** What comes back, verified as JARM section 2.4 has it. */
async function readAnswer(params: Record<string, string>, party = one) {
  expect(Object.keys(params)).toEqual(['response'])
  const keys = createRemoteJWKSet(new URL(party.config.serverMetadata().jwks_uri!))
  const expected = { issuer: party.issuer, audience: party.client.clientId, algorithms: ['PS256'] }
  const { payload } = await jwtVerify(params.response!, keys, expected)
  expect(payload.exp! - nowInSeconds()).toBeLessThanOrEqual(600)
  return payload
}

async function succeed(pushed: Answer) {
  expect(pushed.status, pushed.text).toBe(201)
  const answer = await readAnswer((await open(one, pushed.body.request_uri)).params)
  const { status, body } = await redeemCode(one, String(answer.code))
  expect(status).toBe(200)
  return { answer, claims: decodeJwt(body.id_token) }
}

const expectRefused = async (request: string) => expectError(await push(request), 400, 'invalid_request_object')
const expectClaimsRefused = async (claims: Record<string, unknown>) => expectRefused(await sign({}, { claims }))

describe('fapi2-message-signing-final-test-plan', () => {
  test('fapi2-security-profile-final-discovery-end-point-verification', () => {
    expect(one.config.serverMetadata()).toMatchObject({
      response_modes_supported: expect.arrayContaining(['jwt']),
      authorization_signing_alg_values_supported: expect.arrayContaining(['PS256']),
      request_object_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
    })
  })

  test('fapi2-security-profile-final-happy-flow: the library signs, pushes and verifies', async () => {
    const DPoP = await handleOf(one)
    const request = requestOf(one)
    const signer = { key: one.key.privateKey, kid: one.key.kid }
    const { searchParams } = await openid.buildAuthorizationUrlWithJAR(one.config, request, signer)
    expect([...searchParams.keys()].toSorted()).toEqual(['client_id', 'request'])
    const url = await openid.buildAuthorizationUrlWithPAR(one.config, searchParams, { DPoP })
    const { answer } = await open(one, url.searchParams.get('request_uri')!)
    const callback = new URL(String(answer.headers.location))
    const checks = {
      ...{ expectedState: request.state!, expectedNonce: request.nonce!, pkceCodeVerifier: verifier },
      idTokenExpected: true,
    }
    const tokens = await openid.authorizationCodeGrant(one.config, callback, checks, undefined, { DPoP })
    const claims = tokens.claims()!
    await openid.fetchUserInfo(one.config, tokens.access_token, claims.sub, { DPoP })
  })

  test('fapi2-security-profile-final-user-rejects-authentication: and the answer is signed', async () => {
    const pushed = await send(two, '/par', requestOf(two, { response_mode: 'jwt', state: 'refused' }))
    const { params } = await open(two, pushed.body.request_uri, { decision: 'deny' })
    const answer = await readAnswer(params, two)
    expect(answer).toMatchObject({ error: 'access_denied', state: 'refused' })
    expect(answer).not.toHaveProperty('code')
  })

  test('fapi2-security-profile-final-ensure-different-nonce-inside-and-outside-request-object', async () => {
    const request = await sign({ nonce: 'inside' })
    const pushed = await send(one, '/par', { client_id: one.client.clientId, request, nonce: 'outside' })
    expect((await succeed(pushed)).claims.nonce).toBe('inside')
  })

  test('fapi2-security-profile-final-ensure-different-state-inside-and-outside-request-object', async () => {
    const { body } = await push(await sign({ state: 'inside' }))
    const { params } = await open(one, body.request_uri, { params: { state: 'outside' } })
    expect((await readAnswer(params)).state).toBe('inside')
  })

  test('fapi2-security-profile-final-state-only-outside-request-object-not-used', async () => {
    const { body } = await push(await sign({ state: undefined }))
    const answer = await readAnswer((await open(one, body.request_uri, { params: { state: 'outside' } })).params)
    expect(answer.code).toEqual(expect.any(String))
    expect(answer).not.toHaveProperty('state')
  })

  test('fapi2-security-profile-final-ensure-request-object-with-multiple-aud-succeeds', async () => {
    const aud = [one.issuer, 'https://other.example']
    await succeed(await push(await sign({}, { claims: { aud } })))
  })

  test('fapi2-security-profile-final-ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted', async () => {
    await succeed(await push(await sign({}, { claims: { nbf: nowInSeconds() + 8 } })))
  })

  test('fapi2-security-profile-final-ensure-request-object-without-redirect-uri-fails', async () =>
    expectError(await push(await sign({ redirect_uri: undefined })), 400, 'invalid_request', 'invalid_request_object'))
  test('fapi2-security-profile-final-ensure-request-object-without-exp-fails', () =>
    expectClaimsRefused({ exp: undefined }))
  test('fapi2-security-profile-final-ensure-request-object-without-nbf-fails', () =>
    expectClaimsRefused({ nbf: undefined }))
  test('fapi2-security-profile-final-ensure-expired-request-object-fails', () =>
    expectClaimsRefused({ exp: nowInSeconds() - 300 }))
  test('fapi2-security-profile-final-ensure-request-object-with-bad-aud-fails', () =>
    expectClaimsRefused({ aud: 'https://other.example' }))
  test('fapi2-security-profile-final-ensure-request-object-with-exp-over-60-fails', () =>
    expectClaimsRefused({ exp: nowInSeconds() + 70 * 60 }))
  test('fapi2-security-profile-final-ensure-request-object-with-nbf-over-60-fails', () =>
    expectClaimsRefused({ nbf: nowInSeconds() - 70 * 60 }))
  test('fapi2-security-profile-final-par-authorization-request-containing-request_uri', () =>
    expectClaimsRefused({ request_uri: 'urn:ietf:params:oauth:request_uri:random' }))

  test('fapi2-security-profile-final-ensure-signed-request-object-with-RS256-fails', async () =>
    expectRefused(await sign({}, {}, rsa)))
  test('fapi2-security-profile-final-ensure-matching-key-in-authorization-request', async () =>
    expectRefused(await sign({}, {}, two.key)))
  test('fapi2-security-profile-final-ensure-request-object-signature-algorithm-is-not-none', async () => {
    const now = nowInSeconds()
    const own = { iss: one.client.clientId, aud: one.issuer, nbf: now, exp: now + 300 }
    await expectRefused(new UnsecuredJWT({ ...requestOf(one), ...own }).encode())
  })
  test('fapi2-security-profile-final-ensure-request-object-with-invalid-signature-fails', async () =>
    expectRefused(breakSignature(await sign())))
})
