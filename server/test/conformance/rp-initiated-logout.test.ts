import { generateKeyPair, SignJWT } from 'jose'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import { api, createBrowser, issuerOf } from '../harness/index.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { walk, type WalkOptions } from '../relying-parties/walk.ts'
import { ask, createParty, finish, type Party, signIn } from './party.ts'

let party: Party
const afterwards = 'https://app.example.org/post-logout'

beforeAll(async () => {
  const realm = await createUnmovedRealm()
  party = await createParty(realm, { postLogoutRedirectUris: [afterwards] })
})

type SignedIn = Awaited<ReturnType<typeof signIn>>
// Longer than usual, so that an issuer that cuts it is seen.
const state = 'a-state-that-is-long-'.padEnd(128, 'x')

/** The relying party's own address for a sign-out, as a browser visits it. Null leaves a parameter out. */
function leave(
  { browser, tokens }: Pick<SignedIn, 'browser' | 'tokens'>,
  params: Record<string, string | null> = {},
  options: WalkOptions = {},
) {
  const all = { id_token_hint: tokens.id_token!, post_logout_redirect_uri: afterwards, state, ...params }
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null)
  const url = openid.buildEndSessionUrl(party.config, Object.fromEntries(sent))
  // The suite names the client by the ID token alone.
  url.searchParams.delete('client_id')
  return walk(browser, url, options)
}

/** With prompt=none the issuer says whether somebody is signed in. */
async function isSignedIn({ browser }: Pick<SignedIn, 'browser'>): Promise<boolean> {
  const asked = await ask(party, { browser, params: { prompt: 'none' } })
  const outcome = await finish(party, asked).catch((error: unknown) => error)
  if (!(outcome instanceof Error)) return true
  expect(outcome).toMatchObject({ error: 'login_required' })
  return false
}

/** The issuer may show an error or ask; whatever the person then says, the application is not called. */
async function expectNoReturn(signedIn: SignedIn, params: Record<string, string | null>) {
  const seen = await leave(signedIn, params)
  expect(seen.callback).toBeNull()
  expect(seen.pages).not.toContain('form-post')
  expect(await isSignedIn(signedIn)).toBe(true)
  const answered = await leave(signedIn, params, { confirmLogout: true })
  expect(answered.callback).toBeNull()
  return { ...seen, answered }
}

