import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  addressIn,
  addTotp,
  type Browser,
  codeIn,
  createBrowser,
  findLeaks,
  isSignedIn,
  type MailNode,
  must,
  openPage,
  type Page,
  passPassword,
  startMailNode,
  step,
  submit,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { adminPassword } from '../../../test/harness/realm.ts'

let mails: MailNode
beforeAll(async () => {
  mails = await startMailNode()
})
afterAll(() => mails.stop())

let people = 0

/** Somebody with a proved address and number, in a realm that takes codes sent to them for a second factor. */
async function openWith(...allowed: string[]) {
  const realm = await mails.openRealm({ mfaPolicy: { allowed } })
  const phone = `+49301234${String(1000 + ++people)}`
  const email = addressIn(realm, 'ada')
  const { userId } = await addPerson(realm, 'ada', { email, phone })
  // Nobody proves a number yet: that comes with the account console.
  await realm.run((ctx) =>
    ctx.tx
      .updateTable('users')
      .set({ phone_verified: true })
      .where('realm_id', '=', ctx.realmId)
      .where('id', '=', userId)
      .execute(),
  )
  return { realm, email, phone, userId }
}

async function pass(
  realm: TestRealm,
  browser = createBrowser(realm.node.url),
): Promise<{ browser: Browser; page: Page }> {
  const login = await openPage(browser, `/realms/${realm.realmId}/login`)
  return { browser, page: await submit(browser, login, { username: 'ada', password: adminPassword }) }
}

/** The answer to a code of something else; by chance it may be the right one, too, and then nothing can be said. */
async function tryForeign(browser: Browser, page: Page, code: string, right: string): Promise<number> {
  return code === right ? 401 : (await submit(browser, page, { code })).answer.status
}

