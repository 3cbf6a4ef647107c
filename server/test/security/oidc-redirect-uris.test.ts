// S23: a person is only ever sent to an address that is registered, character by character.
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  api,
  authorize,
  basic,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  readForm,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'

const registered = 'https://app.example.org/callback'
// What nobody outside may learn from an error.
const alsoRegistered = 'https://second-and-secret.example.org/return'

const hostile: [what: string, uri: string][] = [
  ['another host', 'https://evil.example/callback'],
  ['a suffix of the host', 'https://app.example.org.evil.example/callback'],
  ['a prefix of the host', 'https://evilapp.example.org/callback'],
  ['a subdomain', 'https://x.app.example.org/callback'],
  ['another path', 'https://app.example.org/other'],
  ['a path below', 'https://app.example.org/callback/below'],
  ['a trailing slash', 'https://app.example.org/callback/'],
  ['a query', 'https://app.example.org/callback?next=https://evil.example'],
  ['an empty query', 'https://app.example.org/callback?'],
  ['a fragment', 'https://app.example.org/callback#evil'],
  ['an empty fragment', 'https://app.example.org/callback#'],
  ['dot segments', 'https://app.example.org/callback/../../evil'],
  ['path parameters', 'https://app.example.org/callback/..;/evil'],
  ['encoded dots', 'https://app.example.org/callback/%2e%2e/evil'],
  ['an encoded slash', 'https://app.example.org%2fcallback'],
  ['an encoded letter', 'https://app.example.org/c%61llback'],
  ['a user', 'https://app.example.org@evil.example/callback'],
  ['a user before the right host', 'https://evil@app.example.org/callback'],
  ['a backslash', 'https://app.example.org\\@evil.example/callback'],
  ['a backslash as slash', 'https:\\\\app.example.org\\callback'],
  ['another scheme', 'http://app.example.org/callback'],
  ['the scheme in capitals', 'HTTPS://app.example.org/callback'],
  ['the host in capitals', 'https://APP.example.org/callback'],
  ['a dot after the host', 'https://app.example.org./callback'],
  ['the port written out', 'https://app.example.org:443/callback'],
  ['another port', 'https://app.example.org:8443/callback'],
  ['javascript:', 'javascript:alert(1)//https://app.example.org/callback'],
  ['data:', 'data:text/html,<script>alert(1)</script>'],
  ['no scheme', '//evil.example/callback'],
  ['a path only', '/callback'],
  ['nothing', ''],
  ['a space before', ' https://app.example.org/callback'],
  ['a space after', 'https://app.example.org/callback '],
  ['a line break', 'https://app.example.org/callback\r\nlocation: https://evil.example'],
  ['a NUL', 'https://app.example.org/callback\0'],
  ['a tab', 'https://app.example.org/\tcallback'],
  ['a wildcard', 'https://*.example.org/callback'],
  ['a letter that looks alike', 'https://аpp.example.org/callback'],
  ['markup', 'https://evil.example/"><script>alert(1)</script>'],
  ['loopback', 'http://127.0.0.1:8080/callback'],
  ['localhost', 'http://localhost/callback'],
]

let realm: TestRealm
let client: TestClient
let native: TestClient
beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm, {
    redirectUris: [registered, alsoRegistered],
    postLogoutRedirectUris: [registered, alsoRegistered],
  })
  native = await createClientIn(realm, { publicClient: true, redirectUris: ['http://127.0.0.1/cb'] })
})

/** What people read in a page. */
const readable = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

function expectNoRedirect(answer: Answer): void {
  expect(answer.status, answer.text).toBe(400)
  expect(answer.headers.location).toBeUndefined()
  expect(answer.headers.refresh).toBeUndefined()
  expect(answer.text).not.toContain('second-and-secret')
  expect(answer.text).not.toContain('<script>alert')
}

