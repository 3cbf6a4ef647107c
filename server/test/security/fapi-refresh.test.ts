// FAPI 2.0 section 5.3.2.1: a client of the profile keeps its refresh token. What rotation shows elsewhere must hold here without it.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  type Answer,
  api,
  authorize,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { assertAs, type ClientKey, makeKey, prove } from '../harness/signing.ts'

const verifier = 'a-verifier-that-is-long-enough-for-everybody-here'
const redirectUri = 'https://bank.example.org/callback'
const lifetime = 7200
let realm: TestRealm
let issuer: string
let client: TestClient
let key: ClientKey
let proofKey: ClientKey
let nonce: string

beforeAll(async () => {
  realm = await createRealmFor()
  issuer = issuerOf(realm)
  ;[key, proofKey] = await Promise.all([makeKey(), makeKey()])
  client = await createClientIn(realm, {
    ...{ securityProfile: 'FAPI2', tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.jwk] } },
    ...{ redirectUris: [redirectUri], scopes: ['offline_access'], refreshTokenLifetimeSeconds: lifetime },
  })
  const url = `${issuer}/token`
  const { headers } = await call(
    '/token',
    { grant_type: 'refresh_token', refresh_token: 'x' },
    await prove(proofKey, { url }),
  )
  nonce = String(headers['dpop-nonce'])
})

type Form = Record<string, string>

async function call(path: string, form: Form, headers: Record<string, string> = {}): Promise<Answer> {
  const own = await assertAs(key, client.clientId, issuer)
  return api(issuer + path, 'POST', { form: { ...form, ...own }, headers })
}
const callProven = async (form: Form, by = proofKey) =>
  call('/token', form, await prove(by, { url: `${issuer}/token`, nonce }))

async function signIn(username: string, scope = 'openid'): Promise<Record<string, string>> {
  const pushed = await call('/par', {
    ...{ response_type: 'code', redirect_uri: redirectUri, scope, client_id: client.clientId },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  })
  const nothing = [
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'nonce',
    'code_challenge',
    'code_challenge_method',
  ]
  const params = Object.fromEntries(nothing.map((name) => [name, undefined]))
  const browser = createBrowser(realm.node.url)
  const options = { browser, username, params: { ...params, request_uri: pushed.body.request_uri } }
  const { code } = (await authorize(realm, client, options)).params
  const form = { grant_type: 'authorization_code', code: code!, redirect_uri: redirectUri, code_verifier: verifier }
  return (await must(callProven(form), 200)).body
}

const refreshWith = (refresh_token: string, by?: ClientKey) =>
  callProven({ grant_type: 'refresh_token', refresh_token }, by)
const isActive = async (token: string) => (await call('/introspect', { token })).body.active

describe('S26: a refresh token that is kept', () => {
  test('is good for many at once, and none of them is taken for a thief', async () => {
    const { refresh_token: kept } = await signIn('admin')
    const answers = await Promise.all(Array.from({ length: 12 }, () => refreshWith(kept!)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    expect(new Set(answers.map(({ body }) => body.refresh_token ?? kept))).toEqual(new Set([kept]))
    expect(await isActive(kept!)).toBe(true)
    expect((await refreshWith(kept!)).status).toBe(200)
    await realm.node.services.eventBatch.flush()
    expect(await realm.events('&type=REFRESH_TOKEN_REUSE')).toEqual([])
  })

  test('needs the client’s proof of who it is and a key, and gives tokens of that key only', async () => {
    const { refresh_token: kept } = await signIn('admin')
    const form = { grant_type: 'refresh_token', refresh_token: kept! }
    expect((await call('/token', form)).body.error).toBe('invalid_dpop_proof')
    const proof = await prove(proofKey, { url: `${issuer}/token`, nonce })
    const stolen = await api(`${issuer}/token`, 'POST', {
      form: { ...form, client_id: client.clientId },
      headers: proof,
    })
    expect([stolen.status, stolen.body.error]).toEqual([401, 'invalid_client'])
    const { body } = await must(call('/token', form, await prove(proofKey, { url: `${issuer}/token`, nonce })), 200)
    expect(body.token_type).toBe('DPoP')
  })

  test('ends when it is revoked, with the tokens that it gave', async () => {
    const { refresh_token: kept } = await signIn('admin')
    const { access_token: given } = (await must(refreshWith(kept!), 200)).body
    await must(call('/revoke', { token: kept! }), 200)
    expect((await refreshWith(kept!)).body.error).toBe('invalid_grant')
    expect([await isActive(kept!), await isActive(given)]).toEqual([false, false])
  })

  test('ends with the session, the person and the client', async () => {
    const { userId } = await addPerson(realm, 'keeper')
    const { refresh_token: first } = await signIn('keeper')
    expect((await refreshWith(first!)).status).toBe(200)
    await must(realm.call('DELETE', `/sessions?userId=${userId}`), 204)
    expect([(await refreshWith(first!)).status, await isActive(first!)]).toEqual([400, false])
    const { refresh_token: offline } = await signIn('keeper', 'openid offline_access')
    await must(realm.call('DELETE', `/sessions?userId=${userId}`), 204)
    expect((await refreshWith(offline!)).status).toBe(200)
    await must(realm.call('PATCH', `/clients/${client.id}`, { enabled: false }), 200)
    expect((await refreshWith(offline!)).status).toBe(401)
    await must(realm.call('PATCH', `/clients/${client.id}`, { enabled: true }), 200)
    expect((await refreshWith(offline!)).status).toBe(400)
    const { refresh_token: last } = await signIn('keeper', 'openid offline_access')
    await must(realm.call('PATCH', `/users/${userId}`, { enabled: false }), 200)
    expect([(await refreshWith(last!)).status, await isActive(last!)]).toEqual([400, false])
  })

  test('has its end fixed when it is made, however often it is used', async () => {
    const { refresh_token: kept } = await signIn('admin')
    const before = (await call('/introspect', { token: kept! })).body
    expect(before.exp - before.iat).toBe(lifetime)
    await must(refreshWith(kept!), 200)
    expect((await call('/introspect', { token: kept! })).body.exp).toBe(before.exp)
  })
})

describe('S26: a client that leaves the profile, or comes to it', () => {
  test('goes over to rotation with the token it has; one that was used up before stays used up', async () => {
    const patch = (members: object) =>
      must(realm.call('PATCH', `/clients/${client.id}`, members, { type: 'application/merge-patch+json' }), 200)
    const { refresh_token: kept } = await signIn('admin')
    await must(refreshWith(kept!), 200)
    await patch({ securityProfile: 'DEFAULT', refreshTokenGraceSeconds: 0 })
    const { body } = await must(refreshWith(kept!), 200)
    expect(body.refresh_token).not.toBe(kept)
    await patch({ securityProfile: 'FAPI2' })
    expect((await must(refreshWith(body.refresh_token), 200)).body.refresh_token).toBe(body.refresh_token)
    expect((await refreshWith(kept!)).body.error).toBe('invalid_grant')
    // Whoever brings the old one is a thief, or the thief's victim: nobody keeps anything.
    expect((await refreshWith(body.refresh_token)).body.error).toBe('invalid_grant')
    const [reuse] = await realm.events('&type=REFRESH_TOKEN_REUSE')
    expect(reuse).toMatchObject({ clientId: client.clientId, outcome: 'FAILURE' })
  })
})
