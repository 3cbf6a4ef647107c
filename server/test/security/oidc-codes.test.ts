// S25: an authorization code is good once, for a short while, for the client, address and verifier it was made for.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Authorization,
  authorize,
  createClientIn,
  redeem,
  refresh,
  requestToken,
  type TestClient,
  type TestNode,
} from '../harness/index.ts'
import { askUserinfo, atOnce, changeSettings, openPair, type Pair, startSecondNode, waitSeconds } from './two-nodes.ts'

let second: TestNode
beforeAll(async () => {
  second = await startSecondNode()
})
afterAll(() => second.stop())

let pair: Pair
let client: TestClient
let authorization: Authorization
beforeEach(async () => {
  pair = await openPair(second)
  client = await createClientIn(pair.realm)
  authorization = await authorize(pair.realm, client)
})

describe('S25: a code', () => {
  test('redeemed 100 times at once over two nodes gives tokens once, and they die with the second use', async () => {
    const { realm } = pair
    const answers = await atOnce(pair, 100, (base) => redeem(realm, client, authorization, base))
    const [first, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect(new Set(answers.filter((answer) => answer !== first).map(({ body }) => body.error))).toEqual(
      new Set(['invalid_grant']),
    )
    for (const base of pair.bases) {
      expect((await refresh(realm, client, first!.body.refresh_token, base)).body.error).toBe('invalid_grant')
      expect((await askUserinfo(realm, first!.body.access_token, base)).status).toBe(401)
    }
  })

  test('redeemed twice in the same moment gives tokens once, and they die', async () => {
    const { realm } = pair
    // Several rounds: in most of them both requests have read the code before either has used it.
    for (let round = 0; round < 5; round++) {
      const made = await authorize(realm, client)
      const answers = await atOnce(pair, 2, (base) => redeem(realm, client, made, base))
      const successes = answers.filter(({ status }) => status === 200)
      expect(successes).toHaveLength(1)
      expect((await refresh(realm, client, successes[0]!.body.refresh_token)).body.error).toBe('invalid_grant')
    }
  })

  test('redeemed later on the other node again gives nothing, and ends what the first use gave', async () => {
    const { realm, bases } = pair
    const first = await redeem(realm, client, authorization, bases[0])
    expect(first.status).toBe(200)
    expect((await redeem(realm, client, authorization, bases[1])).body.error).toBe('invalid_grant')
    expect((await askUserinfo(realm, first.body.access_token, bases[0])).status).toBe(401)
    expect((await refresh(realm, client, first.body.refresh_token, bases[0])).body.error).toBe('invalid_grant')
  })

  test('is of no use to another client, public or confidential, and still good for its own', async () => {
    const { realm } = pair
    const others = [
      await createClientIn(realm),
      await createClientIn(realm, { publicClient: true, tokenEndpointAuthMethod: 'none' }),
    ]
    for (const other of others) {
      expect((await redeem(realm, other, authorization)).body.error).toBe('invalid_grant')
    }
    expect((await redeem(realm, client, authorization)).status).toBe(200)
  })

  test('is refused with another redirect URI than it was sent to, also with another registered one, and without one', async () => {
    const { realm } = pair
    const other = 'https://app.example.org/other'
    const two = await createClientIn(realm, { redirectUris: [client.redirectUri, other] })
    const made = await authorize(realm, two)
    const form = { grant_type: 'authorization_code', code: made.params.code!, code_verifier: made.verifier }
    for (const redirect_uri of [other, `${client.redirectUri}/`, `${client.redirectUri}?a=b`, 'https://evil.example']) {
      expect((await requestToken(realm, two, { ...form, redirect_uri })).body.error).toBe('invalid_grant')
    }
    expect((await requestToken(realm, two, form)).body.error).toMatch(/^invalid_(request|grant)$/)
  })

  test('is refused with another verifier, an empty one and none', async () => {
    const { realm } = pair
    const form = {
      grant_type: 'authorization_code',
      code: authorization.params.code!,
      redirect_uri: client.redirectUri,
    }
    for (const verifier of ['x'.repeat(43), authorization.verifier.toLowerCase(), `${authorization.verifier}a`]) {
      const answer = await requestToken(realm, client, { ...form, code_verifier: verifier })
      expect(answer.body.error).toBe('invalid_grant')
    }
    expect((await requestToken(realm, client, form)).body.error).toBe('invalid_grant')
  })

  test('is neither a refresh token nor a pushed request, and neither of those is a code', async () => {
    const { realm } = pair
    const code = authorization.params.code!
    expect((await refresh(realm, client, code)).body.error).toBe('invalid_grant')
    const asRequest = await authorize(realm, client, {
      params: { request_uri: `urn:ietf:params:oauth:request_uri:${code}` },
    })
    expect(asRequest.params.error).toBe('invalid_request_uri')
    const tokens = (await redeem(realm, client, authorization)).body
    const asCode = { ...authorization, params: { code: tokens.refresh_token as string } }
    expect((await redeem(realm, client, asCode)).body.error).toBe('invalid_grant')
    expect((await refresh(realm, client, tokens.refresh_token)).status).toBe(200)
  })

  test('ends after its time, counted from when it was made, on both nodes', async () => {
    const { realm, bases } = pair
    await changeSettings(pair, { authorizationCodeLifetimeSeconds: 5 })
    const late = await authorize(realm, client)
    const early = await authorize(realm, client)
    await waitSeconds(3)
    // A failed try does not give it more time.
    await redeem(realm, client, { ...late, verifier: 'x'.repeat(43) })
    expect((await redeem(realm, client, early)).status).toBe(200)
    await waitSeconds(3)
    for (const base of bases) {
      const answer = await redeem(realm, client, late, base)
      expect(answer.body.error, answer.text).toBe('invalid_grant')
      expect(answer.body.error_description).not.toMatch(/expired/)
    }
  })
})
