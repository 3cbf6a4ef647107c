import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, jwtVerify, UnsecuredJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  type AuthorizeOptions,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  readForm,
  requestToken,
  type TestClient,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { assertAs, type ClientKey, makeKey, signRequest, type Twist } from '../../../../test/harness/signing.ts'

let realm: TestRealm
let client: TestClient
let key: ClientKey
const verifier = 'a-verifier-that-is-long-enough-for-everybody-here'
const challenge = createHash('sha256').update(verifier).digest('base64url')

beforeAll(async () => {
  realm = await createRealmFor()
  key = await makeKey()
  client = await createClientIn(realm, { jwks: { keys: [key.jwk] }, scopes: ['phone', 'offline_access'] })
})

const paramsOf = (more: Record<string, unknown> = {}) => ({
  ...{ redirect_uri: client.redirectUri, response_type: 'code', scope: 'openid', state: 'signed', nonce: 'n' },
  ...{ code_challenge: challenge, code_challenge_method: 'S256', ...more },
})
const signed = (more: Record<string, unknown> = {}, twist: Twist = {}, by = key) =>
  signRequest(by, client.clientId, issuerOf(realm), paramsOf(more), twist)

const nothingElse = {
  ...{ redirect_uri: undefined, response_type: undefined, scope: undefined, state: undefined, nonce: undefined },
  ...{ code_challenge: undefined, code_challenge_method: undefined },
}
const sendSigned = async (request: string, options: AuthorizeOptions = {}) =>
  authorize(realm, client, { browser: realm.admin, ...options, params: { ...nothingElse, request, ...options.params } })
const push = (form: Record<string, string>) => api(`${issuerOf(realm)}/par`, 'POST', { form, headers: basic(client) })
const redeemCode = (code: string) =>
  requestToken(realm, client, {
    ...{ grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, code_verifier: verifier },
  })

