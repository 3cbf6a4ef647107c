import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  addTotp,
  authorize,
  createBrowser,
  createClientIn,
  createRealmFor,
  must,
  redeem,
  type TestClient,
  type TestRealm,
} from '../../../test/harness/index.ts'

const second = 'urn:gatehouse:acr:2'
let realm: TestRealm
let client: TestClient
beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm)
  await must(realm.call('PUT', '/settings', { acrAliases: { gold: second } }), 200)
})

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

/** Somebody signed in with a password alone, who set up an app afterwards. */
async function signInWeakly(username: string) {
  const { userId } = await addPerson(realm, username)
  const browser = createBrowser(realm.node.url)
  const first = await authorize(realm, client, { browser, username })
  const tokens = (await must(redeem(realm, client, first), 200)).body
  expect(claimsOf(tokens.id_token)).toMatchObject({ acr: 'urn:gatehouse:acr:1', amr: ['pwd'] })
  const code = await addTotp(realm, userId)
  return { browser, code, userId, sid: claimsOf(tokens.id_token).sid }
}

describe('an application that asks for more than the session proves', () => {
  test('gets it by asking for the second factor alone, in the same session, which has a new secret', async () => {
    const { browser, code, userId, sid } = await signInWeakly('ada')
    const cookie = `gatehouse_session_${realm.realmId}`
    const before = browser.cookies.get(cookie)
    const asked = await authorize(realm, client, { browser, params: { acr_values: second }, stopAtPage: true })
    expect(asked.answer.text).not.toContain('name="password"')
    expect(asked.answer.text).toContain('name="code"')
    const done = await authorize(realm, client, { browser, params: { acr_values: second }, code })
    const tokens = (await must(redeem(realm, client, done), 200)).body
    const claims = claimsOf(tokens.id_token)
    expect(claims).toMatchObject({ sub: userId, acr: second, sid })
    expect(claims.amr).toEqual(expect.arrayContaining(['pwd', 'otp', 'mfa']))
    expect(browser.cookies.get(cookie)).not.toBe(before)
    expect((await realm.events(`&type=STEP_UP`))[0]).toMatchObject({ actor: userId, outcome: 'SUCCESS' })
    // Now it is there: nobody is asked again.
    const again = await authorize(realm, client, { browser, params: { acr_values: second }, stopAtPage: true })
    expect(again.params.code).toBeTruthy()
  })

  test('may call the class by the realm’s own name, and is answered with it', async () => {
    const { browser, code } = await signInWeakly('grace')
    const acr = { essential: true, value: 'gold' }
    const params = { claims: JSON.stringify({ id_token: { acr } }) }
    const done = await authorize(realm, client, { browser, params, code })
    expect(claimsOf((await must(redeem(realm, client, done), 200)).body.id_token).acr).toBe('gold')
  })

  test('is answered without one where it only wished for it and asks silently', async () => {
    const { browser } = await signInWeakly('silent')
    const done = await authorize(realm, client, { browser, params: { acr_values: second, prompt: 'none' } })
    expect(claimsOf((await must(redeem(realm, client, done), 200)).body.id_token).acr).toBe('urn:gatehouse:acr:1')
  })

  test('asks for the password as well where the sign-in has to be fresh', async () => {
    const { browser } = await signInWeakly('fresh')
    const params = { acr_values: second, prompt: 'login' }
    const { answer } = await authorize(realm, client, { browser, params, stopAtPage: true })
    expect(answer.text).toContain('name="password"')
  })

  test('never passes by the page of the second factor', async () => {
    const { browser } = await signInWeakly('round')
    const acr = { essential: true, values: [second] }
    const params = { claims: JSON.stringify({ id_token: { acr } }) }
    const { answer } = await authorize(realm, client, { browser, params, stopAtPage: true })
    expect(answer.text).toContain('name="code"')
    const [path] = browser.scopedPaths().filter((scoped) => scoped.includes('/authorize/'))
    const resumed = await browser.get(path!, { headers: { accept: 'text/html' } })
    expect(resumed.headers.location ?? '').not.toContain('code=')
  })
})

describe('S39: an application that asks for a fresh sign-in', () => {
  test('is not answered by a second factor that another request added meanwhile', async () => {
    const { browser, code } = await signInWeakly('launders')
    await authorize(realm, client, { browser, params: { prompt: 'login' }, stopAtPage: true })
    const waiting = browser.scopedPaths().find((scoped) => scoped.includes('/authorize/'))!
    const done = await authorize(realm, client, { browser, params: { acr_values: second }, code })
    expect(done.params.code).toBeTruthy()
    const resumed = await browser.get(waiting, { headers: { accept: 'text/html' } })
    expect(resumed.headers.location).toContain('/login?arrival=')
  })
})

describe('a realm without single sign-on', () => {
  test('asks at every application', async () => {
    const strict = await createRealmFor()
    const app = await createClientIn(strict)
    const browser = createBrowser(strict.node.url)
    await authorize(strict, app, { browser })
    expect((await authorize(strict, app, { browser, stopAtPage: true })).params.code).toBeTruthy()
    const steps = [{ authenticator: 'username-password', requirement: 'REQUIRED' }]
    await must(strict.call('PUT', '/flow', { displayName: 'Always', type: 'BROWSER', steps }), 200)
    const { answer } = await authorize(strict, app, { browser, stopAtPage: true })
    expect(answer.text).toContain('name="password"')
    expect((await authorize(strict, app, { browser })).params.code).toBeTruthy()
  })
})
