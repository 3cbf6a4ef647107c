import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { adminPassword } from '../../../test/harness/realm.ts'
import {
  authorize,
  createBrowser,
  createClientIn,
  createRealmFor,
  redeem,
  refresh,
  signInTo,
} from '../../../test/harness/index.ts'

describe('one sign-in for many applications', () => {
  test('asks for the password once, and shows the applications of the session', async () => {
    const realm = await createRealmFor()
    const [first, second] = [await createClientIn(realm, { name: 'First' }), await createClientIn(realm)]
    const browser = createBrowser(realm.node.url)
    const one = await signInTo(realm, first, { browser })
    const two = await signInTo(realm, second, { browser, password: 'never asked for' })
    expect(decodeJwt(two.id_token!).auth_time).toBe(decodeJwt(one.id_token!).auth_time)
    const { body } = await realm.call('GET', `/sessions?clientId=${first.clientId}`)
    expect(body).toHaveLength(1)
    expect(body[0].clients).toEqual(
      expect.arrayContaining([
        { clientId: first.clientId, name: 'First' },
        { clientId: second.clientId, name: null },
      ]),
    )
  })

  test('lets several tabs of one application begin at once', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    await browser.login(realm.realmId, 'admin', adminPassword)
    const tabs = await Promise.all(Array.from({ length: 8 }, () => authorize(realm, client, { browser })))
    for (const tab of tabs) {
      const tokens = await redeem(realm, client, tab)
      expect(tokens.status, tokens.text).toBe(200)
      expect((await refresh(realm, client, tokens.body.refresh_token)).status).toBe(200)
    }
  })

  test('is the session of the console, too', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const { params } = await authorize(realm, client, { browser: realm.admin, stopAtPage: true })
    expect(params.code).toBeTruthy()
  })

  test('signing in again keeps the session and its applications under a new secret', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    const before = await signInTo(realm, client, { browser })
    const cookie = browser.cookies.get(`gatehouse_session_${realm.realmId}`)
    const again = await signInTo(realm, client, { browser, params: { prompt: 'login' } })
    expect(browser.cookies.get(`gatehouse_session_${realm.realmId}`)).not.toBe(cookie)
    expect(decodeJwt(again.id_token!).sid).toBe(decodeJwt(before.id_token!).sid)
    expect((await refresh(realm, client, before.refresh_token!)).status).toBe(200)
  })

  test('signing in as somebody else ends the other person’s session', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    const before = await signInTo(realm, client, { browser })
    const { username } = await realm.signInWith([])
    const after = await signInTo(realm, client, { browser, username, params: { prompt: 'login' } })
    expect(decodeJwt(after.id_token!).sub).not.toBe(realm.adminId)
    expect((await refresh(realm, client, before.refresh_token!)).body.error).toBe('invalid_grant')
  })
})

describe('a request that wants a fresh sign-in', () => {
  test('prompt=login cannot be passed by coming back without having signed in', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    // The very second in which the person signed in is the one in which a new sign-in is hardest to tell from the old one.
    await signInTo(realm, client, { browser })
    const { answer } = await authorize(realm, client, { browser, params: { prompt: 'login' }, stopAtPage: true })
    expect(answer.text).toContain('name="password"')
    const waiting = browser.scopedPaths().find((path) => path.includes('/authorize/'))!
    const resumed = await browser.get(waiting)
    expect(resumed.headers.location).toContain('/login?arrival=')
  })

  test('max_age asks again once the sign-in is older', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    await signInTo(realm, client, { browser })
    await new Promise((resolve) => setTimeout(resolve, 2100))
    const { answer } = await authorize(realm, client, { browser, params: { max_age: '1' }, stopAtPage: true })
    expect(answer.text).toContain('name="password"')
    const young = await authorize(realm, client, { browser, params: { max_age: '1000' }, stopAtPage: true })
    expect(young.params.code).toBeTruthy()
  })

  test('an essential class that cannot be reached ends in an error, not in a circle', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    await realm.call('PUT', '/settings', { mfaPolicy: { mode: 'OFF' } })
    const acr = { essential: true, value: 'urn:gatehouse:acr:2' }
    const { params } = await authorize(realm, client, { params: { claims: JSON.stringify({ id_token: { acr } }) } })
    expect(params).toMatchObject({ error: 'unmet_authentication_requirements', state: 'some-state' })
  })
})

describe('prompt=select_account', () => {
  test('shows the sign-in page although somebody is signed in, and goes on with whoever signs in', async () => {
    const realm = await createRealmFor()
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    await signInTo(realm, client, { browser })
    const { username, userId } = await realm.signInWith([])
    const tokens = await signInTo(realm, client, { browser, username, params: { prompt: 'select_account' } })
    expect(decodeJwt(tokens.id_token!).sub).toBe(userId)
  })
})