describe('a signed request (RFC 9101)', () => {
  test('is answered, and what stands beside it does not count', async () => {
    const beside = { scope: 'openid phone nonsense', state: 'beside', redirect_uri: 'https://evil.example/' }
    const { params } = await sendSigned(await signed({ scope: 'openid email' }), { params: beside })
    expect(params).toMatchObject({ code: expect.any(String), state: 'signed', iss: issuerOf(realm) })
    const { body } = await redeemCode(params.code!)
    expect(body.scope.split(' ').toSorted()).toEqual(['email', 'openid'])
  })

  test('is answered when it was pushed, and grants what it asked for, offline access too', async () => {
    const pushed = await push({ request: await signed({ scope: 'openid offline_access' }) })
    expect(pushed.status).toBe(201)
    const { params } = await sendSigned('', { params: { request: undefined, request_uri: pushed.body.request_uri } })
    const { body } = await redeemCode(params.code!)
    expect(body.scope.split(' ')).toContain('offline_access')
    // The same without a signature.
    const form = { ...paramsOf({ scope: 'openid offline_access' }), client_id: client.clientId }
    const plain = await push(form as unknown as Record<string, string>)
    const again = await sendSigned('', { params: { request: undefined, request_uri: plain.body.request_uri } })
    expect((await redeemCode(again.params.code!)).body.scope.split(' ')).toContain('offline_access')
  })

  test('asks for a scope it may not have in vain, wherever it comes in', async () => {
    const { params } = await sendSigned(await signed({ scope: 'openid address' }))
    expect(params.error).toBe('invalid_scope')
    const { params: unknown } = await sendSigned(await signed({ scope: 'openid no-such-scope' }))
    expect(unknown.error).toBe('invalid_scope')
    expect((await push({ request: await signed({ scope: 'openid address' }) })).body.error).toBe('invalid_scope')
  })

  test('is read where parameters are read, and nowhere else', async () => {
    const form = { client_id: client.clientId, ...paramsOf({ scope: 'openid no-such-scope' }) }
    const unsigned = new UnsecuredJWT({ scope: 'openid' }).encode()
    for (const request of ['garbage', unsigned]) {
      const url = `${issuerOf(realm)}/par?request=${request}`
      const { status, body } = await api(url, 'POST', { form, headers: basic(client) })
      expect([status, body.error], request).toEqual([400, 'invalid_scope'])
    }
  })

  test('is refused when it is not from the client, not for us, not in time, or another kind of JWT', async () => {
    const now = Math.floor(Date.now() / 1000)
    const other = await makeKey()
    const twists: [string, Twist, ClientKey?][] = [
      ['another key', {}, { ...other, kid: key.kid }],
      ['unknown key', {}, other],
      ['iss', { claims: { iss: 'somebody' } }],
      ['aud', { claims: { aud: 'https://other.example' } }],
      ['client', { claims: { client_id: 'somebody' } }],
      ['sub', { claims: { sub: client.clientId } }],
      ['no end', { claims: { exp: undefined } }],
      ['over', { claims: { nbf: now - 600, exp: now - 60 } }],
      ['more than an hour', { claims: { nbf: now - 10, exp: now + 3600 } }],
      ['more than an hour ahead', { claims: { nbf: undefined, exp: now + 3700 } }],
      ['not yet', { claims: { nbf: now + 60 } }],
      ['made in the future', { claims: { iat: now + 60 } }],
      ['typ', { header: { typ: 'client-authentication+jwt' } }],
      ['typ that is no text', { header: { typ: 7 } }],
    ]
    for (const [name, twist, by] of twists) {
      const { status, body } = await push({ request: await signed({}, twist, by) })
      expect([name, status, body.error]).toEqual([name, 400, 'invalid_request_object'])
      const { answer, params } = await sendSigned(await signed({}, twist, by), { stopAtPage: true })
      expect([params.code, answer.status === 200], name).toEqual([undefined, false])
    }
  })

  test('is never unsigned, and never at an address of the client’s', async () => {
    const claims = { ...paramsOf(), iss: client.clientId, client_id: client.clientId, aud: issuerOf(realm) }
    const unsigned = new UnsecuredJWT(claims).setExpirationTime('5m').encode()
    expect((await push({ request: unsigned })).body.error).toBe('invalid_request_object')
    const { answer, params } = await sendSigned(unsigned, { stopAtPage: true })
    expect([params.code, answer.status]).toEqual([undefined, 400])
    const byAddress = await sendSigned('', { params: { request: undefined, request_uri: 'https://app.example.org/r' } })
    expect([byAddress.params.code, byAddress.answer.status]).toEqual([undefined, 400])
  })

  test('is no proof of who the client is', async () => {
    const asserting = await createClientIn(realm, {
      ...{ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.jwk] } },
      ...{ grantTypes: ['client_credentials'], redirectUris: [] },
    })
    const ask = async (twist: Twist) =>
      api(`${issuerOf(realm)}/token`, 'POST', {
        form: {
          grant_type: 'client_credentials',
          ...(await assertAs(key, asserting.clientId, issuerOf(realm), twist)),
        },
      })
    expect((await ask({ header: { typ: 'oauth-authz-req+jwt' } })).body.error).toBe('invalid_client')
    expect((await ask({})).status).toBe(200)
  })
})

describe('a signed answer (JARM)', () => {
  test.each(['jwt', 'query.jwt', 'form_post.jwt'])('comes as %s, signed by the realm', async (mode) => {
    const options = { browser: realm.admin, params: { response_mode: mode } }
    const { params, answer } = await authorize(realm, client, options)
    const response = mode === 'form_post.jwt' ? readForm(answer.text).response! : params.response!
    const keys = createRemoteJWKSet(new URL(`${issuerOf(realm)}/.well-known/jwks.json`))
    const { payload } = await jwtVerify(response, keys, { issuer: issuerOf(realm), audience: client.clientId })
    expect(payload).toMatchObject({ code: expect.any(String), state: 'some-state' })
    expect(payload.exp! - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(600)
    // Nothing stands beside the signed answer.
    const sent = mode === 'form_post.jwt' ? readForm(answer.text) : params
    expect(Object.keys(sent)).toEqual(['response'])
    expect(answer.text.includes('gh-page-form-post')).toBe(mode === 'form_post.jwt')
  })

  test('tells of an error the same way', async () => {
    const { params } = await authorize(realm, client, { params: { response_mode: 'jwt', prompt: 'none' } })
    expect(decodeJwt(params.response!)).toMatchObject({ error: 'login_required', iss: issuerOf(realm) })
  })
})
