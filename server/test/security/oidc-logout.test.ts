// S35: only the person, or an application of this very session, ends a session; then it and its tokens are dead, and all hear of it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { waitUntil } from '../faults/parts.ts'
import {
  type Answer,
  authorize,
  type Browser,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  readForm,
  refresh,
  signInTo,
  startTestNode,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { askUserinfo } from './two-nodes.ts'

const html = { headers: { accept: 'text/html' } }
const afterwards = 'https://app.example.org/signed-out'

let node: TestNode
let realm: TestRealm
let receiver: Server
let receiverUrl: string
let received: string[]
let failures: number

beforeAll(async () => {
  receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      received.push(body)
      response.statusCode = received.length <= failures ? 503 : 200
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/logout`
  node = await startTestNode({ env: { GATEHOUSE_EGRESS_ALLOW: 'http://127.0.0.1' } })
  realm = await createRealmFor({ node })
}, 60_000)
afterAll(async () => {
  await node.stop()
  await new Promise((resolve) => receiver.close(resolve))
})

let client: TestClient
let browser: Browser
let tokens: Record<string, string>
beforeEach(async () => {
  received = []
  failures = 0
  client = await createClientIn(realm, { postLogoutRedirectUris: [afterwards] })
  browser = createBrowser(node.url)
  tokens = await signInTo(realm, client, { browser })
})

const base = () => `/realms/${realm.realmId}`
const logout = (params: Record<string, string> = {}, as = browser) =>
  as.get(`${base()}/logout?${new URLSearchParams(params)}`, html)
const confirm = (form: Record<string, string>, as = browser, headers: Record<string, string> = {}) =>
  as.send('POST', `${base()}/logout/confirm`, { form, headers: { ...html.headers, ...headers } })
const isSignedIn = async (as = browser) =>
  (await authorize(realm, client, { browser: as, params: { prompt: 'none' } })).params.code !== undefined
/** A page that only a person's click leads on from. */
const isQuestion = ({ text, status }: Answer) =>
  status === 200 && text.includes('name="logout"') && !text.includes('<script')

async function expectDead(): Promise<void> {
  expect(await isSignedIn()).toBe(false)
  expect((await refresh(realm, client, tokens.refresh_token!)).body.error).toBe('invalid_grant')
  expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(401)
}
async function expectAlive(): Promise<void> {
  expect(await isSignedIn()).toBe(true)
  expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(200)
}

describe('S35: a logout', () => {
  test('asks the person when nobody proves to belong to the session, and does nothing until then', async () => {
    const named = { client_id: client.clientId }
    const requests: Record<string, string>[] = [{}, named, { ...named, logout_hint: 'admin' }]
    for (const params of requests) {
      expect(isQuestion(await logout(params))).toBe(true)
      await expectAlive()
    }
    const form = readForm((await logout({ client_id: client.clientId })).text)
    expect((await confirm({ ...form, logout: 'yes' })).status).toBe(303)
    await expectDead()
  })

  test('with the ID token of this session goes on by itself and back to the application', async () => {
    const params = { id_token_hint: tokens.id_token!, post_logout_redirect_uri: afterwards, state: 'bye' }
    const page = await logout(params)
    expect(isQuestion(page)).toBe(false)
    const done = await confirm(readForm(page.text))
    expect(done.headers.location).toBe(`${afterwards}?state=bye`)
    await expectDead()
  })

  test('with the ID token of another session, of another person or of a past session asks', async () => {
    const elsewhere = await signInTo(realm, client)
    const { username } = await realm.signInWith([])
    const somebody = await signInTo(realm, client, { username })
    const past = createBrowser(node.url)
    const old = await signInTo(realm, client, { browser: past })
    await confirm(readForm((await logout({ id_token_hint: old.id_token! }, past)).text), past)
    for (const { id_token: hint } of [elsewhere, somebody, old]) {
      expect(isQuestion(await logout({ id_token_hint: hint!, post_logout_redirect_uri: afterwards }))).toBe(true)
      await expectAlive()
    }
  })

  test('with a hint that is no ID token of ours, or of another client than named, is refused', async () => {
    const other = await createClientIn(realm)
    const [head, body] = tokens.id_token!.split('.')
    for (const hint of ['rubbish', `${head}.${body}.AAAA`, tokens.access_token!]) {
      expect((await logout({ id_token_hint: hint })).status).toBe(400)
    }
    expect((await logout({ id_token_hint: tokens.id_token!, client_id: other.clientId })).status).toBe(400)
    const named = await createClientIn(realm, { includeClientIdInAudience: true })
    const { access_token: access } = await signInTo(realm, named, { browser })
    expect((await logout({ id_token_hint: access! })).status).toBe(400)
    await expectAlive()
  })

  test('is not confirmed without the value of its own question, nor from another browser', async () => {
    const form = readForm((await logout()).text)
    expect((await confirm({ logout: 'yes' })).status).toBe(400)
    expect((await confirm({ logout: 'yes', xsrf: 'guess' })).status).toBe(400)
    const other = createBrowser(node.url)
    await signInTo(realm, client, { browser: other })
    const foreign = readForm((await logout({}, other)).text)
    expect((await confirm({ ...foreign, logout: 'yes' })).status).toBe(400)
    await expectAlive()
    expect((await confirm({ ...form, logout: 'yes' }, createBrowser(node.url))).status).toBe(400)
    await expectAlive()
  })

  test('that the person refuses leaves the session alone', async () => {
    await confirm(readForm((await logout({ client_id: client.clientId })).text))
    expect(await isSignedIn()).toBe(true)
  })

  test('ends the tokens of every application in the session, and of no other session', async () => {
    const second = await createClientIn(realm)
    const there = await signInTo(realm, second, { browser })
    const apart = await signInTo(realm, second)
    await confirm(readForm((await logout({ id_token_hint: tokens.id_token! })).text))
    await expectDead()
    expect((await refresh(realm, second, there.refresh_token!)).body.error).toBe('invalid_grant')
    expect((await askUserinfo(realm, there.access_token!)).status).toBe(401)
    expect((await refresh(realm, second, apart.refresh_token!)).status).toBe(200)
  })

  test('of a session that was copied to another place ends the copy, too', async () => {
    const copy = createBrowser(node.url)
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
    expect(await isSignedIn(copy)).toBe(true)
    await confirm(readForm((await logout({ id_token_hint: tokens.id_token! })).text))
    expect(await isSignedIn(copy)).toBe(false)
  })
})

describe('S35: applications hear of the end of a session', () => {
  const listening = () => createClientIn(realm, { backchannelLogoutUri: receiverUrl })
  const keySet = () => createRemoteJWKSet(new URL(`${issuerOf(realm)}/.well-known/jwks.json`))
  const tokenOf = (body: string) => new URLSearchParams(body).get('logout_token')!

  test('by a logout token that says which, and that is no token for anything else', async () => {
    const listener = await listening()
    const there = await signInTo(realm, listener, { browser })
    await confirm(readForm((await logout({ id_token_hint: tokens.id_token! })).text))
    await waitUntil(() => received.length > 0, 20_000)
    const token = tokenOf(received[0]!)
    expect(decodeProtectedHeader(token).typ).toBe('logout+jwt')
    const options = { issuer: issuerOf(realm), audience: listener.clientId }
    const { payload } = await jwtVerify(token, keySet(), options)
    const { payload: known } = await jwtVerify(there.id_token!, keySet(), options)
    expect(payload).toMatchObject({ sub: realm.adminId, sid: known.sid })
    expect(payload.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
    expect(payload).not.toHaveProperty('nonce')
    expect((await askUserinfo(realm, token)).status).toBe(401)
    expect((await logout({ id_token_hint: token })).status).toBe(400)
  }, 60_000)

  test('again and again until they answered', async () => {
    failures = 2
    const listener = await listening()
    await signInTo(realm, listener, { browser })
    await confirm(readForm((await logout({ id_token_hint: tokens.id_token! })).text))
    // Nobody waits for an application: the session is over before it heard of it.
    await expectDead()
    await waitUntil(() => received.length >= 3, 40_000)
    for (const body of received) {
      await jwtVerify(tokenOf(body), keySet(), { issuer: issuerOf(realm), audience: listener.clientId })
    }
  }, 60_000)

  test('also when an administrator ends it', async () => {
    const listener = await listening()
    await signInTo(realm, listener, { browser })
    const { body } = await realm.call('GET', `/sessions?clientId=${listener.clientId}`)
    expect((await realm.call('DELETE', `/sessions/${body[0].id}`)).status).toBe(204)
    await waitUntil(() => received.length > 0, 20_000)
    expect((await jwtVerify(tokenOf(received[0]!), keySet())).payload.aud).toBe(listener.clientId)
  }, 60_000)
})
