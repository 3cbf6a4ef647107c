// S32: tokens never travel through the browser, and a request says each thing once.
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  basic,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  readForm,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'

let realm: TestRealm
let client: TestClient
beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm)
})

const html = { headers: { accept: 'text/html' } }
const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
const request = () => ({
  client_id: client.clientId,
  redirect_uri: client.redirectUri,
  response_type: 'code',
  scope: 'openid',
  ...challenge,
})
const push = (more: Record<string, string>) =>
  api(`${issuerOf(realm)}/par`, 'POST', { form: { ...request(), ...more }, headers: basic(client) })

describe('S32: the response type', () => {
  test.each([
    ...['token', 'id_token', 'id_token token', 'code token', 'code id_token', 'code id_token token'],
    ...['none', 'Code', 'password'],
  ])('%s is refused, also when pushed', async (response_type) => {
    const { params, answer } = await authorize(realm, client, { params: { response_type } })
    expect(params.error ?? answer.text).toMatch(/unsupported_response_type|invalid_request/)
    expect(answer.headers.location ?? '').not.toMatch(/access_token|id_token=|code=/)
    expect((await push({ response_type })).status).toBe(400)
  })

  test('is code alone, in discovery and at clients', async () => {
    const { body } = await api(`${issuerOf(realm)}/.well-known/openid-configuration`, 'GET')
    expect(body.response_types_supported).toEqual(['code'])
    expect(body.grant_types_supported).not.toContain('implicit')
    expect(body.grant_types_supported).not.toContain('password')
    const implicit = await realm.call('POST', '/clients', {
      clientId: 'implicit-app',
      redirectUris: [client.redirectUri],
      grantTypes: ['implicit'],
    })
    expect(implicit.status).toBe(400)
  })
})

describe('S32: the response mode', () => {
  test.each(['web_message', 'web_message.jwt', 'Query', 'JWT', 'x.jwt', 'okta_post_message', 'x'])(
    '%s is refused',
    async (response_mode) => {
      const { params, answer } = await authorize(realm, client, { params: { response_mode } })
      expect(params.code).toBeUndefined()
      expect(params.error ?? answer.text).toMatch(/unsupported_response_mode|invalid_request/)
    },
  )

  test('that discovery names are query, fragment and form_post at most, plain or signed', async () => {
    const { body } = await api(`${issuerOf(realm)}/.well-known/openid-configuration`, 'GET')
    const plain = ['query', 'fragment', 'form_post']
    const known = [...plain, 'jwt', ...plain.map((mode) => `${mode}.jwt`)]
    for (const mode of body.response_modes_supported) expect(known).toContain(mode)
  })

  test('form_post shows a page of ours that carries the code and nothing of the requester’s unescaped', async () => {
    const state = '"><script>alert(1)</script>'
    const { answer } = await authorize(realm, client, { params: { response_mode: 'form_post', state } })
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('<script>alert')
    expect(readForm(answer.text).code).toBeTruthy()
    expect(answer.headers['content-security-policy']).not.toContain('unsafe-inline')
  })
})

