// S28: what a token may be used for never grows beyond what the client has and the request named.
import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  basic,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  redeem,
  requestToken,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { must } from '../harness/realm.ts'
import { askUserinfo, introspect } from './two-nodes.ts'

const orders = 'https://api.example.org/orders'
const stock = 'https://api.example.org/stock'

let realm: TestRealm
let client: TestClient
beforeAll(async () => {
  realm = await createRealmFor()
  for (const name of ['orders:read', 'orders:write', 'secret-things']) {
    await must(realm.call('POST', '/client-scopes', { name }), 201)
  }
  client = await createClientWith({ scopes: ['orders:read', 'orders:write'] }, [orders, stock])
})

async function createClientWith(members: Record<string, unknown>, allowedResources: string[]): Promise<TestClient> {
  const made = await createClientIn(realm, members)
  await must(realm.call('PUT', `/clients/${made.id}/allowed-resources`, { allowedResources }), 200)
  return made
}

const refreshWith = (token: string, more: Record<string, string>, as = client) =>
  requestToken(realm, as, { grant_type: 'refresh_token', refresh_token: token, ...more })
const scopesOf = (token: string) => decodeJwt<{ scope?: string }>(token).scope?.split(' ') ?? []

describe('S28: a refresh', () => {
  test('may narrow the scope and never widen it, also not with what the client may have', async () => {
    const tokens = await signInTo(realm, client, { params: { scope: 'openid orders:read' } })
    for (const scope of ['openid orders:read orders:write', 'orders:write', 'openid secret-things', 'email']) {
      expect((await refreshWith(tokens.refresh_token!, { scope })).body.error, scope).toBe('invalid_scope')
    }
    const narrow = await refreshWith(tokens.refresh_token!, { scope: 'openid' })
    expect(scopesOf(narrow.body.access_token)).toEqual(['openid'])
    const again = await refreshWith(narrow.body.refresh_token, {})
    expect(scopesOf(again.body.access_token)).toEqual(['openid', 'orders:read'])
  })

  test('gets nothing of what a later request of the same session was given', async () => {
    const browser = createBrowser(realm.node.url)
    const small = await signInTo(realm, client, { browser, params: { scope: 'openid' } })
    const large = { scope: 'openid email orders:write', resource: orders }
    await signInTo(realm, client, { browser, params: large })
    const wider = await refreshWith(small.refresh_token!, { scope: 'openid orders:write' })
    expect(wider.body.error).toBe('invalid_scope')
    expect((await refreshWith(small.refresh_token!, { resource: orders })).body.error).toBe('invalid_target')
    const same = await refreshWith(small.refresh_token!, {})
    expect(scopesOf(same.body.access_token)).toEqual(['openid'])
    expect(decodeJwt(same.body.access_token).aud).toBe(issuerOf(realm))
  })

  test('loses a scope that was taken from the client', async () => {
    const own = await createClientWith({ scopes: ['orders:read'] }, [])
    const tokens = await signInTo(realm, own, { params: { scope: 'openid orders:read' } })
    const { body: record } = await realm.call('GET', `/clients/${own.id}`)
    const saved = await realm.call('PUT', `/clients/${own.id}`, { ...record, scopes: [] })
    expect(saved.status, saved.text).toBe(200)
    const after = await refreshWith(tokens.refresh_token!, {}, own)
    expect(scopesOf(after.body.access_token)).not.toContain('orders:read')
  })

  test('cannot be sent to a resource that was not named before, nor to one the client may not have', async () => {
    const tokens = await signInTo(realm, client, { params: { scope: 'openid orders:read', resource: orders } })
    for (const resource of [stock, 'https://evil.example', `${realm.node.url}/admin`]) {
      expect((await refreshWith(tokens.refresh_token!, { resource })).body.error, resource).toBe('invalid_target')
    }
    const { body: record } = await realm.call('GET', `/clients/${client.id}/allowed-resources`)
    expect(JSON.stringify(record)).toContain(orders)
    expect(decodeJwt((await refreshWith(tokens.refresh_token!, {})).body.access_token).aud).toBe(orders)
  })
})

