import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from '../harness/index.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { arrivedBy, ask, codePlans, createParty, finish, type Party, signIn } from './party.ts'

let party: Party

beforeAll(async () => {
  party = await createParty(await createUnmovedRealm())
})

// The suite waits for two seconds: after one, a sign-in is just young enough for max_age=1.
const twoSecondsMs = 2000

describe.each(codePlans)('$plan', ({ mode }) => {
  test('oidcc-display-page: is accepted', async () => {
    const { claims } = await signIn(party, { mode, params: { display: 'page' } })
    expect(claims.sub).toBe(party.realm.adminId)
  })

  test('oidcc-display-popup: is accepted', async () => {
    const { claims } = await signIn(party, { mode, params: { display: 'popup' } })
    expect(claims.sub).toBe(party.realm.adminId)
  })

  test('oidcc-prompt-login: asks for the password again, and the ID token says when', async () => {
    const first = await signIn(party, { mode, params: { max_age: '15000' } })
    await pause(1100)
    const again = await signIn(party, {
      mode,
      browser: first.browser,
      params: { prompt: 'login', max_age: '15000' },
    })
    expect(again.pages).toContain('sign-in')
    expect(again.claims.sub).toBe(first.claims.sub)
    expect(again.claims.auth_time).toBeGreaterThan(first.claims.auth_time!)
  })

  test('oidcc-prompt-none-not-logged-in: is answered login_required without a page', async () => {
    const asked = await ask(party, { mode, params: { prompt: 'none' } })
    expect(asked.pages).not.toContain('sign-in')
    expect(arrivedBy(asked.callback)).toBe(mode)
    await expect(finish(party, asked)).rejects.toMatchObject({ error: 'login_required' })
  })

  test('oidcc-prompt-none-logged-in: is answered without a page, about the same sign-in', async () => {
    const first = await signIn(party, { mode })
    const again = await signIn(party, { mode, browser: first.browser, params: { prompt: 'none' } })
    expect(again.pages.filter((page) => page !== 'form-post')).toEqual([])
    expect(again.claims).toMatchObject({ sub: first.claims.sub, auth_time: first.claims.auth_time })
  })

  test('oidcc-max-age-1: asks again when the sign-in is too old, and auth_time is the new one', async () => {
    const first = await signIn(party, { mode, params: { max_age: '15000' } })
    await pause(twoSecondsMs)
    const again = await signIn(party, { mode, browser: first.browser, params: { max_age: '1' } })
    expect(again.pages).toContain('sign-in')
    expect(again.claims.auth_time).toBeGreaterThan(first.claims.auth_time!)
    expect(Math.abs(Date.now() / 1000 - again.claims.auth_time!)).toBeLessThan(5)
  })

  test('oidcc-max-age-10000: does not ask again, and auth_time stays', async () => {
    const first = await signIn(party, { mode, params: { max_age: '15000' } })
    const again = await signIn(party, { mode, browser: first.browser, params: { max_age: '10000' } })
    expect(again.pages.filter((page) => page !== 'form-post')).toEqual([])
    expect(first.claims.auth_time).toBeTypeOf('number')
    expect(again.claims).toMatchObject({ sub: first.claims.sub, auth_time: first.claims.auth_time })
  })

  test('oidcc-id-token-hint: with prompt=none it is answered without a page', async () => {
    const first = await signIn(party, { mode })
    const params = { prompt: 'none', id_token_hint: first.tokens.id_token! }
    const again = await signIn(party, { mode, browser: first.browser, params })
    expect(again.pages.filter((page) => page !== 'form-post')).toEqual([])
    expect(again.claims).toMatchObject({ sub: first.claims.sub, auth_time: first.claims.auth_time })
  })

  test('oidcc-login-hint: fills the name in and is no reason to fail', async () => {
    const params = { login_hint: 'bob@example.org' }
    const { claims } = await signIn(party, { mode, params })
    expect(claims.sub).toBe(party.realm.adminId)
    const { answer } = await ask(party, { mode, params, touchNothing: true })
    expect(answer.text).toContain('value="bob@example.org"')
  })

  test('oidcc-ui-locales: languages without a translation are no reason to fail', async () => {
    const { claims } = await signIn(party, { mode, params: { ui_locales: 'se fr-CA fr en' } })
    expect(claims.sub).toBe(party.realm.adminId)
  })

  test('oidcc-ensure-request-with-acr-values-succeeds: and the ID token names one of them', async () => {
    const { acr_values_supported: supported } = party.config.serverMetadata() as { acr_values_supported?: string[] }
    expect(supported?.length).toBeGreaterThan(0)
    const { claims } = await signIn(party, { mode, params: { acr_values: supported!.join(' ') } })
    expect(supported).toContain(claims.acr)
  })

  test('beyond the modules, prompt=none is about the browser that signed in', async () => {
    await signIn(party, { mode })
    const stranger = createBrowser(party.realm.node.url)
    const asked = await ask(party, { mode, browser: stranger, params: { prompt: 'none' } })
    await expect(finish(party, asked)).rejects.toMatchObject({ error: 'login_required' })
  })
})
