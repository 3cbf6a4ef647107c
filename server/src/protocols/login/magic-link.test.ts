import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  addressIn,
  addTotp,
  authorize,
  type Browser,
  createBrowser,
  createClientIn,
  findLeaks,
  isSignedIn,
  type MailNode,
  must,
  openPage,
  type Page,
  readPage,
  redeem,
  shapeOf,
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

interface FlowStep {
  authenticator: string | null
  requirement: string
  steps: FlowStep[]
}

const turnOn = (step: FlowStep): FlowStep => ({
  ...step,
  requirement: step.authenticator === 'magic-link' ? 'ALTERNATIVE' : step.requirement,
  steps: step.steps.map(turnOn),
})

async function openWith(name: string, settings: Record<string, unknown> = {}) {
  const realm = await mails.openRealm(settings)
  const { body: flow } = await must(realm.call('GET', '/flow'), 200)
  await must(realm.call('PUT', '/flow', { ...flow, steps: flow.steps.map(turnOn) }), 200)
  const email = addressIn(realm, name)
  const { userId } = await addPerson(realm, name, { email })
  return { realm, email, userId }
}

async function ask(realm: TestRealm, username: string, browser: Browser): Promise<Page> {
  const page = await openPage(browser, `/realms/${realm.realmId}/login`)
  return submit(browser, page, { username, magicLink: 'true' })
}

describe.concurrent('a link in place of a password', { timeout: 60_000 }, () => {
  it('signs in the browser that asked for it, once; looking at it does not use it', async () => {
    const { realm, email, userId } = await openWith('ada')
    const browser = createBrowser(realm.node.url)
    const sent = await ask(realm, 'ada', browser)
    expect([sent.answer.status, sent.name]).toEqual([200, 'link-sent'])
    const mail = await mails.mailbox.waitFor(email)
    expect(mail.links).toEqual([`${realm.node.url}/realms/${realm.realmId}/login/link?token=${mail.token}`])
    for (let look = 0; look < 3; look++) await openPage(createBrowser(realm.node.url), mail.link)
    const page = await openPage(browser, mail.link)
    expect([page.answer.status, isSignedIn(browser, realm)]).toEqual([200, false])
    const done = await submit(browser, page)
    expect([done.answer.status, isSignedIn(browser, realm)]).toEqual([303, true])
    expect((await browser.get(`/admin/realms/${realm.realmId}/whoami`)).body).toMatchObject({ userId })
    expect((await openPage(browser, mail.link)).answer.status).toBe(400)
    expect((await submit(browser, page)).answer.status).not.toBe(303)
  })

  it('S41 is bound to the browser: another one is told so, and the link still works in the first', async () => {
    const { realm, email } = await openWith('bound')
    const browser = createBrowser(realm.node.url)
    await ask(realm, email, browser)
    const { link } = await mails.mailbox.waitFor(email)
    const thief = createBrowser(realm.node.url)
    for (let at = 0; at < 2; at++) {
      const refused = await submit(thief, await openPage(thief, link))
      expect([refused.answer.status, refused.forms.length, isSignedIn(thief, realm)]).toEqual([400, 0, false])
      expect(refused.title).toContain('browser')
    }
    expect((await submit(browser, await openPage(browser, link))).answer.status).toBe(303)
    expect(isSignedIn(browser, realm)).toBe(true)
  })

  it('S41 dies with a newer one, with the password, and when the address moves', async () => {
    const { realm, email, userId } = await openWith('newer')
    const browser = createBrowser(realm.node.url)
    await ask(realm, 'newer', browser)
    const older = await mails.mailbox.waitFor(email)
    await ask(realm, 'newer', browser)
    const newer = await mails.mailbox.waitFor(email, 2)
    expect((await openPage(browser, older.link)).answer.status).toBe(400)
    const page = await openPage(browser, newer.link)
    const moved = { email: addressIn(realm, 'elsewhere'), emailVerified: true }
    await must(realm.call('PATCH', `/users/${userId}`, moved), 200)
    expect((await submit(browser, page)).answer.status).toBeGreaterThanOrEqual(400)
    expect(isSignedIn(browser, realm)).toBe(false)

    await ask(realm, 'newer', browser)
    const last = await mails.mailbox.waitFor(moved.email)
    await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: 'changed-in-between-2026' }), 204)
    expect((await openPage(browser, last.link)).answer.status).toBe(400)
  })

  it('S43 does not go around the second factor, and the mailbox is not proved twice', async () => {
    const { realm, email, userId } = await openWith('second', { mfaPolicy: { allowed: ['totp', 'email'] } })
    const code = await addTotp(realm, userId)
    const browser = createBrowser(realm.node.url)
    await ask(realm, 'second', browser)
    const { link } = await mails.mailbox.waitFor(email)
    const page = await submit(browser, await openPage(browser, link))
    expect([page.name, isSignedIn(browser, realm)]).toEqual(['otp', false])
    expect(page.answer.text).not.toContain('otp-email')
    expect((await submit(browser, page, { code: code() })).answer.status).toBe(303)
  })

  it('S42 looks the same for a name nobody has, and goes to nobody whose address is not proved', async () => {
    const { realm, email } = await openWith('known')
    await addPerson(realm, 'doubt', { email: addressIn(realm, 'doubt'), emailVerified: false })
    const closed = await addPerson(realm, 'close', { email: addressIn(realm, 'close') })
    await must(realm.call('PATCH', `/users/${closed.userId}`, { enabled: false }), 200)
    const browser = createBrowser(realm.node.url)
    const shapes = []
    for (const name of ['nemos', 'doubt', 'close', 'known'])
      shapes.push(shapeOf((await ask(realm, name, browser)).answer, [name]))
    for (const shape of shapes) expect(shape).toEqual(shapes[0])
    await mails.mailbox.waitFor(email)
    const all = mails.mailbox.mails.filter(({ to }) => to.endsWith(`@${realm.realmId}.example.org`))
    expect(all.map(({ to }) => to)).toEqual([email])
  })

  it('leads back to the application that asked, which the policy of its page allows', async () => {
    const { realm, email } = await openWith('app')
    const client = await createClientIn(realm)
    const browser = createBrowser(realm.node.url)
    const started = await authorize(realm, client, { browser, stopAtPage: true })
    expect(started.answer.status).toBe(200)
    await submit(browser, readPage(started.answer), { username: 'app', magicLink: 'true' })
    const { link } = await mails.mailbox.waitFor(email)
    const page = await openPage(browser, link)
    expect(String(page.answer.headers['content-security-policy'])).toContain(new URL(client.redirectUri).origin)
    let { answer } = await submit(browser, page)
    while (!String(answer.headers.location).startsWith(client.redirectUri)) {
      const next = new URL(String(answer.headers.location), realm.node.url)
      answer = await browser.get(next.pathname + next.search, { headers: { accept: 'text/html' } })
    }
    const params = Object.fromEntries(new URL(String(answer.headers.location)).searchParams)
    const tokens = await redeem(realm, client, { ...started, params })
    expect(tokens.status).toBe(200)
  })
})

