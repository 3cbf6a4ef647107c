// CIBA in poll mode over HTTP: an application asks, a person is told by mail and answers on the page (CIBA Core 1.0).
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addMailProvider,
  addPerson,
  addTotp,
  answerPage,
  beginCiba,
  createBrowser,
  createClientIn,
  createRealmFor,
  type MailNode,
  must,
  passPassword,
  pollCiba,
  readForm,
  startMailNode,
  type TestClient,
  type TestRealm,
} from '../../../../test/harness/index.ts'

let mail: MailNode
let realm: TestRealm
let bank: TestClient

beforeAll(async () => {
  mail = await startMailNode()
  realm = await createRealmFor({ node: mail.node })
  await addMailProvider(realm, mail.mailbox)
  bank = await createClientIn(realm, { name: 'Bank', redirectUris: [], grantTypes: ['CIBA', 'refresh_token'] })
})
afterAll(() => mail.stop())

const html = { headers: { accept: 'text/html' } }
const begin = async (form: Record<string, string>, client = bank) =>
  (await must(beginCiba(realm, client, form), 200)).body as {
    auth_req_id: string
    expires_in: number
    interval: number
  }

test('a person is told by mail, compares the message and says yes; the application gets its tokens once', async () => {
  const { userId } = await addPerson(realm, 'payer')
  const asked = await begin({ login_hint: 'payer', binding_message: 'Order 4711', scope: 'openid email' })
  expect(asked).toEqual({ auth_req_id: expect.stringMatching(/^[\w-]{43}$/), expires_in: 120, interval: 5 })
  expect((await pollCiba(realm, bank, asked.auth_req_id)).body.error).toBe('authorization_pending')
  expect((await pollCiba(realm, bank, asked.auth_req_id)).body.error).toBe('slow_down')
  const letter = await mail.mailbox.waitFor('payer@example.org')
  expect(letter.text).toContain('Bank')
  expect(letter.text).toContain('Order 4711')
  const { browser } = await passPassword(realm, 'payer')
  const page = await must(browser.get(letter.link, html), 200)
  for (const text of ['Bank', 'Order 4711', 'payer']) expect(page.text).toContain(text)
  await must(answerPage(browser, letter.link, 'allow'), 200)
  const { body } = await must(pollCiba(realm, bank, asked.auth_req_id), 200)
  expect(decodeJwt(body.id_token)).toMatchObject({ sub: userId, aud: bank.clientId })
  expect(body).toMatchObject({ scope: 'openid email', refresh_token: expect.any(String) })
  expect((await pollCiba(realm, bank, asked.auth_req_id)).body.error).toBe('invalid_grant')
  expect(await realm.events('&type=CIBA_APPROVED')).toMatchObject([{ actor: userId, clientId: bank.clientId }])
})

test('a refusal is told to the application', async () => {
  await addPerson(realm, 'refuser')
  const { auth_req_id: id } = await begin({ login_hint: 'refuser@example.org' })
  const letter = await mail.mailbox.waitFor('refuser@example.org')
  const { browser } = await passPassword(realm, 'refuser')
  await must(answerPage(browser, letter.link, 'deny'), 200)
  expect((await pollCiba(realm, bank, id)).body.error).toBe('access_denied')
  expect(await realm.events('&type=CIBA_DENIED')).toHaveLength(1)
  expect((await browser.get(letter.link, html)).status).toBe(410)
})

test('an address that nobody proved is not written to', async () => {
  await addPerson(realm, 'unproved', { emailVerified: false })
  await addPerson(realm, 'proved')
  await begin({ login_hint: 'unproved' })
  await begin({ login_hint: 'proved' })
  await mail.mailbox.waitFor('proved@example.org')
  expect(mail.mailbox.to('unproved@example.org')).toEqual([])
})

