import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addPerson,
  addressIn,
  type Browser,
  createBrowser,
  createRealmFor,
  findLeaks,
  isSignedIn,
  type MailNode,
  must,
  openPage,
  shapeOf,
  startMailNode,
  submit,
  type TestRealm,
} from '../../../test/harness/index.ts'

const password = 'four-random-words-register'

let mails: MailNode
beforeAll(async () => {
  mails = await startMailNode()
})
afterAll(() => mails.stop())

const open = (settings: Record<string, unknown> = {}) => mails.openRealm({ registrationAllowed: true, ...settings })
const pathOf = (realm: TestRealm) => `/realms/${realm.realmId}/register`

async function fillIn(realm: TestRealm, browser: Browser, email: string, more: Record<string, string> = {}) {
  const page = await openPage(browser, pathOf(realm))
  const typed = { email, firstName: 'Ada', lastName: 'Byron', newPassword: password, confirmPassword: password }
  return submit(browser, page, { ...typed, ...more })
}

async function findUser(realm: TestRealm, email: string) {
  return (await must(realm.call('GET', `/users?email=${encodeURIComponent(email)}&exact=true`), 200)).body[0]
}

const signIn = (realm: TestRealm, username: string, secret = password) =>
  createBrowser(realm.node.url).login(realm.realmId, username, secret)

describe.concurrent('a registration', { timeout: 60_000 }, () => {
  it('makes no account before its link is used, and looking at the link does not use it', async () => {
    const realm = await open()
    const email = addressIn(realm, 'ada')
    const browser = createBrowser(realm.node.url)
    const sent = await fillIn(realm, browser, email)
    expect([sent.answer.status, sent.name]).toEqual([200, 'mail-sent'])
    const mail = await mails.mailbox.waitFor(email)
    expect(await findUser(realm, email)).toBeUndefined()
    for (let look = 0; look < 3; look++) {
      const scanner = await openPage(createBrowser(realm.node.url), mail.link)
      expect([scanner.answer.status, scanner.forms.length]).toEqual([200, 1])
    }
    expect(await findUser(realm, email)).toBeUndefined()
    expect((await signIn(realm, email)).status).toBe(401)

    const done = await submit(browser, await openPage(browser, mail.link))
    expect([done.answer.status, done.forms]).toEqual([200, []])
    expect(await findUser(realm, email)).toMatchObject({
      username: email,
      emailVerified: true,
      enabled: true,
      passwordSet: true,
      attributes: { firstName: 'Ada', lastName: 'Byron' },
      roles: ['user'],
    })
    expect(isSignedIn(browser, realm)).toBe(false)
    expect((await signIn(realm, email)).body).toMatchObject({ username: email, mfaRequired: false })
    const [event] = await realm.events('&type=REGISTER')
    expect(event).toMatchObject({ outcome: 'SUCCESS', resourceType: 'users' })
  })

  it('S41 is finished once: the link works neither twice nor at the same moment, nor after a newer one', async () => {
    const realm = await open()
    const email = addressIn(realm, 'twice')
    const browser = createBrowser(realm.node.url)
    await fillIn(realm, browser, email)
    const older = await mails.mailbox.waitFor(email)
    await fillIn(realm, browser, email)
    const newer = await mails.mailbox.waitFor(email, 2)
    expect((await openPage(browser, older.link)).answer.status).toBe(400)
    const page = await openPage(browser, newer.link)
    const answers = await Promise.all([submit(browser, page), submit(browser, page), submit(browser, page)])
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([200, 400, 400])
    expect((await submit(browser, page)).answer.status).toBe(400)
    expect(await realm.events('&type=REGISTER')).toHaveLength(1)
  })

  it('is refused when somebody took the address between form and link', async () => {
    const realm = await open()
    const email = addressIn(realm, 'late')
    const browser = createBrowser(realm.node.url)
    await fillIn(realm, browser, email)
    const { link } = await mails.mailbox.waitFor(email)
    const { userId } = await addPerson(realm, 'first', { email })
    expect((await submit(browser, await openPage(browser, link))).answer.status).toBe(400)
    expect((await findUser(realm, email)).userId).toBe(userId)
    expect((await signIn(realm, email)).status).toBe(401)
    expect(await realm.events('&type=REGISTER')).toEqual([])
  })

  it('keeps that the terms were accepted', async () => {
    const realm = await open({ termsUrl: 'https://example.org/terms' })
    const email = addressIn(realm, 'terms')
    const browser = createBrowser(realm.node.url)
    expect((await fillIn(realm, browser, email, { accept: 'true' })).answer.status).toBe(200)
    await submit(browser, await openPage(browser, (await mails.mailbox.waitFor(email)).link))
    const { userId } = await findUser(realm, email)
    const row = await realm.run((ctx) =>
      ctx.tx
        .selectFrom('users')
        .select('terms_accepted_at')
        .where('realm_id', '=', ctx.realmId)
        .where('id', '=', userId)
        .executeTakeFirst(),
    )
    expect(row?.terms_accepted_at).toEqual(expect.any(Number))
  })
})

