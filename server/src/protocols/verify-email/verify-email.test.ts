import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  addressIn,
  type Browser,
  createBrowser,
  findLeaks,
  isSignedIn,
  type MailNode,
  must,
  openPage,
  type Page,
  startMailNode,
  submit,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { adminPassword } from '../../../test/harness/realm.ts'

let mails: MailNode
beforeAll(async () => {
  mails = await startMailNode()
})
afterAll(() => mails.stop())

const template = {
  templateKey: 'verify-email',
  channel: 'EMAIL',
  subject: 'Confirm your address',
  body: 'Your code: {{code}}\n\n{{link}}',
}

/** Somebody whose address is not proved, at the page that asks for it. */
async function reachPage(name: string) {
  const realm = await mails.openRealm({ verifyEmail: true })
  await must(realm.call('PUT', '/messaging/templates', template), 200)
  const email = addressIn(realm, name)
  const { userId } = await addPerson(realm, name, { email, emailVerified: false })
  const browser = createBrowser(realm.node.url)
  return { realm, email, userId, browser, page: await pass(realm, browser, name) }
}

async function pass(realm: TestRealm, browser: Browser, username: string): Promise<Page> {
  const login = await openPage(browser, `/realms/${realm.realmId}/login`)
  return submit(browser, login, { username, password: adminPassword })
}

const read = async (realm: TestRealm, userId: string) => (await must(realm.call('GET', `/users/${userId}`), 200)).body

