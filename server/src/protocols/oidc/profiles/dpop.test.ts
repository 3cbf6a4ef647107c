import { decodeJwt } from 'jose'
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
  signInTo,
  type TestClient,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { type ClientKey, makeKey, present, prove, type Twist } from '../../../../test/harness/signing.ts'

let realm: TestRealm
let spa: TestClient
let machine: TestClient
let key: ClientKey
let other: ClientKey
let tokenUrl: string

beforeAll(async () => {
  realm = await createRealmFor()
  spa = await createClientIn(realm, { publicClient: true })
  const asMachine = { grantTypes: ['client_credentials'], redirectUris: [] }
  machine = await createClientIn(realm, { ...asMachine, dpopBoundAccessTokens: true })
  ;[key, other] = await Promise.all([makeKey(), makeKey()])
  tokenUrl = `${issuerOf(realm)}/token`
})

interface Ask {
  as?: TestClient
  form?: Record<string, string>
  proof?: Record<string, string>
}

function ask({ as = machine, form = { grant_type: 'client_credentials' }, proof = {} }: Ask) {
  const own: Record<string, string> = as.secret === null ? { client_id: as.clientId } : {}
  const headers = { ...(as.secret === null ? {} : basic(as)), ...proof }
  return api(tokenUrl, 'POST', { form: { ...own, ...form }, headers })
}

const proveHere = (twist: Twist = {}, nonce?: string, by = key) =>
  prove(by, { url: tokenUrl, ...(nonce === undefined ? {} : { nonce }) }, twist)

/** A sign-in whose tokens are bound to the key. */
async function signInBound(as: TestClient, params: Record<string, string> = {}, by = key) {
  const { params: answer, verifier } = await authorize(realm, as, { browser: realm.admin, params })
  const form = {
    grant_type: 'authorization_code',
    code: answer.code!,
    redirect_uri: as.redirectUri,
    code_verifier: verifier,
  }
  return ask({ as, form, proof: await proveHere({}, undefined, by) })
}

describe('a token request with a proof', () => {
  test('gets a token that is bound to the key, and everybody who is told of it sees that', async () => {
    const { status, body } = await ask({ proof: await proveHere() })
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    expect(decodeJwt(body.access_token).cnf).toEqual({ jkt: key.thumbprint })
    const form = { token: body.access_token }
    const told = await api(`${issuerOf(realm)}/introspect`, 'POST', { form, headers: basic(machine) })
    expect(told.body).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.thumbprint } })
  })

  test.each(['PS256', 'EdDSA'])('may be signed with %s', async (alg) => {
    const own = await makeKey(alg)
    expect((await ask({ proof: await proveHere({}, undefined, own) })).body.token_type).toBe('DPoP')
  })

  test('is refused with another algorithm, type, method, address or a key that is secret', async () => {
    const rsa = await makeKey('RS256')
    const twists: [string, Twist, ClientKey?][] = [
      ['RS256', {}, rsa],
      ['typ', { header: { typ: 'JWT' } }],
      ['no key', { header: { jwk: undefined } }],
      ['another key', { header: { jwk: other.jwk } }],
      ['private key', { header: { jwk: { ...key.jwk, d: 'AAAA' } } }],
      ['htm', { claims: { htm: 'GET' } }],
      ['htu', { claims: { htu: `${issuerOf(realm)}/par` } }],
      ['htu elsewhere', { claims: { htu: 'https://evil.example/token' } }],
      ['no jti', { claims: { jti: undefined } }],
      ['no iat', { claims: { iat: undefined } }],
    ]
    for (const [name, twist, by] of twists) {
      const answer = await ask({ proof: await proveHere(twist, undefined, by) })
      expect([answer.status, answer.body.error], name).toEqual([400, 'invalid_dpop_proof'])
    }
    expect((await ask({ proof: { dpop: 'nonsense' } })).body.error).toBe('invalid_dpop_proof')
  })

  test('needs no nonce while it is fresh; one that is not ours, or an old proof, is answered with one', async () => {
    expect(
      (await ask({ proof: await proveHere({ claims: { iat: Math.floor(Date.now() / 1000) - 290 } }) })).status,
    ).toBe(200)
    for (const proof of [
      await proveHere({}, 'not-ours'),
      await proveHere({ claims: { iat: Math.floor(Date.now() / 1000) - 400 } }),
    ]) {
      const refused = await ask({ proof })
      expect([refused.status, refused.body.error]).toEqual([400, 'use_dpop_nonce'])
      const nonce = String(refused.headers['dpop-nonce'])
      expect((await ask({ proof: await proveHere({ claims: { iat: 1 } }, nonce) })).status).toBe(200)
    }
    const { realmId } = await createRealmFor()
    const elsewhere = realm.node.services.sealer.deriveKey(`dpop-nonce:${realmId}`)
    expect(elsewhere).not.toEqual(realm.node.services.sealer.deriveKey(`dpop-nonce:${realm.realmId}`))
  })
})

