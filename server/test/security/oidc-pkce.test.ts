// S24: a code is only good together with the secret that its request named by its hash.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  redeem,
  requestToken,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'

let realm: TestRealm
let confidential: TestClient
let open: TestClient
let lenient: TestClient

beforeAll(async () => {
  realm = await createRealmFor()
  confidential = await createClientIn(realm)
  open = await createClientIn(realm, { publicClient: true })
  lenient = await createClientIn(realm, { requirePkce: false })
})
const clients: [kind: string, client: () => TestClient][] = [
  ['a confidential client', () => confidential],
  ['a public client', () => open],
]

const errorOf = async (client: TestClient, params: Record<string, string | undefined>) =>
  (await authorize(realm, client, { params, stopAtPage: true })).params.error

describe.each(clients)('S24: %s', (_kind, which) => {
  test('must send a challenge', async () => {
    const none = { code_challenge: undefined, code_challenge_method: undefined }
    expect(await errorOf(which(), none)).toBe('invalid_request')
    expect(await errorOf(which(), { ...none, code_challenge: '' })).toBe('invalid_request')
    expect(await errorOf(which(), { ...none, code_challenge_method: 'S256' })).toBe('invalid_request')
  })

  test('must send it hashed: the method plain is refused, also when it is only implied', async () => {
    for (const method of ['plain', 'PLAIN', 's256', 'S512', 'none', undefined, '']) {
      const params = { code_challenge: 'x'.repeat(43), code_challenge_method: method }
      expect(await errorOf(which(), params), String(method)).toBe('invalid_request')
    }
  })

  test('must send a challenge that is one', async () => {
    for (const challenge of ['short', 'x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)}!`, `${'x'.repeat(42)}=`]) {
      expect(await errorOf(which(), { code_challenge: challenge }), challenge).toBe('invalid_request')
    }
  })

  test('gets no tokens with a wrong verifier, the challenge itself, or none', async () => {
    const client = which()
    const authorization = await authorize(realm, client)
    const form = {
      grant_type: 'authorization_code',
      code: authorization.params.code!,
      redirect_uri: client.redirectUri,
    }
    const challenge = createHash('sha256').update(authorization.verifier).digest('base64url')
    for (const verifier of ['y'.repeat(43), challenge, authorization.verifier.slice(0, -1)]) {
      const answer = await requestToken(realm, client, { ...form, code_verifier: verifier })
      expect(answer.body.error, verifier).toMatch(/^invalid_(grant|request)$/)
    }
    expect((await requestToken(realm, client, form)).body.error).toMatch(/^invalid_(grant|request)$/)
    expect((await requestToken(realm, client, { ...form, code_verifier: '' })).body.error).toMatch(
      /^invalid_(grant|request)$/,
    )
  })
})

describe('S24: nothing can be left out', () => {
  test('a public client cannot be made to do without a challenge', async () => {
    const made = await realm.call('POST', '/clients', {
      clientId: 'careless',
      publicClient: true,
      requirePkce: false,
      redirectUris: [open.redirectUri],
    })
    expect([made.status, made.body.errors?.[0]?.field]).toEqual([400, 'requirePkce'])
  })

  test('a verifier is refused for a code that was asked for without a challenge', async () => {
    const params = { code_challenge: undefined, code_challenge_method: undefined }
    const authorization = await authorize(realm, lenient, { params })
    expect(authorization.params.code).toBeTruthy()
    expect((await redeem(realm, lenient, authorization)).body.error).toBe('invalid_grant')
  })

  test('a client that need not send a challenge is held to the one it sent', async () => {
    const authorization = await authorize(realm, lenient)
    const form = {
      grant_type: 'authorization_code',
      code: authorization.params.code!,
      redirect_uri: lenient.redirectUri,
    }
    expect((await requestToken(realm, lenient, form)).body.error).toBe('invalid_grant')
    expect(await errorOf(lenient, { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' })).toBe(
      'invalid_request',
    )
  })

  test('a pushed request is held to the same', async () => {
    const { clientId: client_id, redirectUri: redirect_uri } = confidential
    const form = { client_id, response_type: 'code', redirect_uri, scope: 'openid' }
    const push = (more: Record<string, string>) =>
      api(`${issuerOf(realm)}/par`, 'POST', { form: { ...form, ...more }, headers: basic(confidential) })
    const good = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    expect((await push(good)).status).toBe(201)
    expect((await push({})).body.error).toBe('invalid_request')
    const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }
    expect((await push(plain)).body.error).toBe('invalid_request')
  })

  test('discovery names S256 alone', async () => {
    const { body } = await api(`${issuerOf(realm)}/.well-known/openid-configuration`, 'GET')
    expect(body.code_challenge_methods_supported).toEqual(['S256'])
  })
})
