// What needs a sign-in of the last five minutes (S39), and what such a sign-in may set up on the session that is there.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addMailProvider,
  addPerson,
  addTotp,
  type Browser,
  codesOf,
  createRealmFor,
  type MailNode,
  must,
  openPage,
  type Page,
  passPassword,
  readPage,
  startMailNode,
  submit,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { adminPassword } from '../../../../test/harness/realm.ts'
import {
  authenticatedAt,
  type AuthenticatedSession,
  isFreshlySignedIn,
  lastProvedAt,
  sessionActor,
} from '../../../domain/sessions/index.ts'
import { trustDevice } from '../../../domain/trusted-devices/index.ts'

const minuteMs = 60_000
const html = { headers: { accept: 'text/html' } }

let mail: MailNode
let realm: TestRealm
beforeAll(async () => {
  // A node of its own: time is moved here.
  mail = await startMailNode()
  realm = await createRealmFor({ node: mail.node })
  await addMailProvider(realm, mail.mailbox)
  const settings = { selfDeletionAllowed: true, ssoSessionIdleSeconds: 36_000, mfaPolicy: { trustedDeviceDays: 30 } }
  await must(realm.call('PUT', '/settings', settings), 200)
})
afterAll(() => mail.stop())

const base = () => `/realms/${realm.realmId}/account`
const security = (query = '') => `${base()}/security${query}`
const wait = (minutes: number) => realm.node.clock.advance(minutes * minuteMs)
const credentialTypes = async (userId: string) =>
  (await realm.call('GET', `/users/${userId}/credentials`)).body.map(({ type }: { type: string }) => type)

let next = 0
let person: { userId: string; username: string; browser: Browser }
async function enter(more: Record<string, unknown> = {}) {
  const { userId, username } = await addPerson(realm, `person-${next++}`, more)
  return { userId, username, browser: (await passPassword(realm, username)).browser }
}
beforeEach(async () => {
  // The administrator's own session must not run out while time moves.
  await realm.admin.login(realm.realmId, 'admin', adminPassword)
  person = await enter()
})

const post = async (browser: Browser, path: string, form: Record<string, string>): Promise<Page> =>
  readPage(await browser.send('POST', path, { ...html, form: { _csrf: browser.csrf(), ...form } }))

const begin = (browser: Browser, what: string) => post(browser, security(), { action: 'add', what })