describe('oidcc-rp-initiated-logout-certification-test-plan', () => {
  test('oidcc-rp-initiated-logout-discovery-endpoint-verification: the endpoint is in the document', async () => {
    const { body } = await api(`${issuerOf(party.realm)}/.well-known/openid-configuration`, 'GET')
    expect(body.end_session_endpoint).toBe(`${issuerOf(party.realm)}/logout`)
  })

  test('oidcc-rp-initiated-logout: ends the session and returns with the state, without a question', async () => {
    const signedIn = await signIn(party)
    expect(await isSignedIn(signedIn)).toBe(true)
    const { callback, pages } = await leave(signedIn)
    expect(pages).toEqual(['form-post'])
    const url = callback as URL
    expect(url.origin + url.pathname).toBe(afterwards)
    expect(Object.fromEntries(url.searchParams)).toEqual({ state })
    expect(await isSignedIn(signedIn)).toBe(false)
  })

  test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri: nobody is sent to an unregistered address', async () => {
    const { answer } = await expectNoReturn(await signIn(party), {
      post_logout_redirect_uri: `${afterwards}/elsewhere`,
    })
    expect(answer.status).toBe(400)
  })

  test('oidcc-rp-initiated-logout-modified-id-token-hint: a hint with alg none is worth nothing', async () => {
    const signedIn = await signIn(party)
    const [, payload] = signedIn.tokens.id_token!.split('.')
    const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    await expectNoReturn(signedIn, { id_token_hint: `${header}.${payload}.` })
    expect(await isSignedIn(signedIn)).toBe(true)
  })

  test('oidcc-rp-initiated-logout-no-id-token-hint: the person is asked, and nobody is sent away', async () => {
    const { answer, answered } = await expectNoReturn(await signIn(party), { id_token_hint: null })
    expect(answer.text).toContain('gh-page-logout')
    expect(answered.answer.text).toContain('gh-page-logged-out')
  })

  test('oidcc-rp-initiated-logout-no-params: the person is asked, signed out and told so', async () => {
    const signedIn = await signIn(party)
    const nothing = { id_token_hint: null, post_logout_redirect_uri: null, state: null }
    const { callback, answer, pages } = await leave(signedIn, nothing, { confirmLogout: true })
    expect([callback, pages]).toEqual([null, ['logout', 'other']])
    expect(answer.text).toContain('gh-page-logged-out')
    expect(await isSignedIn(signedIn)).toBe(false)
  })

  test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: the person is signed out and told so', async () => {
    const signedIn = await signIn(party)
    const { callback, answer } = await leave(signedIn, { post_logout_redirect_uri: null })
    expect(callback).toBeNull()
    expect(answer.text).toContain('gh-page-logged-out')
    expect(await isSignedIn(signedIn)).toBe(false)
  })

  test('oidcc-rp-initiated-logout-no-state: returns without one', async () => {
    const signedIn = await signIn(party)
    const { callback } = await leave(signedIn, { state: null })
    expect((callback as URL).href).toBe(afterwards)
    expect(await isSignedIn(signedIn)).toBe(false)
  })

  test('oidcc-rp-initiated-logout-only-state: the person is asked, signed out and told so', async () => {
    const signedIn = await signIn(party)
    const onlyState = { id_token_hint: null, post_logout_redirect_uri: null }
    const { callback, answer } = await leave(signedIn, onlyState, { confirmLogout: true })
    expect(callback).toBeNull()
    expect(answer.text).toContain('gh-page-logged-out')
    expect(await isSignedIn(signedIn)).toBe(false)
  })

  test('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: is another address', async () => {
    const { answer } = await expectNoReturn(await signIn(party), { post_logout_redirect_uri: `${afterwards}?foo=bar` })
    expect(answer.status).toBe(400)
  })

  test('oidcc-rp-initiated-logout-bad-id-token-hint: a hint that somebody else signed is worth nothing', async () => {
    const signedIn = await signIn(party)
    const { privateKey } = await generateKeyPair('RS256')
    const forged = await new SignJWT({ ...signedIn.claims }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
    const { answer } = await expectNoReturn(signedIn, { id_token_hint: forged })
    expect(answer.status).toBe(400)
    expect(await isSignedIn(signedIn)).toBe(true)
  })
})

describe('beyond the modules, a sign-out', () => {
  test('by form works as by address', async () => {
    const signedIn = await signIn(party)
    const form = { id_token_hint: signedIn.tokens.id_token!, post_logout_redirect_uri: afterwards, state }
    const url = new URL(party.config.serverMetadata().end_session_endpoint!)
    const { callback } = await walk(signedIn.browser, url, { form })
    expect((callback as URL).searchParams.get('state')).toBe(state)
    expect(await isSignedIn(signedIn)).toBe(false)
  })

  test('with a logout_hint that names somebody else still asks only about the own session', async () => {
    const signedIn = await signIn(party)
    const params = { id_token_hint: null, post_logout_redirect_uri: null, logout_hint: 'somebody-else' }
    expect((await leave(signedIn, params)).pages).toEqual(['logout'])
    expect(await isSignedIn(signedIn)).toBe(true)
  })

  test('of a session that is over returns to the application all the same', async () => {
    const signedIn = await signIn(party)
    await leave(signedIn)
    const again = await leave(signedIn)
    expect((again.callback as URL | null)?.searchParams.get('state')).toBe(state)
  })

  test('in a browser that never was signed in returns to the application all the same', async () => {
    const { tokens } = await signIn(party)
    const elsewhere = await leave({ tokens, browser: createBrowser(party.realm.node.url) })
    expect((elsewhere.callback as URL | null)?.searchParams.get('state')).toBe(state)
  })
})