describe('S23: an authorization request', () => {
  test.each(hostile)('with %s is answered with a page that names what was sent', async (_what, uri) => {
    const { answer } = await authorize(realm, client, { params: { redirect_uri: uri }, stopAtPage: true })
    expectNoRedirect(answer)
    // Control characters are no text; what is shown of them is not part of the promise.
    expect(readable(answer.text)).toContain(uri.split(/[\0\r\n\t]/)[0])
  })

  test('without a redirect URI is refused, although the client has one registered', async () => {
    const single = await createClientIn(realm)
    const { answer } = await authorize(realm, single, { params: { redirect_uri: undefined }, stopAtPage: true })
    expectNoRedirect(answer)
  })

  test('with two redirect URIs is refused', async () => {
    const query = new URLSearchParams({ client_id: client.clientId, response_type: 'code', scope: 'openid' })
    for (const pair of [
      [registered, 'https://evil.example'],
      ['https://evil.example', registered],
      [registered, alsoRegistered],
    ]) {
      const both = pair.map((uri) => `redirect_uri=${encodeURIComponent(uri)}`).join('&')
      const answer = await createBrowser(realm.node.url).get(`/realms/${realm.realmId}/authorize?${query}&${both}`, {
        headers: { accept: 'text/html' },
      })
      expectNoRedirect(answer)
    }
  })

  test('of one client to an address of another is refused, and an unknown client gets nowhere', async () => {
    const other = await createClientIn(realm, { redirectUris: ['https://other.example.org/cb'] })
    const params = { redirect_uri: registered }
    expectNoRedirect((await authorize(realm, other, { params, stopAtPage: true })).answer)
    const unknown = { ...client, clientId: 'no-such-client' }
    expectNoRedirect((await authorize(realm, unknown, { stopAtPage: true })).answer)
  })

  test('on loopback may choose the port and nothing else', async () => {
    const ask = async (redirect_uri: string) =>
      (await authorize(realm, native, { params: { redirect_uri, prompt: 'none' } })).answer
    for (const port of ['', ':1', ':65535', ':51004']) {
      const answer = await ask(`http://127.0.0.1${port}/cb`)
      expect(answer.headers.location).toMatch(new RegExp(`^http://127\\.0\\.0\\.1${port}/cb\\?error=login_required`))
    }
    const wrong = [
      ...['http://127.0.0.1:99/other', 'http://127.0.0.2:99/cb', 'http://localhost:99/cb', 'http://[::1]:99/cb'],
      ...['https://127.0.0.1:99/cb', 'http://127.0.0.1:99/cb?x=y', 'http://127.0.0.1:99@evil.example/cb'],
      ...['http://127.0.0.1:/cb', 'http://127.0.0.1:99999999/cb', 'http://127.0.0.1:80:80/cb', 'http://127.1:99/cb'],
      ...['http://127.0.0.1.evil.example/cb', 'http://127.0.0.1:99#/cb', 'http://2130706433:99/cb'],
    ]
    for (const uri of wrong) expectNoRedirect(await ask(uri))
  })
})

describe('S23: a pushed request', () => {
  test.each(hostile)('with %s is refused', async (_what, uri) => {
    const form = {
      client_id: client.clientId,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: uri,
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    }
    const answer = await api(`${issuerOf(realm)}/par`, 'POST', { form, headers: basic(client) })
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(/^invalid_(redirect_uri|request)$/)
    expect(answer.text).not.toContain('second-and-secret')
  })
})

describe('S23: after a logout', () => {
  test.each(hostile.filter(([, uri]) => uri !== ''))('nobody is sent to %s', async (_what, uri) => {
    const query = new URLSearchParams({ client_id: client.clientId, post_logout_redirect_uri: uri })
    const answer = await createBrowser(realm.node.url).get(`/realms/${realm.realmId}/logout?${query}`, {
      headers: { accept: 'text/html' },
    })
    expectNoRedirect(answer)
  })

  test('an empty address is none: the person stays here', async () => {
    const query = new URLSearchParams({ client_id: client.clientId, post_logout_redirect_uri: '' })
    const answer = await createBrowser(realm.node.url).get(`/realms/${realm.realmId}/logout?${query}`, {
      headers: { accept: 'text/html' },
    })
    expect([answer.status, answer.headers.location]).toEqual([200, undefined])
  })

  test('an address is only used for the client that registered it, and not without a client', async () => {
    const other = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    const tokens = await signInTo(realm, other, { browser })
    const html = { headers: { accept: 'text/html' } }
    const logout = (named: Record<string, string>) => {
      const query = new URLSearchParams({ post_logout_redirect_uri: registered, ...named })
      return browser.get(`/realms/${realm.realmId}/logout?${query}`, html)
    }
    expectNoRedirect(await logout({ client_id: other.clientId }))
    expectNoRedirect(await logout({ id_token_hint: tokens.id_token! }))
    const form = { ...readForm((await logout({})).text), logout: 'yes' }
    const done = await browser.send('POST', `/realms/${realm.realmId}/logout/confirm`, { ...html, form })
    expect(new URL(done.headers.location as string, realm.node.url).origin).toBe(realm.node.url)
  })
})