const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe.concurrent('a code by mail', { timeout: 60_000 }, () => {
  it('is sent once after the password, opens the door, and makes the session stronger', async () => {
    const { realm, email, userId } = await openWith('email')
    const { browser, page } = await pass(realm)
    expect([page.answer.status, page.name, isSignedIn(browser, realm)]).toEqual([200, 'otp', false])
    expect(page.answer.text).toContain(`a•••@${realm.realmId}.example.org`)
    expect(page.answer.text).not.toContain(email)
    const { code } = await mails.mailbox.waitFor(email)
    const wrong = await submit(browser, page, { code: wrongFor(code) })
    expect([wrong.answer.status, Object.keys(wrong.errors), wrong.focus]).toEqual([401, ['code'], 'code'])
    const empty = await submit(browser, page, { code: '' })
    expect([empty.answer.status, Object.keys(empty.errors)]).toEqual([401, ['code']])
    const done = await submit(browser, wrong, { code })
    expect([done.answer.status, isSignedIn(browser, realm)]).toEqual([303, true])
    for (const { answer } of [page, wrong, empty, done])
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain(code)
    const { acr } = (await browser.get(`/admin/realms/${realm.realmId}/whoami`)).body
    expect(acr).toBe('urn:gatehouse:acr:2')
    expect(mails.mailbox.to(email)).toHaveLength(1)
    const types = (await realm.events(`&actor=${userId}`)).map((event) => event.type)
    expect(types).toEqual(['LOGIN_SUCCESS', 'MFA_SUCCESS', 'MFA_FAILURE', 'MFA_CHALLENGE'])
  })

  it('S41 is never told to a program either', async () => {
    const { realm, email } = await openWith('email')
    const { browser, answer, challengeId } = await passPassword(realm, 'ada')
    expect(answer.body).toEqual({ challengeId, mfaRequired: true, methods: ['email'], method: 'email' })
    const { code } = await mails.mailbox.waitFor(email)
    const wrong = await step(browser, realm, { challengeId, code: wrongFor(code) })
    expect([wrong.status, wrong.text.includes(code)]).toEqual([401, false])
    expect((await step(browser, realm, { challengeId, method: 'email', code })).status).toBe(200)
  })

  it('S41 opens one door once, however many hands try it at the same moment', async () => {
    const { realm, email } = await openWith('email', 'sms')
    const { browser, challengeId } = await passPassword(realm, 'ada')
    const { code } = await mails.mailbox.waitFor(email)
    const answers = await Promise.all(Array.from({ length: 4 }, () => step(browser, realm, { challengeId, code })))
    expect(answers.filter(({ body }) => body?.userId)).toHaveLength(1)
    const again = await passPassword(realm, 'ada')
    expect((await step(again.browser, realm, { challengeId: again.challengeId, code })).status).toBe(401)
  })

  it('S41 five wrong tries are the last, and then the right one is wrong, too', async () => {
    const { realm, email } = await openWith('email')
    const { browser, page } = await pass(realm)
    const { code } = await mails.mailbox.waitFor(email)
    for (let at = 0; at < 5; at++) await submit(browser, page, { code: wrongFor(code) })
    const late = await submit(browser, page, { code })
    expect([late.answer.status, isSignedIn(browser, realm)]).toEqual([401, false])
  })

  it('S41 is bound to its sign-in: neither another of the same person nor a thief’s takes it', async () => {
    const { realm, email } = await openWith('email')
    const first = await pass(realm)
    await mails.mailbox.waitFor(email)
    const second = await pass(realm)
    const { code } = await mails.mailbox.waitFor(email, 2)
    expect((await submit(first.browser, first.page, { code })).answer.status).toBe(401)
    expect(isSignedIn(first.browser, realm)).toBe(false)
    const thief = createBrowser(realm.node.url)
    await openPage(thief, `/realms/${realm.realmId}/login`)
    const { signIn } = second.page.forms[0]!.values
    const stolen = await thief.send('POST', `/realms/${realm.realmId}/login`, {
      form: { _csrf: thief.csrf(), signIn: signIn!, code },
      headers: { accept: 'text/html' },
    })
    expect([stolen.status, isSignedIn(thief, realm)]).toEqual([401, false])
    expect((await submit(second.browser, second.page, { code })).answer.status).toBe(303)
  })

  it('S41 is worth nothing once its address is no longer the person’s', async () => {
    const { realm, email, userId } = await openWith('email')
    const { browser, page } = await pass(realm)
    const { code } = await mails.mailbox.waitFor(email)
    const moved = { email: addressIn(realm, 'new'), emailVerified: true }
    await must(realm.call('PATCH', `/users/${userId}`, moved), 200)
    expect((await submit(browser, page, { code })).answer.status).toBe(401)
    expect(isSignedIn(browser, realm)).toBe(false)
  })

  it('S40 guessing over many sign-ins locks the person', async () => {
    const { realm, email, userId } = await openWith('email')
    await must(realm.call('PUT', '/settings', { bruteForce: { maxFailures: 4 } }), 200)
    for (let round = 0; round < 2; round++) {
      const { browser, page } = await pass(realm)
      const { code } = await mails.mailbox.waitFor(email, round + 1)
      for (let at = 0; at < 2; at++) await submit(browser, page, { code: wrongFor(code) })
    }
    expect((await realm.call('GET', `/users/${userId}`)).body.locked).toBe(true)
  })
})