describe('a client whose tokens are bound', () => {
  test('gets none without a proof, on the short way and on the long one', async () => {
    const ways: Record<string, string>[] = [{}, { resource: issuerOf(realm) }]
    for (const way of ways) {
      const { status, body } = await ask({ form: { grant_type: 'client_credentials', ...way } })
      expect([status, body.error]).toEqual([400, 'invalid_dpop_proof'])
      expect(body.error_description).toMatch(/send a DPoP proof/)
    }
    const app = await createClientIn(realm, { dpopBoundAccessTokens: true })
    const authorization = await authorize(realm, app, { browser: realm.admin })
    expect((await redeem(realm, app, authorization)).body.error).toBe('invalid_dpop_proof')
    // The refusal took nothing away.
    const form = {
      ...{ grant_type: 'authorization_code', code: authorization.params.code! },
      ...{ redirect_uri: app.redirectUri, code_verifier: authorization.verifier },
    }
    expect((await ask({ as: app, form, proof: await proveHere() })).body.token_type).toBe('DPoP')
  })

  test('shows whom it asks about a token without one', async () => {
    const { body } = await ask({ proof: await proveHere() })
    expect((await requestToken(realm, machine, { grant_type: 'client_credentials' })).status).toBe(400)
    const told = await api(`${issuerOf(realm)}/introspect`, 'POST', {
      form: { token: body.access_token },
      headers: basic(machine),
    })
    expect(told.body.active).toBe(true)
  })
})

describe('S25, S26: what is bound', () => {
  test('a code that named a key is of no use with another, nor without', async () => {
    const withOther = await signInBound(spa, { dpop_jkt: other.thumbprint })
    expect([withOther.status, withOther.body.error]).toEqual([400, 'invalid_grant'])
    const authorization = await authorize(realm, spa, { browser: realm.admin, params: { dpop_jkt: key.thumbprint } })
    expect((await redeem(realm, spa, authorization)).body.error).toBe('invalid_grant')
    expect((await signInBound(spa, { dpop_jkt: key.thumbprint })).status).toBe(200)
  })

  test('a refresh token of a public client works with its key only, and so do its successors', async () => {
    let { refresh_token: token } = (await signInBound(spa)).body
    const again = async (proof: Record<string, string>) =>
      ask({ as: spa, form: { grant_type: 'refresh_token', refresh_token: token }, proof })
    for (let turn = 0; turn < 2; turn++) {
      expect((await again({})).body.error).toBe('invalid_grant')
      expect((await again(await proveHere({}, undefined, other))).body.error).toBe('invalid_grant')
      const { status, body } = await again(await proveHere())
      expect([status, body.token_type]).toEqual([200, 'DPoP'])
      token = body.refresh_token
    }
  })
})