const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe.concurrent('an address that is not proved', { timeout: 60_000 }, () => {
  it('is asked for at the sign-in, and the code of the mail opens the door', async () => {
    const { realm, email, userId, browser, page } = await reachPage('code')
    expect([page.answer.status, page.name]).toEqual([200, 'verify-email'])
    expect(isSignedIn(browser, realm)).toBe(false)
    const { code } = await mails.mailbox.waitFor(email)
    expect(page.answer.text).not.toContain(code)
    const wrong = await submit(browser, page, { code: wrongFor(code) })
    expect([wrong.answer.status, Object.keys(wrong.errors), wrong.focus]).toEqual([401, ['code'], 'code'])
    expect((await submit(browser, wrong, { code: '' })).errors).toHaveProperty('code')
    expect((await read(realm, userId)).emailVerified).toBe(false)
    expect((await submit(browser, wrong, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).answer.status).toBe(303)
    expect(isSignedIn(browser, realm)).toBe(true)
    expect((await read(realm, userId)).emailVerified).toBe(true)
    expect(await realm.events('&type=EMAIL_VERIFIED')).toHaveLength(1)
    expect((await createBrowser(realm.node.url).login(realm.realmId, 'code', adminPassword)).body.userId).toBe(userId)
  })

  it('is proved by the link from another browser, and the sign-in goes on where it waits', async () => {
    const { realm, email, userId, browser, page } = await reachPage('link')
    const { link } = await mails.mailbox.waitFor(email)
    const phone = createBrowser(realm.node.url)
    for (let look = 0; look < 3; look++) await openPage(createBrowser(realm.node.url), link)
    expect((await read(realm, userId)).emailVerified).toBe(false)
    const shown = await openPage(phone, link)
    expect((await submit(phone, shown)).answer.status).toBe(200)
    expect((await read(realm, userId)).emailVerified).toBe(true)
    expect(isSignedIn(phone, realm)).toBe(false)
    expect((await submit(phone, shown)).answer.status).toBe(400)
    expect((await submit(browser, page, { code: '' })).answer.status).toBe(303)
    expect(isSignedIn(browser, realm)).toBe(true)
  })

  it('S41 five wrong codes are the last, and then the right one is wrong, too', async () => {
    const { realm, email, userId, browser, page } = await reachPage('guess')
    const { code } = await mails.mailbox.waitFor(email)
    for (let at = 0; at < 5; at++) await submit(browser, page, { code: wrongFor(code) })
    const late = await submit(browser, page, { code })
    expect([late.answer.status, isSignedIn(browser, realm)]).toEqual([401, false])
    expect((await read(realm, userId)).emailVerified).toBe(false)
  })

  it('S41 the code is bound to its sign-in: the same person’s other one does not take it', async () => {
    const { realm, email, userId, browser, page } = await reachPage('bound')
    await mails.mailbox.waitFor(email)
    const other = createBrowser(realm.node.url)
    const second = await pass(realm, other, 'bound')
    const { code } = await mails.mailbox.waitFor(email, 2)
    expect((await submit(browser, page, { code })).answer.status).toBe(401)
    expect((await read(realm, userId)).emailVerified).toBe(false)
    expect((await submit(other, second, { code })).answer.status).toBe(303)
  })

  it('S41 link and code prove only the address they were sent to', async () => {
    const { realm, email, userId, browser, page } = await reachPage('moved')
    const { code, link } = await mails.mailbox.waitFor(email)
    const phone = createBrowser(realm.node.url)
    const shown = await openPage(phone, link)
    await must(realm.call('PATCH', `/users/${userId}`, { email: addressIn(realm, 'new') }), 200)
    expect((await submit(browser, page, { code })).answer.status).toBe(401)
    expect((await submit(phone, shown)).answer.status).toBe(400)
    expect(await read(realm, userId)).toMatchObject({ email: addressIn(realm, 'new'), emailVerified: false })
    expect(isSignedIn(browser, realm)).toBe(false)
  })

  it('S41 another realm does not take the link, and nobody takes a made-up one', async () => {
    const { realm, email } = await reachPage('foreign')
    const { token } = await mails.mailbox.waitFor(email)
    const other = await mails.openRealm()
    const browser = createBrowser(realm.node.url)
    for (const path of [
      `/realms/${other.realmId}/verify-email?token=${token}`,
      `/realms/${realm.realmId}/verify-email?token=${token.slice(1)}A`,
      `/realms/${realm.realmId}/verify-email?token=${token}&token=${token}`,
      `/realms/${realm.realmId}/verify-email`,
      `/realms/${realm.realmId}/reset-password?token=${token}`,
      `/realms/${realm.realmId}/login/link?token=${token}`,
      `/realms/${realm.realmId}/login/actions?token=${token}`,
    ])
      expect((await openPage(browser, path)).answer.status, path).toBe(400)
  })
})

it('another mail is sent after half a minute, not before, and makes the code before worthless', async () => {
  const { realm, email, browser, page } = await reachPage('again')
  const first = await mails.mailbox.waitFor(email)
  const early = await submit(browser, page, { resend: 'true' })
  expect([early.answer.status, early.name]).toEqual([200, 'verify-email'])
  expect(early.answer.text).toContain('resend-wait')
  mails.node.clock.advance(31_000)
  const later = await submit(browser, early, { resend: 'true' })
  const second = await mails.mailbox.waitFor(email, 2)
  expect(mails.mailbox.to(email)).toHaveLength(2)
  expect((await openPage(createBrowser(realm.node.url), first.link)).answer.status).toBe(400)
  expect((await submit(browser, later, { code: first.code })).answer.status).toBe(401)
  expect((await submit(browser, later, { code: second.code })).answer.status).toBe(303)
})

it('S41 the code is good for fifteen minutes and the link for a day', async () => {
  const { realm, email, userId, browser, page } = await reachPage('slow')
  const { code, link } = await mails.mailbox.waitFor(email)
  mails.node.clock.advance(15 * 60_000 + 1000)
  expect((await submit(browser, page, { code })).answer.status).toBe(401)
  const phone = createBrowser(realm.node.url)
  const shown = await openPage(phone, link)
  expect(shown.answer.status).toBe(200)
  mails.node.clock.advance(24 * 3_600_000)
  expect((await submit(phone, shown)).answer.status).toBe(400)
  const row = await realm.run((ctx) =>
    ctx.tx
      .selectFrom('users')
      .select('email_verified')
      .where('realm_id', '=', ctx.realmId)
      .where('id', '=', userId)
      .executeTakeFirst(),
  )
  expect(row?.email_verified).toBe(false)
})

it('S48 no link, code or password of all this stands in a log', () => {
  expect(mails.mailbox.mails.length).toBeGreaterThan(5)
  expect(findLeaks(mails, [adminPassword])).toEqual([])
})
