// The device grant over HTTP: what the device is told, what the person sees, and when there are tokens (RFC 8628).
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  answerPage,
  api,
  beginDevice,
  createBrowser,
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  passPassword,
  pollDevice,
  refresh,
  type TestClient,
  type TestRealm,
  typeUserCode,
} from '../../../../test/harness/index.ts'

let realm: TestRealm
let tv: TestClient

beforeAll(async () => {
  realm = await createRealmFor()
  tv = await createClientIn(realm, {
    ...{ name: 'Living room', publicClient: true, redirectUris: [], scopes: ['offline_access'] },
    grantTypes: ['device', 'refresh_token'],
  })
})

const begin = async (form: Record<string, string> = {}, client = tv) =>
  (await must(beginDevice(realm, client, form), 200)).body as Record<string, string>
const pathOf = (userCode: string) => `/realms/${realm.realmId}/device?user_code=${userCode}`

describe('a device', () => {
  test('is told a code, where to type it, how long it is good for and how often to ask', async () => {
    const body = await begin()
    expect(body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${issuerOf(realm)}/device`,
      verification_uri_complete: `${issuerOf(realm)}/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  test('waits, is told to slow down, and gets its tokens once when the person said yes', async () => {
    const { device_code: code, user_code: userCode } = await begin({ scope: 'openid profile' })
    const waiting = await pollDevice(realm, tv, code!)
    expect([waiting.status, waiting.body.error]).toEqual([400, 'authorization_pending'])
    expect((await pollDevice(realm, tv, code!)).body.error).toBe('slow_down')
    const { userId } = await addPerson(realm, 'viewer')
    const { browser } = await passPassword(realm, 'viewer')
    const done = await answerPage(browser, pathOf(userCode!), 'allow')
    expect(done.status).toBe(200)
    expect(done.text).not.toContain('name="decision"')
    // There is an answer now, so nobody has to wait for it any longer.
    const { body } = await must(pollDevice(realm, tv, code!), 200)
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'openid profile', refresh_token: expect.any(String) })
    expect(decodeJwt(body.access_token)).toMatchObject({
      sub: userId,
      client_id: tv.clientId,
      acr: 'urn:gatehouse:acr:1',
    })
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: userId, aud: tv.clientId, amr: ['pwd'] })
    const userinfo = await api(`${issuerOf(realm)}/userinfo`, 'GET', {
      headers: { authorization: `Bearer ${body.access_token}` },
    })
    expect(userinfo.body).toMatchObject({ sub: userId, preferred_username: 'viewer' })
    const again = await pollDevice(realm, tv, code!)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    // The second use of the code took what the first one got (S25).
    expect((await refresh(realm, tv, body.refresh_token)).body.error).toBe('invalid_grant')
    const [event] = await realm.events('&type=DEVICE_AUTHORIZED&outcome=SUCCESS')
    expect(event).toMatchObject({ actor: userId, clientId: tv.clientId, detail: 'asked from 127.0.0.1' })
  })

  test('hears that the person refused', async () => {
    const { device_code: code, user_code: userCode } = await begin()
    const { browser } = await realm.signInWith([])
    expect((await answerPage(browser, pathOf(userCode!), 'deny')).status).toBe(200)
    const answer = await pollDevice(realm, tv, code!)
    expect([answer.status, answer.body.error]).toEqual([400, 'access_denied'])
  })

  test('gets nothing with the code of another client, and with a code nobody made', async () => {
    const other = await createClientIn(realm, { publicClient: true, redirectUris: [], grantTypes: ['device'] })
    const { device_code: code } = await begin()
    expect((await pollDevice(realm, other, code!)).body.error).toBe('invalid_grant')
    expect((await pollDevice(realm, tv, 'x'.repeat(43))).body.error).toBe('invalid_grant')
  })

  test('may not ask for a scope its client does not have', async () => {
    expect((await beginDevice(realm, tv, { scope: 'openid email-of-others' })).body.error).toBe('invalid_scope')
  })

  test('keeps its tokens while the session lives, and with offline access after it', async () => {
    const session = await begin()
    const offline = await begin({ scope: 'openid offline_access' })
    const { browser } = await realm.signInWith([])
    const tokens = []
    for (const { user_code: userCode, device_code: code } of [session, offline]) {
      await must(answerPage(browser, pathOf(userCode!), 'allow'), 200)
      tokens.push((await must(pollDevice(realm, tv, code!), 200)).body.refresh_token)
    }
    await must(browser.write('POST', `/realms/${realm.realmId}/login/logout`), 303)
    expect((await refresh(realm, tv, tokens[0])).body.error).toBe('invalid_grant')
    expect((await refresh(realm, tv, tokens[1])).status).toBe(200)
  })
})

