// S30: a client proves who it is in the way that is registered and in no other; an assertion is short, meant for us, and good once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  basic,
  createClientIn,
  issuerOf,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { assertAs, type ClientKey, makeKey, type Twist } from '../harness/signing.ts'
import { atOnce, openPair, type Pair, startSecondNode } from './two-nodes.ts'

let second: TestNode
let pair: Pair
let realm: TestRealm
let issuer: string
let key: ClientKey
let client: TestClient
const asMachine = { grantTypes: ['client_credentials'], redirectUris: [] }

beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  realm = pair.realm
  issuer = issuerOf(realm)
  key = await makeKey()
  const jwks = { keys: [key.jwk] }
  client = await createClientIn(realm, { ...asMachine, tokenEndpointAuthMethod: 'private_key_jwt', jwks })
})
afterAll(() => second.stop())

const grant = { grant_type: 'client_credentials' }
const ask = (form: Record<string, string>, headers: Record<string, string> = {}, base = realm.node.url) =>
  api(`${base}/realms/${realm.realmId}/token`, 'POST', { form: { ...grant, ...form }, headers })
const askWith = async (twist: Twist, by = key) => ask(await assertAs(by, client.clientId, issuer, twist))

describe('S30: an assertion', () => {
  test('used 100 times at once over two nodes is good once', async () => {
    const own = await assertAs(key, client.clientId, issuer)
    const answers = await atOnce(pair, 100, (base) => ask(own, {}, base))
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    const others = answers.filter(({ status }) => status !== 200).map(({ status, body }) => `${status} ${body.error}`)
    expect([...new Set(others)]).toEqual(['401 invalid_client'])
  })

  test('is good for the issuer or the token endpoint, at whichever endpoint, and for nobody else', async () => {
    for (const aud of [issuer, `${issuer}/token`, [issuer], [issuer, `${issuer}/token`]]) {
      expect((await askWith({ claims: { aud } })).status, String(aud)).toBe(200)
    }
    const foreign = [
      ...['https://other.example', `${issuer}/`, `${issuer}/introspect`, realm.node.url, '', undefined],
      ...[[], [issuer, 'https://other.example'], [`${issuer}/par`]],
    ]
    for (const aud of foreign) {
      const { status, body } = await askWith({ claims: { aud } })
      expect([status, body.error], String(aud)).toEqual([401, 'invalid_client'])
    }
    const own = (audience: string) => assertAs(key, client.clientId, audience)
    const revoke = async (audience: string) =>
      (await api(`${issuer}/revoke`, 'POST', { form: { token: 'x', ...(await own(audience)) } })).status
    expect(await revoke(issuer)).toBe(200)
    expect(await revoke(`${issuer}/token`)).toBe(200)
    expect(await revoke(`${issuer}/revoke`)).toBe(401)
  })

  test('lives five minutes at most, and not before its time', async () => {
    const now = Math.floor(Date.now() / 1000)
    const right = [{ exp: now + 299 }, { exp: now + 295, iat: undefined }, { nbf: now - 5 }, { nbf: now + 5 }]
    for (const claims of right) expect((await askWith({ claims })).status, JSON.stringify(claims)).toBe(200)
    const wrong = [
      ...[{ exp: now + 330 }, { exp: now + 330, iat: undefined }, { iat: now - 280, exp: now + 30 }],
      ...[{ exp: now - 30, iat: now - 60 }, { exp: undefined }, { exp: 'tomorrow' }, { exp: now + 31_536_000 }],
      ...[{ nbf: now + 60 }, { iat: now + 60, exp: now + 120 }],
    ]
    for (const claims of wrong) expect((await askWith({ claims })).status, JSON.stringify(claims)).toBe(401)
  })

  test('names the client, itself, and what it is', async () => {
    const wrong: Twist[] = [
      { claims: { iss: 'somebody' } },
      { claims: { iss: undefined } },
      { claims: { sub: 'somebody' } },
      { claims: { jti: undefined } },
      { claims: { jti: '' } },
      { claims: { jti: 7 } },
      { claims: { jti: 'x'.repeat(256) } },
      { header: { typ: 'dpop+jwt' } },
      { header: { typ: 'at+jwt' } },
      { header: { typ: 7 } },
      { header: { typ: '' } },
      { claims: { jti: ['x'] } },
      { claims: { sub: [client.clientId] } },
      { claims: { sub: 7 } },
      { claims: { iat: 'now' } },
      { claims: { nbf: 'now' } },
      { claims: { aud: { issuer } } },
      { claims: { aud: [issuer, 7] } },
    ]
    for (const twist of wrong) expect((await askWith(twist)).status, JSON.stringify(twist)).toBe(401)
    expect((await askWith({ header: { typ: 'client-authentication+jwt' } })).status).toBe(200)
    const other = await createClientIn(realm, { ...asMachine })
    const mixed = await ask({ ...(await assertAs(key, client.clientId, issuer)), client_id: other.clientId })
    expect(mixed.status).toBe(400)
  })

  test('is signed by a key of the client with an algorithm for signatures', async () => {
    const stranger = await makeKey()
    expect((await askWith({}, stranger)).status).toBe(401)
    expect((await askWith({}, { ...stranger, kid: key.kid })).status).toBe(401)
    // Keys that an assertion brings along, or says where to find, are nobody's.
    const brought = [{ jwk: stranger.jwk }, { jku: 'https://evil.example/jwks' }, { x5u: 'https://evil.example/x' }]
    for (const header of brought) expect((await askWith({ header }, stranger)).status).toBe(401)
    for (const header of [{ kid: '' }, { kid: '../keys' }])
      expect((await askWith({ header })).status, JSON.stringify(header)).toBe(401)
    const unheard = await ask(await signAnyhow({ alg: key.alg, kid: key.kid, crit: ['unheard-of'], 'unheard-of': 1 }))
    expect(unheard.status).toBe(401)
    const keys = await Promise.all(['RS256', 'PS256', 'EdDSA', 'ES384'].map((alg) => makeKey(alg)))
    const jwks = { keys: keys.map(({ jwk }) => jwk) }
    const many = await createClientIn(realm, { ...asMachine, tokenEndpointAuthMethod: 'private_key_jwt', jwks })
    const statuses = keys.map(async (one) => (await ask(await assertAs(one, many.clientId, issuer))).status)
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 401])
    for (const alg of ['none', 'HS256']) {
      const own = await assertAs(key, client.clientId, issuer)
      const [, body, signature] = own.client_assertion.split('.')
      const head = Buffer.from(JSON.stringify({ alg, kid: key.kid })).toString('base64url')
      for (const end of ['', signature]) {
        expect((await ask({ ...own, client_assertion: `${head}.${body}.${end}` })).status, alg).toBe(401)
      }
    }
  })
})