test('nobody but the person who is asked learns of it, let alone answers', async () => {
  await addPerson(realm, 'asked')
  const { auth_req_id: id } = await begin({ login_hint: 'asked', binding_message: 'Secret-word' })
  const { link } = await mail.mailbox.waitFor('asked@example.org')
  const stranger = createBrowser(realm.node.url)
  expect((await stranger.get(link, html)).headers.location).toContain('/login?redirect=')
  for (const browser of [realm.admin, (await realm.signInWith([])).browser]) {
    const page = await browser.get(link, html)
    expect([page.status, page.text.includes('Secret-word'), page.text.includes('Bank')]).toEqual([410, false, false])
    const answer = await browser.send('POST', link, { form: { _csrf: browser.csrf(), decision: 'allow' } })
    expect(answer.status).toBe(410)
  }
  expect((await pollCiba(realm, bank, id)).body.error).toBe('authorization_pending')
})

describe('a request', () => {
  test.each([
    ['nobody', { login_hint: 'nobody-at-all' }, 'unknown_user_id'],
    ['no hint at all', {}, 'invalid_request'],
    [
      'a message that turns text around',
      { login_hint: 'admin', binding_message: 'a\u202Eb' },
      'invalid_binding_message',
    ],
    ['a message on two lines', { login_hint: 'admin', binding_message: 'a\nb' }, 'invalid_binding_message'],
    ['a message nobody reads', { login_hint: 'admin', binding_message: 'x'.repeat(81) }, 'invalid_binding_message'],
    ['a time that is none', { login_hint: 'admin', requested_expiry: '-1' }, 'invalid_request'],
    ['a scope it may not have', { login_hint: 'admin', scope: 'openid everything' }, 'invalid_scope'],
  ])('with %s is refused', async (_name, form, error) => {
    expect((await beginCiba(realm, bank, form as Record<string, string>)).body.error).toBe(error)
  })

  test('may say how long it waits, within bounds', async () => {
    await addPerson(realm, 'patient')
    expect((await begin({ login_hint: 'patient', requested_expiry: '60' })).expires_in).toBe(60)
    expect((await begin({ login_hint: 'patient', requested_expiry: '999999' })).expires_in).toBe(600)
  })

  test('that ran out is over for the application and for the person', async () => {
    await addPerson(realm, 'sleeper')
    const { auth_req_id: id } = await begin({ login_hint: 'sleeper', requested_expiry: '30' })
    const { link } = await mail.mailbox.waitFor('sleeper@example.org')
    const { browser } = await passPassword(realm, 'sleeper')
    await realm.run((ctx) =>
      sql`update oidc_models set payload = jsonb_set(payload, '{exp}', '1')
        where realm_id = ${realm.realmId} and model = 'BackchannelAuthenticationRequest'`.execute(ctx.tx),
    )
    expect((await browser.get(link, html)).status).toBe(410)
    expect((await pollCiba(realm, bank, id)).body.error).toBe('expired_token')
  })

  test('for two factors asks the person for the second one before it shows anything', async () => {
    const { userId } = await addPerson(realm, 'careful')
    const { browser } = await passPassword(realm, 'careful')
    const codeAt = await addTotp(realm, userId)
    const { auth_req_id: id } = await begin({ login_hint: 'careful', acr_values: 'urn:gatehouse:acr:2' })
    const { link } = await mail.mailbox.waitFor('careful@example.org')
    const sent = await must(browser.get(link, html), 303)
    const asking = await must(browser.get(String(sent.headers.location), html), 200)
    expect([asking.text.includes('name="code"'), asking.text.includes('name="decision"')]).toEqual([true, false])
    const form = { ...readForm(asking.text), code: codeAt() }
    const passed = await must(browser.send('POST', `/realms/${realm.realmId}/login`, { ...html, form }), 303)
    await must(answerPage(browser, String(passed.headers.location), 'allow'), 200)
    const { body } = await must(pollCiba(realm, bank, id), 200)
    expect(decodeJwt(body.id_token).acr).toBe('urn:gatehouse:acr:2')
  })

  test('that insists on a class nobody can reach here ends in a refusal that says so', async () => {
    await addPerson(realm, 'plain')
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: 'urn:gatehouse:acr:3' } } })
    const { auth_req_id: id } = await begin({ login_hint: 'plain', claims })
    const { link } = await mail.mailbox.waitFor('plain@example.org')
    // Signed in since the request came, and still not that surely known.
    const { browser } = await passPassword(realm, 'plain')
    await must(browser.get(link, html), 200)
    expect((await pollCiba(realm, bank, id)).body.error).toBe('unmet_authentication_requirements')
  })
})
