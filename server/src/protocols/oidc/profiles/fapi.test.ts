import { createHash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  api,
  authorize,
  createClientIn,
  createRealmFor,
  issuerOf,
  type TestClient,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import {
  assertAs,
  type ClientKey,
  makeKey,
  present,
  prove,
  signRequest,
  type Twist,
} from '../../../../test/harness/signing.ts'

let realm: TestRealm
let client: TestClient
let issuer: string
let key: ClientKey
let rsa: ClientKey
let proofKey: ClientKey
const verifier = 'a-verifier-that-is-long-enough-for-everybody-here'
const redirectUri = 'https://bank.example.org/callback'

beforeAll(async () => {
  realm = await createRealmFor()
  await realm.call('PUT', '/settings', { authorizationCodeLifetimeSeconds: 120 })
  ;[key, rsa, proofKey] = await Promise.all([makeKey('PS256'), makeKey('RS256'), makeKey()])
  const jwks = { keys: [key.jwk, rsa.jwk] }
  const profile = { securityProfile: 'FAPI2', tokenEndpointAuthMethod: 'private_key_jwt', jwks }
  client = await createClientIn(realm, { ...profile, redirectUris: [redirectUri], scopes: ['offline_access'] })
  issuer = issuerOf(realm)
})

interface Call {
  twist?: Twist
  by?: ClientKey
  proof?: Record<string, string>
}

async function call(path: string, form: Record<string, string>, { twist, by = key, proof = {} }: Call = {}) {
  const own = await assertAs(by, client.clientId, issuer, twist)
  return api(issuer + path, 'POST', { form: { ...form, ...own }, headers: proof })
}

const request = (more: Record<string, string | undefined> = {}) =>
  Object.fromEntries(
    Object.entries({
      ...{ response_type: 'code', redirect_uri: redirectUri, scope: 'openid', state: 's', client_id: client.clientId },
      ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
      ...more,
    }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

/** With the nonce that the first answer gives, as libraries do. */
async function callProven(path: string, form: Record<string, string>, by = proofKey): Promise<Answer> {
  const url = issuer + path
  const first = await call(path, form, { proof: await prove(by, { url }) })
  if (first.body.error !== 'use_dpop_nonce') throw new Error(`no nonce was asked for: ${first.text}`)
  return call(path, form, { proof: await prove(by, { url, nonce: String(first.headers['dpop-nonce']) }) })
}

const open = {
  ...{ redirect_uri: undefined, response_type: undefined, scope: undefined, state: undefined, nonce: undefined },
  ...{ code_challenge: undefined, code_challenge_method: undefined },
}
const openPushed = (uri: string, as = client) =>
  authorize(realm, as, { browser: realm.admin, params: { ...open, request_uri: uri } })

async function getCode(more: Record<string, string | undefined> = {}): Promise<string> {
  const pushed = await call('/par', request(more))
  expect(pushed.status, pushed.text).toBe(201)
  return (await openPushed(pushed.body.request_uri)).params.code!
}

const codeForm = (code: string) => ({
  ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
})

describe('S36: a client of FAPI 2.0', () => {
  test('signs people in: pushed, proven, bound, signed with PS256', async () => {
    const pushed = await callProven('/par', request())
    expect(pushed.body).toMatchObject({ expires_in: 60, request_uri: expect.any(String) })
    const { params } = await openPushed(pushed.body.request_uri)
    expect(params).toMatchObject({ iss: issuer, state: 's' })
    const { body } = await callProven('/token', codeForm(params.code!))
    expect(body.token_type).toBe('DPoP')
    for (const token of [body.access_token, body.id_token]) expect(decodeProtectedHeader(token).alg).toBe('PS256')
    expect(decodeJwt(body.access_token).cnf).toEqual({ jkt: proofKey.thumbprint })
    const url = `${issuer}/userinfo`
    expect((await api(url, 'GET', await present(proofKey, { url, token: body.access_token }))).status).toBe(200)
    const next = await callProven('/token', { grant_type: 'refresh_token', refresh_token: body.refresh_token })
    expect(next.body.token_type).toBe('DPoP')
  })

  test('is shown as what it is held to', async () => {
    const { body } = await realm.call('GET', `/clients/${client.id}`)
    expect(body).toMatchObject({
      ...{ tokenSigningAlg: 'PS256', requirePkce: true, requirePushedAuthorizationRequests: true },
      ...{ dpopBoundAccessTokens: true, refreshTokenGraceSeconds: 0 },
    })
    const keys = await api(`${issuer}/.well-known/jwks.json`, 'GET')
    expect(keys.body.keys[0]).not.toHaveProperty('alg')
  })

  test('must push its requests, signed ones as well', async () => {
    const plain = await authorize(realm, client, { params: request() })
    expect(plain.params).toMatchObject({ error: 'invalid_request', iss: issuer })
    expect(plain.params.error_description).toBe('this client uses FAPI 2.0: push the request to /par first')
    const signed = await signRequest(key, client.clientId, issuer, request())
    const { params, answer } = await authorize(realm, client, { params: { ...open, request: signed } })
    expect([params.code, answer.status]).toEqual([undefined, 400])
  })

  test('must use PKCE with S256 and one registered address, letter by letter', async () => {
    const without = await call('/par', request({ code_challenge: undefined, code_challenge_method: undefined }))
    expect([without.status, without.body.error]).toEqual([400, 'invalid_request'])
    expect(without.body.error_description).toMatch(/FAPI 2\.0.*code_challenge/)
    for (const wrong of [
      { code_challenge_method: 'plain' },
      { redirect_uri: undefined },
      { redirect_uri: `${redirectUri}/` },
      { response_type: 'code id_token' },
    ]) {
      const { status } = await call('/par', request(wrong))
      expect(status, JSON.stringify(wrong)).toBe(400)
    }
  })

  test('proves itself with the issuer as the only audience and no RS256', async () => {
    const twists: [string, Call][] = [
      ['token endpoint', { twist: { claims: { aud: `${issuer}/token` } } }],
      ['list', { twist: { claims: { aud: [issuer] } } }],
      ['endpoint', { twist: { claims: { aud: `${issuer}/par` } } }],
      ['RS256', { by: rsa }],
    ]
    for (const [name, options] of twists) {
      const { status, body } = await call('/par', request(), options)
      expect([name, status, body.error]).toEqual([name, 401, 'invalid_client'])
      expect(body.error_description, name).toContain('FAPI 2.0')
    }
  })

  test('may be ten seconds ahead of us, but not more than a minute', async () => {
    const now = Math.floor(Date.now() / 1000)
    const ahead = (seconds: number) => ({
      twist: { claims: { nbf: now + seconds, iat: now + seconds, exp: now + 120 } },
    })
    expect((await call('/par', request(), ahead(8))).status).toBe(201)
    expect((await call('/par', request(), ahead(65))).status).toBe(401)
    const url = `${issuer}/par`
    const first = await call('/par', request(), { proof: await prove(proofKey, { url }) })
    const nonce = String(first.headers['dpop-nonce'])
    const proof = await prove(proofKey, { url, nonce }, { claims: { iat: now + 100 } })
    const late = await call('/par', request(), { proof })
    expect([late.body.error, late.body.error_description]).toEqual([
      'invalid_dpop_proof',
      expect.stringContaining('FAPI 2.0'),
    ])
  })

  test('gets no token without a proof, nor for a code that was pushed with another key', async () => {
    const code = await getCode()
    const bare = await call('/token', codeForm(code))
    expect([bare.status, bare.body.error]).toEqual([400, 'invalid_dpop_proof'])
    expect(bare.body.error_description).toContain('FAPI 2.0')
    expect((await callProven('/token', codeForm(code))).status).toBe(200)
    const bound = await getCode({ dpop_jkt: proofKey.thumbprint })
    expect((await callProven('/token', codeForm(bound), await makeKey())).body.error).toBe('invalid_grant')
  })

  test('signs requests with PS256, ES256 or EdDSA, for an hour at most', async () => {
    const { client_id: _id, ...params } = request()
    const now = Math.floor(Date.now() / 1000)
    const send = async (by: ClientKey, twist: Twist = {}) =>
      call('/par', { request: await signRequest(by, client.clientId, issuer, params, twist) })
    expect((await send(key)).status).toBe(201)
    const weak = await send(rsa)
    expect([weak.body.error, weak.body.error_description]).toEqual([
      'invalid_request_object',
      expect.stringContaining('FAPI 2.0'),
    ])
    for (const claims of [{ nbf: undefined }, { exp: now + 3700 }, { nbf: now - 3601, exp: now + 10 }]) {
      expect((await send(key, { claims })).body.error, JSON.stringify(claims)).toBe('invalid_request_object')
    }
  })

  test('opens a pushed request once, and no other client opens it', async () => {
    const other = await createClientIn(realm, { redirectUris: [redirectUri] })
    const { body } = await call('/par', request())
    const stolen = await openPushed(body.request_uri, other)
    expect(stolen.params.code).toBeUndefined()
    expect((await openPushed(body.request_uri)).params.code).toEqual(expect.any(String))
    expect((await openPushed(body.request_uri)).params.code).toBeUndefined()
  })

  test('S26: keeps its refresh token when it uses it, which nobody else can (FAPI 2.0 section 5.3.2.1)', async () => {
    const { body } = await callProven('/token', codeForm(await getCode()))
    const again = () => callProven('/token', { grant_type: 'refresh_token', refresh_token: body.refresh_token })
    for (const answer of [await again(), await again()]) {
      expect(answer.status).toBe(200)
      expect(answer.body.refresh_token ?? body.refresh_token).toBe(body.refresh_token)
    }
  })

  test('S25: has a minute for its codes, whatever the realm allows others', async () => {
    const rows = await realm.run(async (ctx) => {
      await getCode()
      return ctx.tx
        .selectFrom('oidc_models')
        .select('payload')
        .where('realm_id', '=', realm.realmId)
        .where('model', '=', 'AuthorizationCode')
        .execute()
    })
    for (const { payload } of rows) {
      const { iat, exp } = payload as { iat: number; exp: number }
      expect(exp - iat).toBeLessThanOrEqual(60)
    }
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('FAPI2 cannot be registered with', () => {
  const refuse = async (members: Record<string, unknown>) => {
    const whole = {
      ...{ clientId: 'never', securityProfile: 'FAPI2', tokenEndpointAuthMethod: 'private_key_jwt' },
      ...{ jwks: { keys: [key.jwk] }, redirectUris: [redirectUri], ...members },
    }
    const { status, body } = await realm.call('POST', '/clients', whole)
    return [status, ...(body.errors ?? []).map((error: { field: string }) => error.field)]
  }

  test('what it forbids', async () => {
    expect(await refuse({ redirectUris: ['https://a.example/', 'http://127.0.0.1/cb'] })).toEqual([
      400,
      'redirectUris[1]',
    ])
    expect(await refuse({ grantTypes: ['password'] })).toEqual([400, 'grantTypes'])
    expect(await refuse({ tokenSigningAlg: 'RS256' })).toEqual([400, 'tokenSigningAlg'])
    expect(await refuse({ requirePkce: false })).toEqual([400, 'requirePkce'])
    expect(await refuse({ tokenEndpointAuthMethod: 'client_secret_post' })).toEqual([400, 'tokenEndpointAuthMethod'])
    expect(await refuse({ jwks: { keys: [{ ...rsa.jwk, alg: 'RS256' }] } })).toEqual([400, 'jwks'])
    expect(await refuse({ publicClient: true, tokenEndpointAuthMethod: 'none' })).toContain('securityProfile')
  })

  test('but a client may be brought to it by a patch, and its algorithm follows', async () => {
    const members = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.jwk] } }
    const plain = await createClientIn(realm, { ...members, redirectUris: [redirectUri] })
    const type = { type: 'application/merge-patch+json' }
    const { status, body } = await realm.call('PATCH', `/clients/${plain.id}`, { securityProfile: 'FAPI2' }, type)
    expect([status, body.tokenSigningAlg]).toEqual([200, 'PS256'])
  })
})