/** An assertion with a header that a library would not write. */
async function signAnyhow(header: object) {
  const own = await assertAs(key, client.clientId, issuer)
  const text = [Buffer.from(JSON.stringify(header)).toString('base64url'), own.client_assertion.split('.')[1]].join('.')
  const ecdsa = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = Buffer.from(await crypto.subtle.sign(ecdsa, key.privateKey, Buffer.from(text)))
  return { ...own, client_assertion: `${text}.${signature.toString('base64url')}` }
}

describe('S30: no method downgrade', () => {
  let withBasic: TestClient
  let withPost: TestClient
  let open: TestClient
  beforeAll(async () => {
    withBasic = await createClientIn(realm, { ...asMachine, jwks: { keys: [key.jwk] } })
    withPost = await createClientIn(realm, { ...asMachine, tokenEndpointAuthMethod: 'client_secret_post' })
    open = await createClientIn(realm, { publicClient: true })
  })

  const inForm = ({ clientId, secret }: TestClient) => ({ client_id: clientId, client_secret: secret! })

  // The short way takes the plain request, the engine the one with a resource.
  test.each([{}, { resource: true }])('the registered way is the only one %o', async ({ resource }) => {
    const more: Record<string, string> = resource ? { resource: issuer } : {}
    expect((await ask(more, basic(withBasic))).status).toBe(200)
    expect((await ask({ ...more, ...inForm(withPost) })).status).toBe(200)
    const refused = await Promise.all([
      ask({ ...more, ...inForm(withBasic) }),
      ask(more, basic(withPost)),
      ask({ ...more, client_id: withBasic.clientId }),
      ask({ ...more, client_id: client.clientId }),
      ask(more, basic({ ...client, secret: 'anything' })),
      ask({ ...more, ...inForm({ ...client, secret: 'anything' }) }),
      assertAs(key, withBasic.clientId, issuer).then((own) => ask({ ...more, ...own })),
    ])
    for (const { status, body } of refused) expect([status, body.error]).toEqual([401, 'invalid_client'])
  })

  test('the same holds wherever clients prove who they are', async () => {
    for (const path of ['/introspect', '/revoke', '/par']) {
      const url = issuer + path
      const wrong = [
        await api(url, 'POST', { form: { token: 'x', ...inForm(withBasic) } }),
        await api(url, 'POST', { form: { token: 'x' }, headers: basic(withPost) }),
      ]
      expect(
        wrong.map(({ status }) => status),
        path,
      ).toEqual([401, 401])
    }
  })

  test('a client that may not use a grant is told that it is not authorized (RFC 6749 5.2)', async () => {
    const refused = await ask({ client_id: open.clientId })
    expect([refused.status, refused.body.error]).toEqual([400, 'unauthorized_client'])
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }
    expect((await ask(form, basic(withBasic))).body.error).toBe('unauthorized_client')
    expect((await ask({ grant_type: 'no-such-grant' }, basic(withBasic))).body.error).toBe('unsupported_grant_type')
  })
})
