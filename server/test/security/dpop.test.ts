// RFC 9449 on two nodes: a proof is good once, whichever node it reaches, and nonces of one node count on the other.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  createClientIn,
  issuerOf,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
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
})