describe.concurrent('S42 the registration form', { timeout: 60_000 }, () => {
  it('answers a new and a taken address with the same bytes and headers; only the mail differs', async () => {
    const realm = await open()
    const [fresh, taken] = [addressIn(realm, 'fresh'), addressIn(realm, 'taken')]
    await addPerson(realm, 'owner', { email: taken })
    const browser = createBrowser(realm.node.url)
    const [first, second] = [await fillIn(realm, browser, fresh), await fillIn(realm, browser, taken)]
    expect(shapeOf(second.answer)).toEqual(shapeOf(first.answer))
    expect(first.answer.text).not.toContain(fresh)
    const [invited, told] = await Promise.all([mails.mailbox.waitFor(fresh), mails.mailbox.waitFor(taken)])
    expect(invited.token).toMatch(/^[\w-]{43}$/)
    expect([told.token, told.text]).toEqual(['', expect.stringContaining('already have an account')])
  })

  it('names everything that is wrong at once, beside its field, with the cursor in the first', async () => {
    const realm = await open({ termsUrl: 'https://example.org/terms' })
    const browser = createBrowser(realm.node.url)
    const page = await submit(browser, await openPage(browser, pathOf(realm)), {
      email: 'no address',
      firstName: 'Ada',
      lastName: '',
      newPassword: 'short',
      confirmPassword: 'short',
    })
    expect(page.answer.status).toBe(400)
    expect(Object.keys(page.errors).sort()).toEqual(['accept', 'email', 'lastName', 'newPassword'])
    expect(page.focus).toBe('email')
    // What was typed stays, except passwords.
    expect(page.forms[0]!.values).toMatchObject({ firstName: 'Ada', newPassword: '', confirmPassword: '' })

    const mismatch = await submit(browser, page, {
      email: addressIn(realm, 'ada'),
      lastName: 'Byron',
      newPassword: password,
      confirmPassword: `${password}!`,
      accept: 'true',
    })
    expect([Object.keys(mismatch.errors), mismatch.focus]).toEqual([['confirmPassword'], 'confirmPassword'])
    const missing = await submit(browser, mismatch, { newPassword: '', confirmPassword: '' })
    expect(Object.keys(missing.errors).sort()).toEqual(['accept', 'newPassword'])
  })

  it('is not there where registration is off, and answers 409 where no mail can be sent', async () => {
    const off = await mails.openRealm()
    const browser = createBrowser(off.node.url)
    expect((await openPage(browser, pathOf(off))).answer.status).toBe(404)
    expect((await browser.write('POST', pathOf(off), { email: 'a@example.org' })).status).toBe(404)
    const mute = await createRealmFor({ node: mails.node })
    await must(mute.call('PUT', '/settings', { registrationAllowed: true }), 200)
    expect((await browser.get(pathOf(mute), { headers: { accept: 'application/json' } })).body).toMatchObject({
      status: 409,
      code: 'no_provider',
    })
  })

  it('S38 takes no form of another site', async () => {
    const realm = await open()
    const email = addressIn(realm, 'foreign')
    const form = { email, firstName: 'A', lastName: 'B', newPassword: password, _csrf: 'made-up' }
    const answer = await createBrowser(realm.node.url).send('POST', pathOf(realm), { form })
    expect(answer.status).toBe(403)
  })
})

describe.concurrent('S13 somebody else’s address', { timeout: 60_000 }, () => {
  it('never lets the one who typed it in, though its owner follows the link', async () => {
    const realm = await open()
    const email = addressIn(realm, 'victim')
    const attacker = createBrowser(realm.node.url)
    await fillIn(realm, attacker, email)
    const { link, token } = await mails.mailbox.waitFor(email)

    const owner = createBrowser(realm.node.url)
    const asked = await submit(owner, await openPage(owner, link))
    expect([asked.answer.status, asked.name]).toEqual([200, 'update-password'])
    expect((await signIn(realm, email)).status).toBe(401)
    const own = 'the-owners-own-long-password'
    await submit(owner, asked, { newPassword: own, confirmPassword: own })
    expect(isSignedIn(owner, realm)).toBe(true)
    expect((await signIn(realm, email)).status).toBe(401)
    expect((await signIn(realm, email, own)).status).toBe(200)
    expect(await findUser(realm, email)).toMatchObject({ emailVerified: true, requiredActions: [] })
    expect(attacker.cookies.size).toBeGreaterThan(0)
    expect([...attacker.cookies.values()].join()).not.toContain(token)
  })

  it('does not put out the account that is there, whatever is typed', async () => {
    const realm = await open()
    const email = addressIn(realm, 'settled')
    const { userId } = await addPerson(realm, 'settled', { email })
    const attacker = createBrowser(realm.node.url)
    const page = await fillIn(realm, attacker, email.toUpperCase())
    expect(page.answer.status).toBe(200)
    const mail = await mails.mailbox.waitFor(email.toUpperCase())
    expect(mail.token).toBe('')
    expect(await findUser(realm, email)).toMatchObject({ userId, username: 'settled' })
    expect((await signIn(realm, email)).status).toBe(401)
  })
})

it('S48 no link, code or password of all this stands in a log', () => {
  expect(mails.mailbox.mails.length).toBeGreaterThan(5)
  expect(findLeaks(mails, [password, 'the-owners-own-long-password'])).toEqual([])
})
