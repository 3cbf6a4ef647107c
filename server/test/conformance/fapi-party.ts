// The relying party of the FAPI 2.0 modules: openid-client where it can (PAR, private_key_jwt, DPoP with nonces, JAR, JARM), and
// requests of our own where a module sends what no library would. The two share the client, its key and its key for proofs.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import * as openid from 'openid-client'
import { expect } from 'vitest'
import {
  type Answer,
  api,
  authorize,
  type AuthorizeOptions,
  createClientIn,
  issuerOf,
  redirectUri,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { assertAs, type ClientKey, makeKey, present, prove, type Twist } from '../harness/signing.ts'

export type Params = Record<string, string | undefined>

export interface FapiParty {
  realm: TestRealm
  issuer: string
  client: TestClient
  key: ClientKey
  proofKey: ClientKey
  config: openid.Configuration
}

export async function createFapiParty(
  realm: TestRealm,
  key: ClientKey,
  members: Record<string, unknown> = {},
  execute: ((config: openid.Configuration) => void)[] = [],
): Promise<FapiParty> {
  const issuer = issuerOf(realm)
  const client = await createClientIn(realm, {
    ...{ securityProfile: 'FAPI2', tokenEndpointAuthMethod: 'private_key_jwt', redirectUris: [redirectUri] },
    ...{ jwks: { keys: [key.jwk] }, scopes: ['address', 'phone', 'offline_access'], ...members },
  })
  const by = openid.PrivateKeyJwt({ key: key.privateKey, kid: key.kid })
  const config = await openid.discovery(new URL(issuer), client.clientId, undefined, by, {
    execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks, ...execute],
  })
  return { realm, issuer, client, key, proofKey: await makeKey(), config }
}

/** A handle of the library for the party's own key, or for another one. */
export async function handleOf({ config, proofKey }: FapiParty, by = proofKey): Promise<openid.DPoPHandle> {
  const { kid: _kid, use: _use, ...jwk } = by.jwk
  const publicKey = await crypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])
  return openid.getDPoPHandle(config, { privateKey: by.privateKey, publicKey })
}

export const verifier = randomBytes(32).toString('base64url')
const defined = (params: Params) =>
  Object.fromEntries(Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined))

/** The parameters of an authorization request; undefined leaves one out. */
export function requestOf({ client }: FapiParty, more: Params = {}): Record<string, string> {
  return defined({
    ...{ client_id: client.clientId, response_type: 'code', redirect_uri: client.redirectUri, scope: 'openid' },
    ...{ state: randomBytes(12).toString('hex'), nonce: randomBytes(12).toString('hex') },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
    ...more,
  })
}

export interface Sending {
  /** What is wrong with the assertion. */
  assertion?: Twist
  /** Who signs it, and in whose name. */
  by?: ClientKey
  as?: string
  /** The key of the proof that goes along; null for none. */
  proof?: ClientKey | null
  proofTwist?: Twist
}

/** A request to an endpoint, with the nonce of the first answer where a proof goes along. */
export async function send(party: FapiParty, path: string, form: Params, options: Sending = {}): Promise<Answer> {
  const { issuer, client, key } = party
  const { assertion, by = key, as = client.clientId, proof = null, proofTwist } = options
  const url = issuer + path
  const once = async (nonce?: string) => {
    const headers = proof ? await prove(proof, { url, ...(nonce === undefined ? {} : { nonce }) }, proofTwist) : {}
    return api(url, 'POST', { form: { ...defined(form), ...(await assertAs(by, as, issuer, assertion)) }, headers })
  }
  const first = await once()
  return first.body?.error === 'use_dpop_nonce' ? once(String(first.headers['dpop-nonce'])) : first
}

export const push = (party: FapiParty, more: Params = {}, options: Sending = {}) =>
  send(party, '/par', requestOf(party, more), options)

// The harness fills in a whole request; what is pushed needs none of it.
const nothing: Params = {
  ...{ redirect_uri: undefined, response_type: undefined, scope: undefined, state: undefined, nonce: undefined },
  ...{ code_challenge: undefined, code_challenge_method: undefined },
}

/** Sends the browser to the issuer with what was pushed; the administrator is signed in already unless told otherwise. */
export function open(
  { realm, client }: FapiParty,
  requestUri: string,
  { params, ...options }: AuthorizeOptions & { params?: Params } = {},
) {
  const whole = { ...nothing, request_uri: requestUri, ...params }
  return authorize(realm, client, { browser: realm.admin, ...options, params: whole })
}

