import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  addressIn,
  addTotp,
  type Browser,
  codesOf,
  createBrowser,
  createClientIn,
  createRealmFor,
  findLeaks,
  isSignedIn,
  type MailNode,
  must,
  openPage,
  type Page,
  startMailNode,
  submit,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { adminPassword } from '../../../../test/harness/realm.ts'

const newPassword = 'chosen-by-the-invited-person'

let mails: MailNode
beforeAll(async () => {
  mails = await startMailNode()
})
afterAll(() => mails.stop())

async function invite(name: string, members: Record<string, unknown> = {}) {
  const realm = await mails.openRealm()
  const email = addressIn(realm, name)
  const input = { username: name, email, ...members }
  const { userId } = (await must(realm.call('POST', '/users', input), 201)).body
  return { realm, email, userId: userId as string }
}

const send = (realm: TestRealm, userId: string, body: Record<string, unknown>) =>
  realm.call('POST', `/users/${userId}/send-actions-email`, body)

async function follow(browser: Browser, link: string): Promise<Page> {
  return submit(browser, await openPage(browser, link))
}

const choose = (browser: Browser, page: Page) => submit(browser, page, { newPassword, confirmPassword: newPassword })

describe.concurrent('an invitation', { timeout: 60_000 }, () => {
  it('leads through its actions to an account that works, and tells what it asks for before', async () => {
    const { realm, email, userId } = await invite('ada')
    await must(send(realm, userId, { actions: ['UPDATE_PASSWORD', 'CONFIGURE_TOTP'] }), 204)
    const mail = await mails.mailbox.waitFor(email)
    expect(mail.links).toEqual([`${realm.node.url}/realms/${realm.realmId}/login/actions?token=${mail.token}`])
    for (let look = 0; look < 3; look++) await openPage(createBrowser(realm.node.url), mail.link)
    const browser = createBrowser(realm.node.url)
    const shown = await openPage(browser, mail.link)
    expect(shown.answer.text.match(/<li\b/g)).toHaveLength(2)
    const password = await submit(browser, shown)
    expect(password.name).toBe('update-password')
    const totp = await choose(browser, password)
    expect([totp.name, isSignedIn(browser, realm)]).toEqual(['configure-totp', false])
    const secret = /secret=([A-Z2-7]+)/.exec(totp.answer.text)![1]!
    const code = codesOf(secret, realm)
    expect((await submit(browser, totp, { code: code() })).answer.status).toBe(303)
    expect(isSignedIn(browser, realm)).toBe(true)
    const login = await createBrowser(realm.node.url).login(realm.realmId, 'ada', newPassword)
    expect(login.body).toMatchObject({ mfaRequired: true, methods: ['totp'] })
    expect((await openPage(browser, mail.link)).answer.status).toBe(400)
    const [event] = await realm.events(`&type=ADMIN_ACTION`)
    expect(event).toMatchObject({ outcome: 'SUCCESS', resourceId: userId })
    expect(JSON.stringify(event)).not.toContain(mail.token)
  })

  it('S41 dies with a newer one, with its use, and when the address moves', async () => {
    const { realm, email, userId } = await invite('newer')
    const actions = ['UPDATE_PASSWORD']
    await must(send(realm, userId, { actions }), 204)
    const older = await mails.mailbox.waitFor(email)
    await must(send(realm, userId, { actions }), 204)
    const newer = await mails.mailbox.waitFor(email, 2)
    const browser = createBrowser(realm.node.url)
    expect((await openPage(browser, older.link)).answer.status).toBe(400)
    const page = await openPage(browser, newer.link)
    const answers = await Promise.all([submit(browser, page), submit(browser, page)])
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([200, 400])
    await must(send(realm, userId, { actions }), 204)
    const last = await mails.mailbox.waitFor(email, 3)
    const shown = await openPage(browser, last.link)
    await must(realm.call('PATCH', `/users/${userId}`, { email: addressIn(realm, 'elsewhere') }), 200)
    expect((await submit(browser, shown)).answer.status).toBe(400)
  })

  it('S43 asks for the second factor that the person has before anything is changed', async () => {
    const realm = await mails.openRealm()
    const email = addressIn(realm, 'second')
    const { userId } = await addPerson(realm, 'second', { email })
    const code = await addTotp(realm, userId)
    await must(send(realm, userId, { actions: ['UPDATE_PASSWORD'] }), 204)
    const browser = createBrowser(realm.node.url)
    const page = await follow(browser, (await mails.mailbox.waitFor(email)).link)
    expect([page.name, isSignedIn(browser, realm)]).toEqual(['otp', false])
    expect((await submit(browser, page, { code: code() })).name).toBe('update-password')
  })

  it('S12 is worth nothing to somebody disabled or locked meanwhile', async () => {
    for (const members of [{ enabled: false }, { locked: true }]) {
      const { realm, email, userId } = await invite('barred')
      await must(send(realm, userId, { actions: ['UPDATE_PASSWORD'] }), 204)
      const { link } = await mails.mailbox.waitFor(email)
      const browser = createBrowser(realm.node.url)
      const page = await openPage(browser, link)
      await must(realm.call('PATCH', `/users/${userId}`, members), 200)
      expect((await submit(browser, page)).answer.status).toBe(400)
    }
  })

  it('goes on to the application that was named, which the policies of its pages allow', async () => {
    const { realm, email, userId } = await invite('onwards')
    const redirectUris = ['https://app.example.org/first', 'https://app.example.org/second']
    const { clientId } = await createClientIn(realm, { redirectUris })
    const redirectUri = redirectUris[1]!
    await must(send(realm, userId, { actions: ['UPDATE_PASSWORD'], clientId, redirectUri }), 204)
    const browser = createBrowser(realm.node.url)
    const shown = await openPage(browser, (await mails.mailbox.waitFor(email)).link)
    const page = await submit(browser, shown)
    for (const { answer } of [shown, page])
      expect(String(answer.headers['content-security-policy'])).toContain('https://app.example.org')
    expect((await choose(browser, page)).answer.headers.location).toBe(redirectUri)
  })
})

