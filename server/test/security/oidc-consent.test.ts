// S34: an application that is not trusted gets what a person allowed it, seen and answered in their own browser.
import { decodeJwt } from 'jose'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Answer,
  authorize,
  type Browser,
  createBrowser,
  createClientIn,
  createRealmFor,
  readForm,
  redeem,
  refresh,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { adminPassword, must } from '../harness/realm.ts'
import { askUserinfo, introspect } from './two-nodes.ts'

const html = { headers: { accept: 'text/html' } }

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

let client: TestClient
let browser: Browser
beforeEach(async () => {
  client = await createClientIn(realm, { consentRequired: true })
  browser = createBrowser(realm.node.url)
  await must(browser.login(realm.realmId, 'admin', adminPassword), 200)
})

const ask = (scope: string, more: Record<string, string> = {}) =>
  authorize(realm, client, { browser, params: { scope, ...more }, stopAtPage: true })
const isQuestion = ({ answer }: { answer: Answer }) => answer.text.includes('name="decision"')
const consentPath = (page: string) => /action="(\/realms\/[^"]*\/consent\/[^"]*)"/.exec(page)![1]!

describe('S34: consent', () => {
  test('is asked for, and nothing is given before', async () => {
    const asked = await ask('openid email')
    expect(isQuestion(asked)).toBe(true)
    expect((await ask('openid email', { prompt: 'none' })).params.error).toBe('consent_required')
    const trusted = await createClientIn(realm)
    expect((await authorize(realm, trusted, { browser, params: { prompt: 'none' } })).params.code).toBeTruthy()
  })

  test('refused gives no code, and the next request asks again', async () => {
    const { params } = await authorize(realm, client, { browser, decision: 'deny' })
    expect(params).toMatchObject({ error: 'access_denied', state: 'some-state' })
    expect(params.code).toBeUndefined()
    expect(isQuestion(await ask('openid'))).toBe(true)
  })

  test('names the resource the tokens are for, and is asked again for another one', async () => {
    const [notes, mail] = ['https://notes.example.org/mcp', 'https://mail.example.org/api']
    await must(realm.call('PUT', `/clients/${client.id}/allowed-resources`, { allowedResources: [notes, mail] }), 200)
    const asked = await ask('openid email', { resource: notes })
    expect(asked.answer.text).toContain(notes)
    await authorize(realm, client, { browser, params: { scope: 'openid email', resource: notes } })
    expect((await ask('openid email', { resource: notes, prompt: 'none' })).params.code).toBeTruthy()
    expect((await ask('openid email', { resource: mail })).answer.text).toContain(mail)
    // Without OpenID Connect as well, as MCP clients ask.
    await must(realm.call('POST', '/client-scopes', { name: 'notes:read' }), 201)
    await must(realm.call('PATCH', `/clients/${client.id}`, { scopes: ['notes:read'] }), 200)
    const params = { scope: 'notes:read', resource: mail, nonce: undefined }
    const { answer } = await authorize(realm, client, { browser, params, stopAtPage: true })
    expect(answer.text).toContain(mail)
  })

  test('is remembered, and asked again only for what is new', async () => {
    await signInTo(realm, client, { browser, params: { scope: 'openid profile' } })
    expect((await ask('openid profile', { prompt: 'none' })).params.code).toBeTruthy()
    expect((await ask('openid', { prompt: 'none' })).params.code).toBeTruthy()
    expect((await ask('openid profile email', { prompt: 'none' })).params.error).toBe('consent_required')
    const asked = await ask('openid profile email')
    expect(isQuestion(asked)).toBe(true)
    // Whoever refuses the new keeps the old.
    await authorize(realm, client, { browser, params: { scope: 'openid profile email' }, decision: 'deny' })
    expect((await ask('openid profile', { prompt: 'none' })).params.code).toBeTruthy()
    expect((await ask('openid profile email', { prompt: 'none' })).params.error).toBe('consent_required')
  })

  test('is asked again when the application says so, and refusing then gives nothing', async () => {
    await signInTo(realm, client, { browser })
    expect(isQuestion(await ask('openid', { prompt: 'consent' }))).toBe(true)
    const refused = await authorize(realm, client, { browser, params: { prompt: 'consent' }, decision: 'deny' })
    expect(refused.params.error).toBe('access_denied')
  })

  test('of one person does not count for another, nor that of one client for another', async () => {
    await signInTo(realm, client, { browser })
    const other = await realm.signInWith([])
    const params = { prompt: 'none' }
    expect((await authorize(realm, client, { browser: other.browser, params })).params.error).toBe('consent_required')
    const twin = await createClientIn(realm, { consentRequired: true })
    expect((await authorize(realm, twin, { browser, params })).params.error).toBe('consent_required')
  })

  test('is needed for claims that are asked for one by one, too', async () => {
    await signInTo(realm, client, { browser, params: { scope: 'openid' } })
    const claims = JSON.stringify({ id_token: { email: { essential: true } }, userinfo: { email: null } })
    expect((await ask('openid', { claims, prompt: 'none' })).params.error).toBe('consent_required')
  })

  test('taken back ends the application’s tokens at once, and it must ask again', async () => {
    client = await createClientIn(realm, { consentRequired: true, scopes: ['offline_access'] })
    const tokens = await signInTo(realm, client, { browser, params: { scope: 'openid offline_access' } })
    const waiting = await authorize(realm, client, { browser, params: { scope: 'openid' } })
    expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(200)
    const path = `/realms/${realm.realmId}/account/gdpr/consents/${client.clientId}`
    await browser.get(`/realms/${realm.realmId}/account/gdpr/consents`)
    const gone = await browser.write('DELETE', path)
    expect(gone.status, gone.text).toBe(204)
    expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(401)
    expect((await introspect(realm, client, tokens.access_token!)).body).toEqual({ active: false })
    expect((await refresh(realm, client, tokens.refresh_token!)).body.error).toBe('invalid_grant')
    expect((await redeem(realm, client, waiting)).body.error).toBe('invalid_grant')
    expect((await ask('openid', { prompt: 'none' })).params.error).toBe('consent_required')
  })
})

describe('S34: the answer', () => {
  const send = (as: Browser, page: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    as.send('POST', consentPath(page), { form, headers: { ...html.headers, ...headers } })
  const allowedScopes = async () => {
    const { params } = await ask('openid', { prompt: 'none' })
    return params.error ?? 'allowed'
  }

  test('without the CSRF value, with a wrong one or from another site is refused and changes nothing', async () => {
    const { answer } = await ask('openid')
    const form = { ...readForm(answer.text), decision: 'allow' }
    const { _csrf: _ignored, ...bare } = form as Record<string, string>
    const tries = [
      await send(browser, answer.text, bare),
      await send(browser, answer.text, { ...form, _csrf: 'x'.repeat(43) }),
      await send(browser, answer.text, { ...form, _csrf: '' }),
      await send(browser, answer.text, form, { origin: 'https://evil.example' }),
      await send(browser, answer.text, form, { origin: 'null' }),
      await send(browser, answer.text, form, { 'sec-fetch-site': 'cross-site' }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect(await allowedScopes()).toBe('consent_required')
  })

  test('from another browser, of somebody else or of the same person, is refused', async () => {
    const { answer } = await ask('openid')
    const form = { ...readForm(answer.text), decision: 'allow' }
    const other = (await realm.signInWith([])).browser
    const own = createBrowser(realm.node.url)
    await own.login(realm.realmId, 'admin', adminPassword)
    for (const foreign of [other, own, createBrowser(realm.node.url)]) {
      expect((await foreign.get(consentPath(answer.text), html)).status).toBe(404)
      const sent = await send(foreign, answer.text, { ...form, _csrf: foreign.csrf() })
      expect([403, 404]).toContain(sent.status)
    }
    // With the request's own cookie as well: somebody else's session is not the one that was asked.
    const uid = consentPath(answer.text).split('/').at(-1)!
    other.cookies.set(`gatehouse_interaction_${realm.realmId}`, uid)
    expect((await send(other, answer.text, { ...form, _csrf: other.csrf() })).status).toBe(404)
    expect(await allowedScopes()).toBe('consent_required')
  })

  test('that is neither yes nor no is refused, and one question cannot be answered for more than it showed', async () => {
    const { answer, verifier } = await ask('openid')
    const form = readForm(answer.text)
    for (const decision of ['', 'yes', 'ALLOW']) {
      expect((await send(browser, answer.text, { ...form, decision })).status).toBe(400)
    }
    const more = { ...form, decision: 'allow', scope: 'openid email', scopes: 'email', client_id: 'other' }
    let next = await send(browser, answer.text, more)
    next = await browser.get(new URL(next.headers.location as string, realm.node.url).pathname, html)
    const params = Object.fromEntries(new URL(next.headers.location as string).searchParams)
    const tokens = (await redeem(realm, client, { answer: next, params, verifier })).body
    expect(decodeJwt(tokens.access_token).scope).toBe('openid')
    expect((await ask('openid email', { prompt: 'none' })).params.error).toBe('consent_required')
  })

  test('given once cannot be given again', async () => {
    const { answer } = await ask('openid')
    const form = { ...readForm(answer.text), decision: 'allow' }
    const first = await send(browser, answer.text, form)
    const path = new URL(first.headers.location as string, realm.node.url).pathname
    expect((await browser.get(path, html)).headers.location).toContain('code=')
    const again = await browser.get(path, html)
    expect(again.headers.location ?? '').not.toContain('code=')
    expect(again.status).toBe(400)
  })
})

describe('S34: no page of ours can be framed', () => {
  test('sign-in, consent, logout, signed out, errors, form_post', async () => {
    const base = `/realms/${realm.realmId}`
    const { answer: consent } = await ask('openid')
    const formPost = await authorize(realm, await createClientIn(realm), {
      browser,
      params: { response_mode: 'form_post' },
    })
    const tokens = await signInTo(realm, client, { browser })
    const form = { ...readForm((await browser.get(`${base}/logout`, html)).text), logout: 'yes' }
    const pages: Record<string, Answer> = {
      login: await createBrowser(realm.node.url).get(`${base}/login`, html),
      signIn: (await authorize(realm, client, { stopAtPage: true })).answer,
      consent,
      formPost: formPost.answer,
      logout: await browser.get(`${base}/logout`, html),
      ownLogout: await browser.get(`${base}/logout?id_token_hint=${tokens.id_token}`, html),
      wrongLogout: await browser.get(`${base}/logout?id_token_hint=x`, html),
      clientError: (await ask('openid', { redirect_uri: 'https://evil.example' })).answer,
      lostConsent: await browser.get(`${base}/consent/no-such`, html),
      lostRequest: await browser.get(`${base}/authorize/no-such`, html),
      unknownPage: await browser.get(`${base}/no-such-page`, html),
      signedOut: await browser.get(`${base}/logout/success`, html),
      confirmed: await browser.send('POST', `${base}/logout/confirm`, { ...html, form: { xsrf: 'wrong' } }),
      stale: await browser.send('POST', `${base}/login`, { ...html, form: { ...form, username: 'a' } }),
    }
    for (const [name, { headers, status, text }] of Object.entries(pages)) {
      expect(text, `${name} ${status}`).toContain('<!doctype html>')
      expect(headers['content-security-policy'], name).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy'], name).not.toContain('unsafe-')
      expect(headers['x-frame-options'], name).toBe('DENY')
    }
  })
})
