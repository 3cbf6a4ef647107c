import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  api,
  createClientIn,
  createRealmFor,
  issuerOf,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { raiseRealmVersion } from '../../../domain/snapshot/index.ts'
import { assertAs, type ClientKey, makeKey, signRequest } from '../../../../test/harness/signing.ts'
import { type HostAnswer, type HttpHost, startHttpHost } from '../../../../test/messaging/http-host.ts'

// The clock is moved, so the node is its own.
let node: TestNode
let realm: TestRealm
let host: HttpHost
let answer: () => HostAnswer
let first: ClientKey
let second: ClientKey
const clients: TestClient[] = []
let client: TestClient

const publish =
  (keys: ClientKey[], headers: Record<string, string> = {}) =>
  (): HostAnswer => ({ headers, body: JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }) })

beforeAll(async () => {
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  host = await startHttpHost({ answer: () => answer() })
  realm = await createRealmFor({ node })
  ;[first, second] = await Promise.all([makeKey(), makeKey()])
  const members = {
    ...{ tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: `${host.origin}/jwks` },
    ...{ grantTypes: ['client_credentials', 'authorization_code'] },
  }
  // All of them before the administrator's session ends with the moving of time.
  for (let count = 0; count < 7; count++) clients.push(await createClientIn(realm, members))
})
afterAll(async () => {
  await host.stop()
  await node.stop()
})

beforeEach(() => {
  answer = publish([first])
  client = clients.pop()!
  host.requests.length = 0
})

const ask = async (by: ClientKey) => {
  const own = await assertAs(by, client.clientId, issuerOf(realm))
  const form = { grant_type: 'client_credentials', ...own }
  return (await api(`${issuerOf(realm)}/token`, 'POST', { form })).status
}
const later = (seconds: number) => node.clock.advance(seconds * 1000)

describe('the keys at a client’s address', () => {
  test('are read once for many requests and kept for a minute', async () => {
    expect(await Promise.all([ask(first), ask(first), ask(first)])).toEqual([200, 200, 200])
    later(50)
    expect(await ask(first)).toBe(200)
    expect(host.requests.length).toBe(1)
    later(11)
    expect(await ask(first)).toBe(200)
    expect(host.requests.length).toBe(2)
  })

  test('are read again for a key that is not known, and then the old one is refused', async () => {
    expect(await ask(first)).toBe(200)
    answer = publish([second], { 'cache-control': 'max-age=86400' })
    later(11)
    expect(await ask(second)).toBe(200)
    expect(await ask(first)).toBe(401)
    // Strangers cannot make us ask and ask: the host was asked twice, and is not asked again for a while.
    const unknown = await makeKey()
    expect(await Promise.all([ask(unknown), ask(unknown)])).toEqual([401, 401])
    expect(host.requests.length).toBe(2)
    later(11)
    expect(await ask(unknown)).toBe(401)
    expect(host.requests.length).toBe(3)
  })

  test('are refused within an hour when they are taken away, however long the host says to keep them', async () => {
    answer = publish([first], { 'cache-control': 'public, max-age=86400' })
    expect(await ask(first)).toBe(200)
    answer = publish([second])
    later(3590)
    expect(await ask(first)).toBe(200)
    expect(host.requests.length).toBe(1)
    later(11)
    expect(await ask(first)).toBe(401)
  })

  test('go on to count while the host is down, but not for ever', async () => {
    expect(await ask(first)).toBe(200)
    answer = () => ({ status: 503 })
    later(61)
    expect(await ask(first)).toBe(200)
    // A change of the realm makes everything anew but this.
    await realm.run(raiseRealmVersion)
    await api(`${issuerOf(realm)}/.well-known/jwks.json`, 'GET')
    expect(await ask(first)).toBe(200)
    later(3600)
    expect(await ask(first)).toBe(401)
    answer = publish([first])
    later(11)
    expect(await ask(first)).toBe(200)
  })

  test('do not count when they are secret, broken or too many', async () => {
    for (const body of [
      '{',
      '[]',
      '{"keys":7}',
      JSON.stringify({ keys: Array.from({ length: 101 }, () => first.jwk) }),
      JSON.stringify({ keys: [first.jwk], filling: 'x'.repeat(70_000) }),
    ]) {
      answer = () => ({ body })
      later(11)
      expect(await ask(first), body.slice(0, 20)).toBe(401)
    }
    answer = () => ({ body: JSON.stringify({ keys: [{ ...first.jwk, d: 'AAAA' }, { kty: 'unknown' }, second.jwk] }) })
    later(11)
    expect(await ask(first)).toBe(401)
    expect(await ask(second)).toBe(200)
  })

  test('are waited for by whoever signs with a new one, and not by those whose key is known', async () => {
    expect(await ask(first)).toBe(200)
    answer = publish([first, second])
    later(11)
    const { egress } = node.services
    const [{ fetch }, held] = [egress, Promise.withResolvers<void>()]
    const asked = new Promise<void>((resolve) => {
      egress.fetch = async (...request) => {
        resolve()
        await held.promise
        return fetch.apply(egress, request)
      }
    })
    const stranger = ask(await makeKey())
    await asked
    expect(await ask(first)).toBe(200)
    const renewed = ask(second)
    // Long enough to be refused by whoever does not wait.
    expect(await Promise.race([renewed, ask(first).then(() => ask(first))])).toBe(200)
    held.resolve()
    expect(await Promise.all([stranger, renewed])).toEqual([401, 200])
    egress.fetch = fetch
    expect(host.requests.length).toBe(2)
  })

  test('verify signed requests as well', async () => {
    const params = { redirect_uri: client.redirectUri, response_type: 'code', scope: 'openid' }
    const pkce = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' }
    const request = await signRequest(first, client.clientId, issuerOf(realm), { ...params, ...pkce })
    const query = new URLSearchParams({ client_id: client.clientId, request })
    expect((await api(`${issuerOf(realm)}/authorize?${query}`, 'GET')).status).toBe(303)
    const forged = await signRequest({ ...second, kid: first.kid }, client.clientId, issuerOf(realm), {
      ...params,
      ...pkce,
    })
    const wrong = new URLSearchParams({ client_id: client.clientId, request: forged })
    expect((await api(`${issuerOf(realm)}/authorize?${wrong}`, 'GET')).status).toBe(400)
  })
})
