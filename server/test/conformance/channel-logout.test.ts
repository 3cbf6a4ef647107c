import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { api, type Browser, issuerOf, type TestRealm } from '../harness/index.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { walk } from '../relying-parties/walk.ts'
import { ask, createParty, finish, type Party, signIn } from './party.ts'

interface Notice {
  method: string
  path: string
  type: string
  form: Record<string, string>
}

/** What reached the applications, in order. */
const received: Notice[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    received.push({
      method: request.method!,
      path: request.url!,
      type: request.headers['content-type'] ?? '',
      form: Object.fromEntries(new URLSearchParams(body)),
    })
    response.writeHead(200, { 'cache-control': 'no-store' }).end()
  })
})

let realm: TestRealm
let base: string
const afterwards = 'https://app.example.org/post-logout'
const state = 'logout-state'

beforeAll(async () => {
  realm = await createUnmovedRealm()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
})
afterAll(() => receiver.close())

const readDocument = async () => (await api(`${issuerOf(realm)}/.well-known/openid-configuration`, 'GET')).body

function leave(party: Party, { browser, tokens }: Pick<Awaited<ReturnType<typeof signIn>>, 'browser' | 'tokens'>) {
  const params = { id_token_hint: tokens.id_token!, post_logout_redirect_uri: afterwards, state }
  return walk(browser, openid.buildEndSessionUrl(party.config, params))
}

async function expectSignedOut(party: Party, browser: Browser) {
  const asked = await ask(party, { browser, params: { prompt: 'none' } })
  await expect(finish(party, asked)).rejects.toMatchObject({ error: 'login_required' })
}

// Notices are sent by jobs, which look for work every second.
const waitFor = (path: string) =>
  vi.waitFor(
    () => {
      const found = received.find((notice) => notice.path === path)
      if (!found) throw new Error(`nothing came to ${path}`)
      return found
    },
    { timeout: 15_000, interval: 100 },
  )

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
async function verifyLogoutToken(token: string, party: Party) {
  const keys = createRemoteJWKSet(new URL(party.config.serverMetadata().jwks_uri!))
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: issuerOf(realm),
    audience: party.client.clientId,
    typ: 'logout+jwt',
    algorithms: ['RS256'],
    requiredClaims: ['iat', 'exp', 'jti', 'events', 'sid'],
    maxTokenAge: '2 minutes',
  })
  expect(protectedHeader.alg).toBe('RS256')
  expect(payload.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  expect(payload).not.toHaveProperty('nonce')
  return payload
}

describe('oidcc-backchannel-rp-initiated-logout-certification-test-plan', () => {
  test('oidcc-backchannel-logout-discovery-endpoint-verification: support is in the document', async () => {
    expect(await readDocument()).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      end_session_endpoint: `${issuerOf(realm)}/logout`,
    })
  })

  test('oidcc-backchannel-rp-initiated-logout: the application gets a logout token and the person returns', async () => {
    const party = await createParty(realm, {
      postLogoutRedirectUris: [afterwards],
      backchannelLogoutUri: `${base}/backchannel`,
      backchannelLogoutSessionRequired: true,
    })
    const signedIn = await signIn(party)
    const { callback } = await leave(party, signedIn)
    expect((callback as URL).href).toBe(`${afterwards}?state=${state}`)
    const notice = await waitFor('/backchannel')
    expect(notice).toMatchObject({ method: 'POST', type: expect.stringMatching(/^application\/x-www-form-urlencoded/) })
    expect(Object.keys(notice.form)).toEqual(['logout_token'])
    const payload = await verifyLogoutToken(notice.form.logout_token!, party)
    expect(payload).toMatchObject({ sub: signedIn.claims.sub, sid: signedIn.claims.sid })
    await expectSignedOut(party, signedIn.browser)
  })

  test('one sign-out tells every application of the session, each with its own token, and no other', async () => {
    const apps = await Promise.all(
      ['one', 'two', 'three'].map((name) =>
        createParty(realm, { postLogoutRedirectUris: [afterwards], backchannelLogoutUri: `${base}/${name}` }),
      ),
    )
    const first = await signIn(apps[0]!)
    const second = await signIn(apps[1]!, { browser: first.browser })
    expect(second.pages).toEqual([])
    await signIn(apps[2]!)
    await leave(apps[0]!, first)
    for (const [at, signedIn] of [first, second].entries()) {
      const notice = await waitFor(at === 0 ? '/one' : '/two')
      const payload = await verifyLogoutToken(notice.form.logout_token!, apps[at]!)
      expect(payload).toMatchObject({ sub: signedIn.claims.sub, sid: signedIn.claims.sid })
    }
    expect(received.filter((notice) => notice.path === '/three')).toEqual([])
  })
})

describe('oidcc-frontchannel-rp-initiated-logout-certification-test-plan', () => {
  test('oidcc-frontchannel-logout-discovery-endpoint-verification: support is in the document', async () => {
    expect(await readDocument()).toMatchObject({
      frontchannel_logout_supported: true,
      frontchannel_logout_session_supported: true,
      end_session_endpoint: `${issuerOf(realm)}/logout`,
    })
  })

  test('oidcc-frontchannel-rp-initiated-logout: the application is loaded in a frame before the person returns', async () => {
    const party = await createParty(realm, {
      postLogoutRedirectUris: [afterwards],
      frontchannelLogoutUri: `${base}/frontchannel?app=1`,
    })
    const signedIn = await signIn(party)
    const { answer, callback } = await leave(party, signedIn)
    expect([callback, answer.status]).toEqual([null, 200])
    const plain = answer.text.replaceAll('&amp;', '&')
    const frame = new URL(/<iframe[^>]* src="([^"]*)"/.exec(plain)![1]!)
    expect(frame.origin + frame.pathname).toBe(`${base}/frontchannel`)
    expect(Object.fromEntries(frame.searchParams)).toEqual({
      app: '1',
      iss: issuerOf(realm),
      sid: signedIn.claims.sid,
    })
    expect(answer.headers['content-security-policy']).toContain(`frame-src ${base}`)
    expect(plain).toContain(`url=${afterwards}?state=${state}`)
    await expectSignedOut(party, signedIn.browser)
  })
})