describe('S32: a parameter that is sent twice', () => {
  const twice = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'code_challenge', 'prompt']

  test.each(twice)('%s is an error at /authorize and leads nowhere but to the client', async (name) => {
    const values: Record<string, string> = { ...request(), state: 'a', nonce: 'b', prompt: 'none' }
    const query = `${new URLSearchParams(values)}&${name}=${encodeURIComponent(values[name]!)}`
    const answer = await createBrowser(realm.node.url).get(`/realms/${realm.realmId}/authorize?${query}`, html)
    const location = answer.headers.location as string | undefined
    expect(location ?? answer.text).toContain('invalid_request')
    expect((location ?? `${client.redirectUri}?`).startsWith(`${client.redirectUri}?`)).toBe(true)
    expect(location ?? '').not.toContain('code=')
  })

  test.each(['code', 'redirect_uri', 'code_verifier', 'grant_type', 'client_id'])(
    '%s is an error at the token endpoint',
    async (name) => {
      const authorization = await authorize(realm, client)
      const form: Record<string, string> = {
        grant_type: 'authorization_code',
        code: authorization.params.code!,
        redirect_uri: client.redirectUri,
        code_verifier: authorization.verifier,
        client_id: client.clientId,
      }
      const raw = `${new URLSearchParams(form)}&${name}=${encodeURIComponent(form[name]!)}`
      const answer = await api(`${issuerOf(realm)}/token`, 'POST', {
        raw,
        type: 'application/x-www-form-urlencoded',
        headers: basic(client),
      })
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    },
  )

  test('is an error when pushed, introspected and revoked', async () => {
    for (const [path, raw] of [
      ['par', `${new URLSearchParams(request())}&scope=openid`],
      ['introspect', 'token=a&token=b'],
      ['revoke', 'token=a&token=b'],
    ]) {
      const options = { raw: raw!, type: 'application/x-www-form-urlencoded', headers: basic(client) }
      const answer = await api(`${issuerOf(realm)}/${path}`, 'POST', options)
      expect([path, answer.status, answer.body.error]).toEqual([path, 400, 'invalid_request'])
    }
  })

  test('in the form of /authorize and in the address are never mixed', async () => {
    const answer = await api(`${issuerOf(realm)}/authorize?redirect_uri=https://evil.example`, 'POST', {
      form: request(),
      headers: { accept: 'text/html' },
    })
    expect(answer.headers.location ?? '').not.toContain('evil.example')
  })
})

describe('S32: what is pushed', () => {
  test('shows up in no cookie, no address and no line of the log', async () => {
    const canary = `canary-${randomBytes(8).toString('hex')}`
    const before = realm.node.lines.length
    const pushed = await push({ state: canary, nonce: canary, login_hint: canary })
    expect(pushed.status, pushed.text).toBe(201)
    const browser = createBrowser(realm.node.url)
    const seen: string[] = []
    const walk = async (path: string, form?: Record<string, string>) => {
      const answer = await browser.send(form ? 'POST' : 'GET', path, { ...html, ...(form ? { form } : {}) })
      seen.push(...[answer.headers['set-cookie'] ?? []].flat())
      return answer
    }
    const query = new URLSearchParams({ client_id: client.clientId, request_uri: pushed.body.request_uri })
    let answer = await walk(`/realms/${realm.realmId}/authorize?${query}`)
    while (answer.headers.location && !String(answer.headers.location).startsWith(client.redirectUri)) {
      seen.push(String(answer.headers.location))
      const url = new URL(String(answer.headers.location), realm.node.url)
      answer = await walk(url.pathname + url.search)
      if (answer.text.includes('name="password"')) {
        const form = { ...readForm(answer.text), username: 'admin', password: adminPassword }
        answer = await walk(`/realms/${realm.realmId}/login`, form)
      }
    }
    expect(answer.headers.location).toContain(`state=${canary}`)
    expect(seen.join('\n')).not.toContain(canary)
    expect(realm.node.lines.slice(before).join('\n')).not.toContain(canary)
    expect(JSON.stringify(realm.node.auditLines)).not.toContain(canary)
  })

  test('is good once and only for the client that pushed it', async () => {
    const other = await createClientIn(realm)
    const pushed = await push({})
    const use = (as: TestClient) =>
      createBrowser(realm.node.url).get(
        `/realms/${realm.realmId}/authorize?${new URLSearchParams({
          client_id: as.clientId,
          request_uri: pushed.body.request_uri,
        })}`,
        html,
      )
    expect((await use(other)).status).toBe(400)
    const params = { request_uri: pushed.body.request_uri as string }
    expect((await authorize(realm, client, { params })).params.code).toBeTruthy()
    const again = await authorize(realm, client, { params })
    expect(again.params.error ?? again.answer.text).toContain('invalid_request_uri')
  })
})