describe('the page of a device', () => {
  test('says nothing before somebody is signed in, and comes back to the code afterwards', async () => {
    const { user_code: userCode } = await begin()
    const stranger = createBrowser(realm.node.url)
    const answer = await typeUserCode(realm, stranger, userCode!)
    expect(answer.status).toBe(303)
    const redirect = encodeURIComponent(`/realms/${realm.realmId}/device?user_code=${userCode}`)
    expect(answer.headers.location).toBe(`/realms/${realm.realmId}/login?redirect=${redirect}`)
  })

  test('shows the application, the code and the place, and takes the code however it is typed', async () => {
    const { user_code: userCode } = await begin({ scope: 'openid email' })
    const { browser, username } = await realm.signInWith([])
    const page = await must(typeUserCode(realm, browser, userCode!.replace('-', ' ').toLowerCase()), 200)
    for (const text of ['Living room', userCode!, '127.0.0.1', username]) expect(page.text).toContain(text)
  })

  test('tells a code that is wrong from one that was used, and which is missing', async () => {
    const { browser } = await realm.signInWith([])
    const { user_code: userCode } = await begin()
    await answerPage(browser, pathOf(userCode!), 'deny')
    for (const [code, text] of [
      ['BBBB-BBBB', 'unknown'],
      [userCode!, 'used'],
    ]) {
      const answer = await typeUserCode(realm, browser, code!)
      expect([answer.status, answer.text.includes('name="user_code"')], text).toEqual([400, true])
    }
    const html = { headers: { accept: 'text/html' } }
    const missing = await browser.send('POST', `/realms/${realm.realmId}/device`, {
      ...html,
      form: { _csrf: browser.csrf(), user_code: ' - ' },
    })
    expect(missing.status).toBe(400)
  })

  test('takes no answer from another site, and none in the name of somebody else', async () => {
    const { user_code: userCode, device_code: code } = await begin()
    const { browser } = await realm.signInWith([])
    const form = { user_code: userCode!, decision: 'allow' }
    const path = `/realms/${realm.realmId}/device`
    expect((await browser.send('POST', path, { form })).status).toBe(403)
    expect((await browser.send('POST', path, { form: { ...form, _csrf: 'guessed' } })).status).toBe(403)
    expect((await pollDevice(realm, tv, code!)).body.error).toBe('authorization_pending')
  })

  test('is answered once', async () => {
    const { user_code: userCode, device_code: code } = await begin()
    const { browser } = await realm.signInWith([])
    const form = { user_code: userCode!, decision: 'allow', _csrf: browser.csrf() }
    const decisions = ['allow', 'deny', 'allow', 'deny', 'allow']
    const answers = await Promise.all(
      decisions.map((decision) =>
        browser.send('POST', `/realms/${realm.realmId}/device`, { form: { ...form, decision } }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = decisions[answers.findIndex(({ status }) => status === 200)]
    const { body } = await pollDevice(realm, tv, code!)
    expect(body.error).toBe(winner === 'allow' ? undefined : 'access_denied')
  })

  test('draws the address as a QR code for whoever asks', async () => {
    const { user_code: userCode } = await begin()
    const answer = await api(`${issuerOf(realm)}/device/qr.svg?user_code=${userCode}`, 'GET')
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(answer.text).toContain('<svg')
    expect((await api(`${issuerOf(realm)}/device/qr.svg?user_code=%3Cscript`, 'GET')).status).toBe(400)
  })
})