describe('S28: an authorization request', () => {
  test('for a scope that the client does not have is refused, known or not', async () => {
    for (const scope of ['openid secret-things', 'openid no-such-scope', 'openid groups']) {
      const { params } = await authorize(realm, client, { params: { scope } })
      expect(params.error, scope).toBe('invalid_scope')
    }
  })

  test('of a client without scopes of its own gets the realm’s default ones and no others', async () => {
    const bare = await createClientIn(realm)
    for (const scope of ['openid orders:read', 'openid secret-things']) {
      expect((await authorize(realm, bare, { params: { scope } })).params.error).toBe('invalid_scope')
    }
    const tokens = await signInTo(realm, bare, { params: { scope: 'openid profile' } })
    expect(scopesOf(tokens.access_token!)).toEqual(['openid', 'profile'])
  })

  test('for a resource that the client may not have is refused', async () => {
    for (const resource of [`${realm.node.url}/admin`, 'https://evil.example', `${orders}/`, `${orders}#x`, 'orders']) {
      const { params } = await authorize(realm, client, { params: { resource } })
      expect(params.error, resource).toBe('invalid_target')
    }
  })

  test('that was pushed cannot be widened afterwards, and is held to the same rules', async () => {
    const { clientId: client_id, redirectUri: redirect_uri } = client
    const form = { client_id, redirect_uri, response_type: 'code', scope: 'openid' }
    const proof = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
    const push = (more: Record<string, string>) =>
      api(`${issuerOf(realm)}/par`, 'POST', { form: { ...form, ...proof, ...more }, headers: basic(client) })
    expect((await push({ scope: 'openid secret-things' })).body.error).toBe('invalid_scope')
    expect((await push({ resource: 'https://evil.example' })).body.error).toBe('invalid_target')
    // The challenge of the verifier that the harness does not know: only what the answer says counts here.
    const verifier = 'v'.repeat(43)
    const pushed = await push({ code_challenge: createHash('sha256').update(verifier).digest('base64url') })
    const params = { request_uri: pushed.body.request_uri, scope: 'openid email orders:write', resource: orders }
    const widened = await authorize(realm, client, { params })
    const tokens = (await redeem(realm, client, { ...widened, verifier })).body
    expect(scopesOf(tokens.access_token)).toEqual(['openid'])
    expect(decodeJwt(tokens.access_token).aud).toBe(issuerOf(realm))
  })
})

describe('S28: a code', () => {
  test('cannot be exchanged for another resource than was asked for', async () => {
    const authorization = await authorize(realm, client, { params: { scope: 'openid orders:read', resource: orders } })
    const form = {
      grant_type: 'authorization_code',
      code: authorization.params.code!,
      redirect_uri: client.redirectUri,
      code_verifier: authorization.verifier,
    }
    expect((await requestToken(realm, client, { ...form, resource: stock })).body.error).toBe('invalid_target')
  })
})

describe('S28: a token for another API', () => {
  test('is not accepted at userinfo, the account and the admin API', async () => {
    const { access_token: token } = await signInTo(realm, client, {
      params: { scope: 'openid profile orders:read', resource: orders },
    })
    expect(decodeJwt(token!).aud).toBe(orders)
    expect((await introspect(realm, client, token!)).body.active).toBe(true)
    expect((await askUserinfo(realm, token!)).status).toBe(401)
    for (const path of [`/realms/${realm.realmId}/account/gdpr/consents`, `/admin/realms/${realm.realmId}/users`]) {
      const answer = await api(realm.node.url + path, 'GET', { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status, path).toBe(401)
    }
  })
})

describe('S28: client_credentials', () => {
  const ask = (machine: TestClient, more: Record<string, string>) =>
    requestToken(realm, machine, { grant_type: 'client_credentials', ...more })
  const members = { grantTypes: ['client_credentials'], redirectUris: [] }

  test('gives the client’s scopes and resources and no others', async () => {
    const machine = await createClientWith({ ...members, scopes: ['orders:read'] }, [orders])
    expect((await ask(machine, { scope: 'orders:read' })).body.scope).toBe('orders:read')
    expect((await ask(machine, {})).body.scope).toBe('orders:read')
    for (const scope of ['orders:write', 'orders:read orders:write', 'secret-things', 'no-such-scope', '*']) {
      expect((await ask(machine, { scope })).body.error, scope).toBe('invalid_scope')
    }
    for (const resource of [stock, `${realm.node.url}/admin`, 'https://evil.example']) {
      expect((await ask(machine, { resource })).body.error, resource).toBe('invalid_target')
    }
    expect((await ask(machine, { resource: orders, scope: 'orders:write' })).body.error).toBe('invalid_scope')
  })

  test('gives a client without scopes none', async () => {
    const machine = await createClientWith(members, [])
    const { body } = await ask(machine, {})
    expect(decodeJwt(body.access_token)).not.toHaveProperty('scope')
    expect((await ask(machine, { scope: 'orders:read' })).body.error).toBe('invalid_scope')
  })

  test('is no way for a client that may not use it, nor for a public one', async () => {
    const open = await createClientIn(realm, { publicClient: true })
    for (const one of [client, open]) {
      const answer = await ask(one, {})
      expect([answer.status, answer.body.error_description]).toEqual([
        400,
        'requested grant type is not allowed for this client',
      ])
    }
  })
})