describe.concurrent('who may have one sent, and where it may lead', { timeout: 60_000 }, () => {
  it('S9 nobody to somebody who holds more, and nobody without manage-users', async () => {
    const realm = await mails.openRealm()
    await must(realm.call('PATCH', `/users/${realm.adminId}`, { email: addressIn(realm, 'admin') }), 200)
    const helper = await realm.signInWith(['manage-users'])
    const reader = await realm.signInWith(['view-users'])
    const path = `/users/${realm.adminId}/send-actions-email`
    const body = { actions: ['UPDATE_PASSWORD'] }
    expect((await realm.callAs(helper.browser, 'POST', path, body)).body).toMatchObject({
      status: 403,
      code: 'escalation',
    })
    expect((await realm.callAs(reader.browser, 'POST', path, body)).status).toBe(403)
    expect(
      (await realm.callAs(helper.browser, 'POST', `/users/${helper.userId}/send-actions-email`, body)).status,
    ).toBe(204)
    expect(mails.mailbox.to(addressIn(realm, 'admin'))).toEqual([])
  })

  it('refuses a redirect URI that is not the client’s, and one without a client', async () => {
    const { realm, userId } = await invite('target')
    const { clientId, id } = await createClientIn(realm)
    const actions = ['UPDATE_PASSWORD']
    const refusals: [Record<string, unknown>, string][] = [
      [{ redirectUri: 'https://app.example.org/callback' }, 'redirectUri'],
      [{ clientId, redirectUri: 'https://evil.example.org/' }, 'redirectUri'],
      [{ clientId, redirectUri: 'https://app.example.org/callback/../x' }, 'redirectUri'],
      [{ clientId: 'nobody' }, 'clientId'],
    ]
    for (const [members, field] of refusals) {
      const { status, body } = await send(realm, userId, { actions, ...members })
      expect([status, body.errors?.[0]?.field], JSON.stringify(members)).toEqual([400, field])
    }
    await must(realm.call('PATCH', `/clients/${id}`, { enabled: false }), 200)
    expect((await send(realm, userId, { actions, clientId })).status).toBe(400)
    for (const body of [{ actions: [] }, { actions: ['NONSENSE'] }, { actions, lifespanSeconds: 1 }])
      expect((await send(realm, userId, body)).status).toBe(400)
  })

  it('answers 409 without a provider, an address or an enabled account, and 429 after five to one address', async () => {
    const mute = await createRealmFor({ node: mails.node })
    const { userId } = await addPerson(mute, 'mute')
    const actions = ['UPDATE_PASSWORD']
    expect((await send(mute, userId, { actions })).body).toMatchObject({ status: 409, code: 'no_provider' })
    const { realm, userId: known } = await invite('often')
    for (let at = 0; at < 5; at++) await must(send(realm, known, { actions }), 204)
    const full = await send(realm, known, { actions })
    expect([full.status, Number(full.headers['retry-after']) > 0]).toEqual([429, true])
    const nobody = (await must(realm.call('POST', '/users', { username: 'no-mail' }), 201)).body
    expect((await send(realm, nobody.userId, { actions })).status).toBe(409)
    await must(realm.call('PATCH', `/users/${known}`, { enabled: false }), 200)
    expect((await send(realm, known, { actions })).status).toBe(409)
  })
})

it('is good for as long as it was sent for', async () => {
  const { realm, email, userId } = await invite('slow')
  await must(send(realm, userId, { actions: ['UPDATE_PASSWORD'], lifespanSeconds: 120 }), 204)
  const { link } = await mails.mailbox.waitFor(email)
  const browser = createBrowser(realm.node.url)
  const page = await openPage(browser, link)
  mails.node.clock.advance(121_000)
  expect((await submit(browser, page)).answer.status).toBe(400)
})

it('S48 no link or password of all this stands in a log', () => {
  expect(mails.mailbox.mails.length).toBeGreaterThan(5)
  expect(findLeaks(mails, [newPassword, adminPassword])).toEqual([])
})