describe('contract 5.6: our own resources', () => {
  let bound: string
  let free: string
  let boundMachine: string
  let resources: { url: string; token: string; free: string }[]

  beforeAll(async () => {
    bound = (await signInBound(spa)).body.access_token
    free = (await signInTo(realm, spa, { browser: realm.admin })).access_token!
    const audience = `${realm.node.url}/admin`
    await realm.call('PUT', `/clients/${machine.id}/allowed-resources`, { allowedResources: [audience] })
    const role = await realm.call('POST', '/roles', { name: 'reader' })
    await realm.call('PUT', `/admin-roles/${role.body.roleId}`, { permissions: ['view-users'] })
    await realm.call('POST', `/clients/${machine.clientId}/service-account/roles`, { name: 'reader' })
    const form = { grant_type: 'client_credentials', resource: audience }
    boundMachine = (await ask({ form, proof: await proveHere() })).body.access_token
    const open = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
    await realm.call('PUT', `/clients/${open.id}/allowed-resources`, { allowedResources: [audience] })
    const freeMachine = (await requestToken(realm, open, form)).body.access_token
    resources = [
      { url: `${issuerOf(realm)}/userinfo`, token: bound, free },
      { url: `${issuerOf(realm)}/account/gdpr/consents`, token: bound, free },
      { url: `${realm.node.url}/admin/realms/${realm.realmId}/users`, token: boundMachine, free: freeMachine },
    ]
  })

  test('take a bound token with its proof, once', async () => {
    for (const { url, token } of resources) {
      const request = await present(key, { url, token })
      expect((await api(url, 'GET', request)).status, url).toBe(200)
      const replayed = await api(url, 'GET', request)
      expect(replayed.status, url).toBe(401)
      expect(replayed.headers['www-authenticate'], url).toMatch(/^DPoP /)
    }
  })

  test('refuse a bound token as a bearer token, and a free one with a proof', async () => {
    for (const { url, token, free: unbound } of resources) {
      const asBearer = await api(url, 'GET', { headers: { authorization: `Bearer ${token}` } })
      expect(asBearer.status, url).toBe(401)
      expect(String(asBearer.headers['www-authenticate']), url).toMatch(/^DPoP .*error="invalid_token".*algs="ES256 /)
      const withProof = await api(url, 'GET', await present(key, { url, token: unbound }))
      expect(withProof.status, url).toBe(401)
      expect(String(withProof.headers['www-authenticate']), url).toMatch(/^DPoP .*error="invalid_token"/)
    }
  })

  test('refuse a proof that is for something else', async () => {
    const twists: [string, string, Twist, ClientKey?][] = [
      ['another key', 'invalid_token', {}, other],
      ['htm', 'invalid_dpop_proof', { claims: { htm: 'POST' } }],
      ['htu', 'invalid_dpop_proof', { claims: { htu: `${issuerOf(realm)}/token` } }],
      ['no ath', 'invalid_dpop_proof', { claims: { ath: undefined } }],
      ['ath of another', 'invalid_dpop_proof', { claims: { ath: 'AAAA' } }],
      ['no jti', 'invalid_dpop_proof', { claims: { jti: undefined } }],
      ['old', 'use_dpop_nonce', { claims: { iat: Math.floor(Date.now() / 1000) - 400 } }],
      ['ahead', 'use_dpop_nonce', { claims: { iat: Math.floor(Date.now() / 1000) + 400 } }],
      ['foreign nonce', 'use_dpop_nonce', { claims: { nonce: 'not-ours' } }],
      ['another kind', 'invalid_dpop_proof', { header: { typ: 'JWT' } }],
      ['a key beside the signature', 'invalid_dpop_proof', { header: { jwk: other.jwk } }],
    ]
    for (const { url, token } of resources) {
      for (const [name, error, twist, by = key] of twists) {
        const answer = await api(url, 'GET', await present(by, { url, token }, twist))
        expect([answer.status, name, url]).toEqual([401, name, url])
        expect(String(answer.headers['www-authenticate']), `${name} ${url}`).toContain(`error="${error}"`)
        const isAsked = error !== 'use_dpop_nonce' || answer.headers['dpop-nonce'] !== undefined
        expect(isAsked, name).toBe(true)
      }
      const bare = await api(url, 'GET', { headers: { authorization: `DPoP ${token}` } })
      expect([400, 401]).toContain(bare.status)
    }
  })

  test('know each other’s nonces, and a query does not count in the address', async () => {
    const { headers } = await ask({ proof: await proveHere({}, 'not-ours') })
    let nonce = String(headers['dpop-nonce'])
    for (const { url, token } of resources.slice(1)) {
      const old = { claims: { iat: 1 } }
      const answer = await api(`${url}?size=1`, 'GET', await present(key, { url, token, nonce }, old))
      expect(answer.status, url).toBe(200)
      nonce = String(answer.headers['dpop-nonce'] ?? nonce)
    }
    expect((await ask({ proof: await proveHere({ claims: { iat: 1 } }, nonce) })).status).toBe(200)
  })
})