describe.concurrent('a code by text message', { timeout: 60_000 }, () => {
  it('goes to the proved number and opens the door', async () => {
    const { realm, phone } = await openWith('sms')
    const { browser, page } = await pass(realm)
    expect([page.name, page.answer.text.includes(phone)]).toEqual(['otp', false])
    const code = codeIn(await mails.telephone.waitFor(phone))
    expect((await submit(browser, page, { code: wrongFor(code) })).answer.status).toBe(401)
    expect((await submit(browser, page, { code })).answer.status).toBe(303)
    expect(mails.telephone.to(phone)).toHaveLength(1)
  })

  it('S41 the code of one way is worth nothing in another, and switching sends no second one', async () => {
    const { realm, phone, email } = await openWith('sms', 'email')
    const { browser, page } = await pass(realm)
    const { code } = await mails.mailbox.waitFor(email)
    const other = await submit(browser, page, { method: 'otp-sms' })
    const text = codeIn(await mails.telephone.waitFor(phone))
    expect(await tryForeign(browser, other, code, text)).toBe(401)
    const back = await submit(browser, other, { method: 'otp-email' })
    expect(await tryForeign(browser, back, text, code)).toBe(401)
    const there = await submit(browser, back, { method: 'otp-sms' })
    expect([back.answer.status, there.answer.status]).toEqual([200, 200])
    expect([mails.telephone.to(phone).length, mails.mailbox.to(email).length]).toEqual([1, 1])
    expect(isSignedIn(browser, realm)).toBe(false)
  })

  it('goes to nobody whose number is not proved', async () => {
    const { realm, userId } = await openWith('sms')
    await must(realm.call('PATCH', `/users/${userId}`, { phone: '+49309999999' }), 200)
    const { browser } = await pass(realm)
    expect(isSignedIn(browser, realm)).toBe(true)
    expect(mails.telephone.to('+49309999999')).toEqual([])
  })
})

describe.concurrent('contract 5.7: five messages in ten minutes to one recipient', { timeout: 60_000 }, () => {
  it('the sixth is not sent, the page says so, and another factor still opens the door', async () => {
    const { realm, email, userId } = await openWith('email', 'totp')
    const app = await addTotp(realm, userId)
    for (let at = 0; at < 5; at++) {
      const { browser, page } = await pass(realm)
      await submit(browser, page, { method: 'otp-email' })
    }
    const { browser, page } = await pass(realm)
    expect(page.forms.some(({ buttons }) => buttons.includes('method=otp-email'))).toBe(true)
    const full = await submit(browser, page, { method: 'otp-email' })
    expect([full.name, full.alert !== null, isSignedIn(browser, realm)]).toEqual(['otp', true, false])
    const other = await submit(browser, full, { method: 'totp' })
    expect((await submit(browser, other, { code: app() })).answer.status).toBe(303)
    await mails.mailbox.waitFor(email, 5)
    expect(mails.mailbox.to(email)).toHaveLength(5)
  })
})

it('another code is sent after half a minute, not before, and the one of before is worth nothing', async () => {
  const { realm, email } = await openWith('email')
  const { browser, page } = await pass(realm)
  const first = await mails.mailbox.waitFor(email)
  const early = await submit(browser, page, { resend: 'true' })
  expect([early.answer.status, early.answer.text.includes('resend-wait')]).toEqual([200, true])
  mails.node.clock.advance(31_000)
  await submit(browser, early, { resend: 'true' })
  const second = await mails.mailbox.waitFor(email, 2)
  expect(await tryForeign(browser, page, first.code, second.code)).toBe(401)
  expect((await submit(browser, page, { code: second.code })).answer.status).toBe(303)
  expect(mails.mailbox.to(email)).toHaveLength(2)
})

it('S41 a code is over after five minutes, and wrong tries do not lengthen that', async () => {
  const { realm, email } = await openWith('email')
  const { browser, page } = await pass(realm)
  const { code } = await mails.mailbox.waitFor(email)
  mails.node.clock.advance(4 * 60_000)
  await submit(browser, page, { code: wrongFor(code) })
  mails.node.clock.advance(61_000)
  expect((await submit(browser, page, { code })).answer.status).toBe(401)
  expect(isSignedIn(browser, realm)).toBe(false)
})

it('S48 no code or password of all this stands in a log', () => {
  expect(mails.mailbox.mails.length).toBeGreaterThan(10)
  expect(findLeaks(mails, [adminPassword])).toEqual([])
})