/** A request that is pushed and answered with a code. */
export async function getCode(party: FapiParty, more: Params = {}, options: Sending = {}): Promise<string> {
  const pushed = await push(party, more, options)
  expect(pushed.status, pushed.text).toBe(201)
  const { params } = await open(party, pushed.body.request_uri)
  expect(params).toMatchObject({ code: expect.stringMatching(/^[\w-]{22,}$/), iss: party.issuer })
  return params.code!
}

/** The token request for a code, with a proof of the party's own key. */
export const redeemCode = (party: FapiParty, code: string, more: Params = {}, options: Sending = {}) =>
  send(
    party,
    '/token',
    {
      ...{ grant_type: 'authorization_code', code, redirect_uri: party.client.redirectUri, code_verifier: verifier },
      ...more,
    },
    { proof: party.proofKey, ...options },
  )

/** A whole sign-in of our own. */
export async function getTokens(party: FapiParty, more: Params = {}, options: Sending = {}) {
  const answer = await redeemCode(party, await getCode(party, more, options))
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { access_token: string; id_token: string; refresh_token: string; token_type: string }
}

/** The same with the library, which checks everything; for clients whose address has no query. */
export async function signIn(party: FapiParty, more: Params = {}, DPoP?: openid.DPoPHandle) {
  const handle = DPoP ?? (await handleOf(party))
  const request = requestOf(party, more)
  const url = await openid.buildAuthorizationUrlWithPAR(party.config, request, { DPoP: handle })
  const { answer, params } = await open(party, url.searchParams.get('request_uri')!)
  const checks = {
    ...(request.state === undefined ? {} : { expectedState: request.state }),
    ...(request.nonce === undefined ? {} : { expectedNonce: request.nonce }),
    ...{ pkceCodeVerifier: verifier, idTokenExpected: true },
  }
  const callback = new URL(String(answer.headers.location))
  const tokens = await openid.authorizationCodeGrant(party.config, callback, checks, undefined, { DPoP: handle })
  return { params, request, tokens, claims: tokens.claims()!, DPoP: handle }
}

/** Userinfo with a bound token. */
export async function ask(party: FapiParty, token: string, twist: Twist = {}, by = party.proofKey): Promise<Answer> {
  const url = `${party.issuer}/userinfo`
  return api(url, 'GET', await present(by, { url, token }, twist))
}

/** RFC 6749 section 5.2 and RFC 9126 section 2.3. */
export function expectError(answer: Answer, status: number, ...errors: string[]): void {
  expect(errors, answer.text).toContain(answer.body?.error)
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
  expect(answer.body.error_description ?? '').toMatch(/^[ !#-[\]-~]*$/)
}

/** The same words with a signature that is none. */
export function breakSignature(jwt: string): string {
  const [header, payload, signature] = jwt.split('.') as [string, string, string]
  const broken = Buffer.from(Buffer.from(signature, 'base64url').map((byte) => byte ^ 0x5a))
  return [header, payload, broken.toString('base64url')].join('.')
}

export const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** Everything that is no proof of who the client is, as the members of a form. The key of RS256 is the client's as well. */
export async function invalidAssertions(key: ClientKey, rsa: ClientKey, clientId: string, issuer: string) {
  const now = nowInSeconds()
  const twists: [string, Record<string, unknown>][] = [
    ['no sub', { sub: undefined }],
    ['another sub', { sub: 'somebody' }],
    ['no iss', { iss: undefined }],
    ['another iss', { iss: 'somebody' }],
    ['no aud', { aud: undefined }],
    ['another aud', { aud: 'https://other.example' }],
    ['over', { iat: now - 360, exp: now - 300 }],
  ]
  const good = await assertAs(key, clientId, issuer)
  const claims = { iss: clientId, sub: clientId, aud: issuer, jti: randomUUID(), iat: now, exp: now + 60 }
  const forms: [string, Record<string, string>][] = [
    ['none at all', { client_id: clientId }],
    ['no type', { client_assertion: good.client_assertion }],
    ['another type', { ...good, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' }],
    ['RS256', await assertAs(rsa, clientId, issuer)],
    ['alg none', { ...good, client_assertion: new UnsecuredJWT(claims).encode() }],
    ['no signature', { ...good, client_assertion: breakSignature(good.client_assertion) }],
  ]
  for (const [name, twist] of twists) forms.push([name, await assertAs(key, clientId, issuer, { claims: twist })])
  return forms
}
