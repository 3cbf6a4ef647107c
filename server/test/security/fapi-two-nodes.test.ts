// S36: FAPI 2.0 on two nodes: what one node pushed, proved or spent counts on the other.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  api,
  authorize,
  createClientIn,
  issuerOf,
  type TestClient,
  type TestNode,
} from '../harness/index.ts'
import { assertAs, type ClientKey, makeKey, present, prove } from '../harness/signing.ts'
import { atOnce, openPair, type Pair, startSecondNode } from './two-nodes.ts'

const verifier = 'a-verifier-that-is-long-enough-for-everybody-here'
const redirectUri = 'https://bank.example.org/callback'
let second: TestNode
let pair: Pair
let client: TestClient
let key: ClientKey
let proofKey: ClientKey

beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  ;[key, proofKey] = await Promise.all([makeKey(), makeKey()])
  client = await createClientIn(pair.realm, {
    ...{ securityProfile: 'FAPI2', tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.jwk] } },
    redirectUris: [redirectUri],
  })
})
afterAll(() => second?.stop())

const first = () => pair.realm.node.url
const issuer = () => issuerOf(pair.realm)
const assertion = () => assertAs(key, client.clientId, issuer())

/** Sent to one node; what is signed names the issuer, which is the same for both. */
function send(base: string, path: string, form: Record<string, string>, headers = {}): Promise<Answer> {
  return api(`${base}/realms/${pair.realm.realmId}${path}`, 'POST', { form, headers })
}

async function push(base: string, own?: Record<string, string>): Promise<Answer> {
  return send(base, '/par', {
    ...{ response_type: 'code', redirect_uri: redirectUri, scope: 'openid', client_id: client.clientId },
    ...{ code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
    ...(own ?? (await assertion())),
  })
}

const plain = Object.fromEntries(
  ['redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'code_challenge', 'code_challenge_method'].map(
    (name) => [name, undefined],
  ),
)

async function getCode(): Promise<string> {
  const { body } = await push(second.url)
  // The browser is at the first node.
  const { params } = await authorize(pair.realm, client, { params: { ...plain, request_uri: body.request_uri } })
  expect(params.iss).toBe(issuer())
  return params.code!
}

const codeForm = (code: string) => ({
  ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
})

async function findNonce(base: string): Promise<string> {
  const proof = await prove(proofKey, { url: `${issuer()}/token` })
  const answer = await send(base, '/token', { ...codeForm('none'), ...(await assertion()) }, proof)
  expect(answer.body.error).toBe('use_dpop_nonce')
  return String(answer.headers['dpop-nonce'])
}

async function redeem(base: string, code: string, nonce: string, by = proofKey): Promise<Answer> {
  const proof = await prove(by, { url: `${issuer()}/token`, nonce })
  return send(base, '/token', { ...codeForm(code), ...(await assertion()) }, proof)
}

describe('S36: FAPI 2.0 on two nodes', () => {
  test('a request pushed to one and a nonce of one are good at the other, where the token is as well', async () => {
    const [code, nonce] = [await getCode(), await findNonce(first())]
    const { status, body } = await redeem(second.url, code, nonce)
    expect([status, body.token_type]).toEqual([200, 'DPoP'])
    const url = `${issuer()}/userinfo`
    const path = `/realms/${pair.realm.realmId}/userinfo`
    for (const base of pair.bases) {
      const proven = await present(proofKey, { url, token: body.access_token })
      expect((await api(base + path, 'GET', proven)).status).toBe(200)
      const bare = { headers: { authorization: `Bearer ${body.access_token}` } }
      expect((await api(base + path, 'GET', bare)).status).toBe(401)
    }
  })

  test('a code redeemed at both at once is redeemed once, and never with another key than before', async () => {
    const [code, nonce] = [await getCode(), await findNonce(first())]
    const answers = await atOnce(pair, 20, (base) => redeem(base, code, nonce))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const won = answers.find(({ status }) => status === 200)!.body
    const proven = await present(proofKey, { url: `${issuer()}/userinfo`, token: won.access_token })
    // Whoever came second took the grant along (S25).
    expect((await api(`${issuer()}/userinfo`, 'GET', proven)).status).toBe(401)
  })

  test('an assertion and a proof are used once, whichever node they come to', async () => {
    const own = await assertion()
    const pushed = await atOnce(pair, 20, (base) => push(base, own))
    expect(pushed.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(401)])
    const [nonce, codes] = [await findNonce(second.url), await Promise.all([getCode(), getCode()])]
    const proof = await prove(proofKey, { url: `${issuer()}/token`, nonce })
    const tries = await Promise.all(
      codes.map(async (code, at) =>
        send(pair.bases[at]!, '/token', { ...codeForm(code), ...(await assertion()) }, proof),
      ),
    )
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('nothing of the profile is open at either: plain requests, other ways to authenticate, tokens without a key', async () => {
    const nonce = await findNonce(first())
    for (const base of pair.bases) {
      const query = new URLSearchParams({
        client_id: client.clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
      })
      const asked = await api(`${base}/realms/${pair.realm.realmId}/authorize?${query}`, 'GET')
      expect(new URL(String(asked.headers.location)).searchParams.get('error')).toBe('invalid_request')
      const secret = await send(base, '/par', { client_id: client.clientId, client_secret: 'guessed' })
      expect(secret.status).toBe(401)
      const code = await getCode()
      const bare = await send(base, '/token', { ...codeForm(code), ...(await assertion()) })
      expect(bare.body.error).toBe('invalid_dpop_proof')
      const foreign = await assertAs(key, client.clientId, `${issuer()}/token`)
      expect((await push(base, foreign)).status).toBe(401)
      expect((await redeem(base, code, nonce)).status).toBe(200)
    }
  })
})