/** The one link of the page that asks for the sign-in again. */
const signInHref = (page: Page) =>
  /href="(\/realms\/[^"]*\/login\?arrival=[^"]*)"/.exec(page.answer.text)![1]!.replaceAll('&amp;', '&')

async function signInAgain(browser: Browser, page: Page, username: string): Promise<string> {
  const login = await openPage(browser, signInHref(page))
  expect(login.forms[0]!.values.username).toBeTruthy()
  const passed = await submit(browser, login, { username, password: adminPassword })
  return String(passed.answer.headers.location)
}

describe('an old sign-in', () => {
  const guarded: [path: string, step: string, form: Record<string, string>][] = [
    ['/personal', 'step=contact', { action: 'contact', email: 'eve@example.org', phone: '' }],
    ['/security', 'step=password', { action: 'password', currentPassword: adminPassword, newPassword: 'x' }],
    ['/security', 'step=add&id=totp', { action: 'add', what: 'totp' }],
    ['/security', 'step=rename&id=x', { action: 'rename', id: 'x', label: 'y' }],
    ['/security', 'step=remove&id=x', { action: 'remove', id: 'x' }],
    ['/places', 'step=add&id=device', { action: 'add', what: 'device' }],
    ['/places', 'step=remove&id=x', { action: 'remove-device', id: 'x' }],
    ['/privacy', 'step=delete', { action: 'delete' }],
  ]

  test('S39: changes nothing of the protection, and is asked for again, with the way back', async () => {
    wait(6)
    const { browser, userId, username } = person
    const before = (await realm.call('GET', `/users/${userId}`)).body
    for (const [path, step, form] of guarded) {
      const refused = await post(browser, base() + path, { confirmation: username, ...form })
      expect([refused.answer.status, refused.answer.headers.location]).toEqual([303, `${base()}${path}?${step}`])
      const page = await openPage(browser, `${base()}${path}?${step}`)
      expect([page.title, page.forms]).toEqual(['Confirm it is you', []])
    }
    expect((await realm.call('GET', `/users/${userId}`)).body).toEqual(before)
    expect(await credentialTypes(userId)).toEqual(['password', 'email'])
    const page = await openPage(browser, `${base()}/privacy?step=delete`)
    expect(await signInAgain(browser, page, username)).toBe(`${base()}/privacy?step=delete`)
    for (const [path, step] of guarded) {
      expect((await openPage(browser, `${base()}${path}?${step}`)).title).not.toBe('Confirm it is you')
    }
  })

  test('still changes what is no matter of protection', async () => {
    wait(60)
    const saved = await submit(person.browser, await openPage(person.browser, `${base()}/personal`), {
      firstName: 'Ada',
      lastName: 'King',
    })
    expect(saved.answer.headers.location).toContain('done=profile')
    expect((await post(person.browser, `${base()}/places`, { action: 'end-others' })).answer.status).toBe(303)
  })

  test('of somebody who lets another person sign in again makes it that person’s browser, in their own account', async () => {
    wait(6)
    const other = await addPerson(realm, `other-${next++}`)
    const page = await openPage(person.browser, security('?step=password'))
    await signInAgain(person.browser, page, other.username)
    const whose = await openPage(person.browser, base())
    expect([whose.answer.text.includes(other.username), whose.answer.text.includes(person.username)]).toEqual([
      true,
      false,
    ])
  })

  test('S9, S39: is none by a second factor alone, by the yes of another screen, or for whoever acts for somebody', () => {
    const now = 1_000_000_000
    const isFresh = (proofs: { method: string; at: number }[], impersonatorId: string | null = null) =>
      isFreshlySignedIn(sessionActor({ proofs, impersonatorId } as AuthenticatedSession), now)
    const fresh = { method: 'password', at: now - 5 * minuteMs }
    const old = { method: 'password', at: now - 5 * minuteMs - 1 }
    const [added, vouched, mailed] = ['totp', 'qr', 'otp-email'].map((method) => ({ method, at: now }))
    expect(isFresh([fresh])).toBe(true)
    expect(isFresh([old])).toBe(false)
    expect(isFresh([old, added!])).toBe(false)
    expect(isFresh([vouched!])).toBe(false)
    expect(isFresh([vouched!, added!])).toBe(false)
    // A realm whose own flow begins with a mailed code: that is its first factor, and what is added later is not.
    expect(isFresh([mailed!])).toBe(true)
    expect(isFresh([{ ...mailed!, at: old.at }, added!])).toBe(false)
    expect(isFresh([fresh], 'somebody')).toBe(false)
    // Applications are told the same time, so that whoever asks for a newer sign-in gets one.
    expect([authenticatedAt([old, added!]), lastProvedAt([old, added!])]).toEqual([old.at, now])
    expect(isFresh([])).toBe(false)
  })
})

describe('a fresh sign-in sets up', () => {
  const sessionOf = async () => (await realm.call('GET', `/sessions?userId=${person.userId}`)).body

  test('an authenticator app on the session that is there, and the person is told once', async () => {
    const { browser, userId, username } = person
    const [before] = await sessionOf()
    const page = await begin(browser, 'totp')
    expect(page.name).toBe('configure-totp')
    expect(page.answer.text).toContain(`href="${security()}"`)
    const uri = /href="(otpauth:[^"]+)"/.exec(page.answer.text)![1]!.replaceAll('&amp;', '&')
    const codeAt = codesOf(new URL(uri).searchParams.get('secret')!, realm)
    const done = await submit(browser, page, { code: codeAt() })
    expect([done.answer.status, done.answer.headers.location]).toEqual([303, security()])
    expect((await openPage(browser, security())).answer.text).toContain('Authenticator app')
    const after = await sessionOf()
    expect([after.length, after[0].id, after[0].acr]).toEqual([1, before.id, 'urn:gatehouse:acr:2'])
    await mail.mailbox.waitFor(`${username}@example.org`)
    expect(mail.mailbox.to(`${username}@example.org`)).toHaveLength(1)
    const added = await realm.events('&type=CREDENTIAL_ADDED')
    expect(added.filter(({ actor }) => actor === userId)).toHaveLength(1)
  })

  test('nothing but what was asked for, whatever else came due', async () => {
    const { browser, userId } = person
    await must(realm.call('PUT', `/users/${userId}/required-actions`, ['UPDATE_PASSWORD', 'CONFIGURE_TOTP']), 200)
    const page = await begin(browser, 'recovery-codes')
    expect(page.name).toBe('recovery-codes')
    const done = await submit(browser, page, { saved: 'true' })
    expect(done.answer.headers.location).toBe(security())
    expect((await credentialTypes(userId)).toSorted()).toEqual(['email', 'password', 'recovery-codes'])
  })

  test('an address that a code from the mail proves', async () => {
    const { userId, username, browser } = await enter({ emailVerified: false })
    const page = await post(browser, `${base()}/personal`, { action: 'add', what: 'email' })
    expect(page.name).toBe('verify-email')
    const letter = await mail.mailbox.waitFor(`${username}@example.org`)
    const done = await submit(browser, page, { code: letter.code })
    expect(done.answer.headers.location).toBe(`${base()}/personal`)
    expect((await realm.call('GET', `/users/${userId}`)).body.emailVerified).toBe(true)
  })

  test('nothing for a browser that is only trusted: the second factor is asked for first', async () => {
    const { userId, username, browser } = person
    const codeAt = await addTotp(realm, userId)
    const trusted = await realm.run((ctx) => trustDevice(ctx, { userId, days: 30, userAgent: null }))
    browser.cookies.set(`gatehouse_device_${realm.realmId}`, trusted.token)
    expect((await passPassword(realm, username, browser)).answer.body.mfaRequired).toBe(false)
    const asked = await begin(browser, 'passkey')
    expect(asked.name).toBe('otp')
    expect((await submit(browser, asked, { code: codeAt() })).name).toBe('register-webauthn')
  })

  test('nothing once it has become old on the way', async () => {
    const page = await begin(person.browser, 'recovery-codes')
    wait(16)
    const late = await submit(person.browser, page, { saved: 'true' })
    expect(late.answer.headers.location).toBe(security())
    expect(await credentialTypes(person.userId)).not.toContain('recovery-codes')
  })

  test('nothing once the session has ended, or in another browser', async () => {
    const { browser, userId, username } = person
    const page = await begin(browser, 'recovery-codes')
    const stranger = (await passPassword(realm, username)).browser
    const form = { ...page.forms[0]!.values, saved: 'true', _csrf: stranger.csrf() }
    const taken = await stranger.send('POST', `/realms/${realm.realmId}/login`, { ...html, form })
    expect(taken.status).toBe(401)
    await must(realm.call('DELETE', `/sessions?userId=${userId}`), 204)
    expect((await submit(browser, page, { saved: 'true' })).answer.status).toBe(401)
    expect(await credentialTypes(userId)).not.toContain('recovery-codes')
  })
})
