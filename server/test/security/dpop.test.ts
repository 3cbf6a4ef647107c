// RFC 9449 on two nodes: a proof is good once, whichever node it reaches, and nonces of one node count on the other.
import { decodeJwt, exportJWK, importJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { accessType, exchangeType } from '../harness/exchange-stage.ts'
import { adminPassword } from '../harness/realm.ts'
import { type ClientKey, makeKey, present, prove } from '../harness/signing.ts'
import { atOnce, openPair, type Pair, startSecondNode } from './two-nodes.ts'

let second: TestNode
let pair: Pair
let realm: TestRealm
let client: TestClient
let key: ClientKey
let accessToken: string

beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  realm = pair.realm
  key = await makeKey()
  client = await createClientIn(realm, { publicClient: true })
  accessToken = (await redeemBound(await signIn(), realm.node.url)).body.access_token
})
afterAll(() => second.stop())

async function signIn(): Promise<Record<string, string>> {
  const { params, verifier } = await authorize(realm, client, { browser: realm.admin })
  return {
    ...{ grant_type: 'authorization_code', code: params.code!, redirect_uri: client.redirectUri },
    ...{ code_verifier: verifier, client_id: client.clientId },
  }
}

const tokenUrl = () => `${issuerOf(realm)}/token`

async function redeemBound(form: Record<string, string>, base: string, nonce?: string) {
  const headers = await prove(key, { url: tokenUrl(), ...(nonce === undefined ? {} : { nonce }) })
  return api(`${base}/realms/${realm.realmId}/token`, 'POST', { form, headers })
}

describe('a proof', () => {
  test('sent 100 times at once over two nodes counts once, at every resource', async () => {
    const paths = [
      { path: `/realms/${realm.realmId}/userinfo`, refused: 401 },
      { path: `/realms/${realm.realmId}/account/gdpr/consents`, refused: 401 },
    ]
    for (const { path, refused } of paths) {
      // The address is the public one, whichever node is behind it.
      const request = await present(key, { url: realm.node.url + path, token: accessToken })
      const answers = await atOnce(pair, 100, (base) => api(base + path, 'GET', request))
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200).length, path).toBe(1)
      expect(statuses.filter((status) => status === refused).length, path).toBe(99)
    }
  })

  test('counts once for tokens: the refresh it came with cannot be repeated by whoever saw it', async () => {
    const { body } = await redeemBound(await signIn(), second.url)
    const headers = await prove(key, { url: tokenUrl() })
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: client.clientId }
    const answers = await atOnce(pair, 100, (base) =>
      api(`${base}/realms/${realm.realmId}/token`, 'POST', { form, headers }),
    )
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body: { error } }) => error))).toEqual(
      new Set(['invalid_grant']),
    )
  })

  test('with a nonce of one node counts on the other', async () => {
    const form = await signIn()
    const refused = await redeemBound(form, realm.node.url, 'not-ours')
    expect(refused.body.error).toBe('use_dpop_nonce')
    expect((await redeemBound(form, second.url, String(refused.headers['dpop-nonce']))).status).toBe(200)
  })

  test('with a nonce of another realm counts for nothing', async () => {
    const other = await createRealmFor()
    const theirs = await createClientIn(other, { publicClient: true })
    const url = `${issuerOf(other)}/token`
    const asked = await api(url, 'POST', {
      form: { grant_type: 'refresh_token', refresh_token: 'x', client_id: theirs.clientId },
      headers: await prove(key, { url, nonce: 'not-ours' }),
    })
    const nonce = String(asked.headers['dpop-nonce'])
    expect((await redeemBound(await signIn(), realm.node.url, nonce)).body.error).toBe('use_dpop_nonce')
    const at = `${issuerOf(realm)}/account/gdpr/consents`
    const { status, headers } = await api(at, 'GET', await present(key, { url: at, token: accessToken, nonce }))
    expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('use_dpop_nonce')])
  })

  test('is remembered for as long as it could be good, wherever it came in', async () => {
    const seen = async () => {
      const rows = await realm.run(({ tx, realmId }) =>
        tx
          .selectFrom('oidc_models')
          .select(['id', 'expires_at'])
          .where('realm_id', '=', realmId)
          .where('model', '=', 'ReplayDetection')
          .execute(),
      )
      return new Map(rows.map(({ id, expires_at }) => [id.toString('hex'), expires_at]))
    }
    const before = await seen()
    const url = `${issuerOf(realm)}/account/gdpr/consents`
    // Five minutes ahead of us it is good for ten.
    const ahead = { claims: { iat: Math.floor(Date.now() / 1000) + 295 } }
    expect((await api(url, 'GET', await present(key, { url, token: accessToken }, ahead))).status).toBe(200)
    const form = await signIn()
    await api(tokenUrl(), 'POST', { form, headers: await prove(key, { url: tokenUrl() }, ahead) })
    const added = [...(await seen())].filter(([id]) => !before.has(id)).map(([, expiresAt]) => expiresAt)
    expect(added).toHaveLength(2)
    for (const expiresAt of added) expect(expiresAt).toBeGreaterThan(Date.now() + 595_000)
  })

  test('is signed with an algorithm for proofs, also by the right key', async () => {
    const [strong, url] = [await makeKey('PS256'), `${issuerOf(realm)}/account/gdpr/consents`]
    const headers = await prove(strong, { url: tokenUrl() })
    const token = (await api(tokenUrl(), 'POST', { form: await signIn(), headers })).body.access_token
    const privateKey = (await importJWK(await exportJWK(strong.privateKey), 'RS256')) as CryptoKey
    const weak = await present({ ...strong, alg: 'RS256', privateKey }, { url, token })
    expect((await api(url, 'GET', weak)).status).toBe(401)
    expect((await api(url, 'GET', await present(strong, { url, token }))).status).toBe(200)
  })

  test('binds the tokens of every grant, and counts once for each of them', async () => {
    const members = { grantTypes: ['password', 'refresh_token', 'token-exchange'], redirectUris: [] }
    const ask = async (as: TestClient, form: Record<string, string>, proof: Record<string, string>) => {
      const own: Record<string, string> = as.secret === null ? { client_id: as.clientId } : {}
      return api(tokenUrl(), 'POST', {
        form: { ...own, ...form },
        headers: { ...proof, ...(as.secret ? basic(as) : {}) },
      })
    }
    const byPassword = { grant_type: 'password', username: 'admin', password: adminPassword }
    const open = await createClientIn(realm, {
      ...members,
      grantTypes: ['password', 'refresh_token'],
      publicClient: true,
    })
    const proof = await prove(key, { url: tokenUrl() })
    const { status, body } = await ask(open, byPassword, proof)
    expect([status, body.token_type, decodeJwt(body.access_token).cnf]).toEqual([200, 'DPoP', { jkt: key.thumbprint }])
    expect((await ask(open, byPassword, proof)).body.error).toBe('invalid_grant')
    const again = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    expect((await ask(open, again, {})).body.error).toBe('invalid_grant')
    expect((await ask(open, again, await prove(await makeKey(), { url: tokenUrl() }))).body.error).toBe('invalid_grant')
    expect((await ask(open, again, await prove(key, { url: tokenUrl() }))).status).toBe(200)
    const closed = await createClientIn(realm, members)
    const subject = (await ask(closed, byPassword, {})).body.access_token
    const swap = { grant_type: exchangeType, subject_token: subject, subject_token_type: accessType }
    const once = await prove(key, { url: tokenUrl() })
    expect((await ask(closed, swap, once)).body.token_type).toBe('DPoP')
    expect((await ask(closed, swap, once)).body.error).toBe('invalid_grant')
  })
})