describe('S41 a link and the clock', () => {
  it('is good for fifteen minutes, and another one is sent after half a minute, not before', async () => {
    const { realm, email } = await openWith('slow')
    const browser = createBrowser(realm.node.url)
    const sent = await ask(realm, 'slow', browser)
    await mails.mailbox.waitFor(email)
    const early = await submit(browser, sent, { resend: 'true' })
    expect([early.name, early.answer.text.includes('resend-wait')]).toEqual(['link-sent', true])
    mails.node.clock.advance(31_000)
    await submit(browser, early, { resend: 'true' })
    const { link } = await mails.mailbox.waitFor(email, 2)
    expect(mails.mailbox.to(email)).toHaveLength(2)
    mails.node.clock.advance(14 * 60_000)
    const page = await openPage(browser, link)
    expect(page.answer.status).toBe(200)
    mails.node.clock.advance(61_000)
    expect((await submit(browser, page)).answer.status).toBe(400)
  })
})

describe('S39 a link after the password', () => {
  it('goes to the person of the password and to nobody else', async () => {
    const { realm, email } = await openWith('owner')
    const other = addressIn(realm, 'other')
    await addPerson(realm, 'other', { email: other })
    // Somebody has to be able to come in and change the flow again.
    const proved = { email: addressIn(realm, 'admin'), emailVerified: true }
    await must(realm.call('PATCH', `/users/${realm.adminId}`, proved), 200)
    const steps = [
      { authenticator: 'username-password', requirement: 'REQUIRED' },
      { authenticator: 'magic-link', requirement: 'REQUIRED' },
    ]
    await must(realm.call('PUT', '/flow', { steps }), 200)
    const browser = createBrowser(realm.node.url)
    const login = await openPage(browser, `/realms/${realm.realmId}/login`)
    const sent = await submit(browser, login, { username: 'owner', password: adminPassword })
    expect([sent.name, isSignedIn(browser, realm)]).toEqual(['link-sent', false])
    const [form] = sent.forms
    await browser.send('POST', form!.action, {
      form: { ...form!.values, username: 'other', magicLink: 'true' },
      headers: { accept: 'text/html' },
    })
    const { link } = await mails.mailbox.waitFor(email)
    expect((await submit(browser, await openPage(browser, link))).answer.status).toBe(303)
    expect((await browser.get(`/admin/realms/${realm.realmId}/whoami`)).body).toMatchObject({ username: 'owner' })
    expect(mails.mailbox.to(other)).toEqual([])
  })
})

it('S48 no link or password of all this stands in a log', () => {
  expect(mails.mailbox.mails.length).toBeGreaterThan(5)
  expect(findLeaks(mails, [adminPassword])).toEqual([])
})
