import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addTotp,
  isSignedIn,
  type MailNode,
  must,
  startMailNode,
  submit,
  openPage,
  type TestRealm,
} from '../../../test/harness/index.ts'
import { ask, choose, follow, newPassword, openRealmWith, signIn, visitor } from '../../../test/harness/reset-walk.ts'

let mails: MailNode
beforeAll(async () => {
  mails = await startMailNode()
})
afterAll(() => mails.stop())

const openWith = (name: string, settings: Record<string, unknown> = {}) => openRealmWith(mails, name, settings)

async function lock(realm: TestRealm, username: string): Promise<void> {
  for (let at = 0; at < 2; at++) await signIn(realm, username, 'wrong')
}
const quickLock = { bruteForce: { maxFailures: 2, lockSeconds: 3600 } }

describe.concurrent('S43 a reset does not go around the second factor', { timeout: 60_000 }, () => {
  it('asks for it before the new password, and changes nothing without it', async () => {
    const { realm, email, userId } = await openWith('totp')
    const code = await addTotp(realm, userId)
    await ask(realm, 'totp')
    const browser = visitor(realm)
    const page = await follow(browser, (await mails.mailbox.waitFor(email)).link)
    expect(page.name).toBe('otp')
    // The form of the next step, sent too early.
    const [form] = page.forms
    const early = await browser.send('POST', form!.action, {
      form: { ...form!.values, newPassword, confirmPassword: newPassword },
      headers: { accept: 'text/html' },
    })
    expect([early.status, isSignedIn(browser, realm)]).toEqual([401, false])
    expect((await submit(browser, page, { code: '000000' })).answer.status).toBe(401)
    expect((await signIn(realm, 'totp', newPassword)).status).toBe(401)
    const next = await submit(browser, page, { code: code() })
    expect(next.name).toBe('update-password')
    await choose(browser, next)
    expect(isSignedIn(browser, realm)).toBe(true)
    expect((await signIn(realm, 'totp', newPassword)).body).toMatchObject({ mfaRequired: true })
  })

  it('does not take the same mailbox for a second factor where the person has another', async () => {
    const { realm, email, userId } = await openWith('both', { mfaPolicy: { allowed: ['totp', 'email'] } })
    await addTotp(realm, userId)
    await ask(realm, 'both')
    const browser = visitor(realm)
    const page = await follow(browser, (await mails.mailbox.waitFor(email)).link)
    expect(page.name).toBe('otp')
    const [form] = page.forms
    expect(page.answer.text).not.toContain('otp-email')
    for (const method of ['otp-email', 'email']) {
      const answer = await browser.send('POST', form!.action, {
        form: { ...form!.values, method },
        headers: { accept: 'text/html' },
      })
      expect(answer.text).not.toContain('otp-email')
    }
    expect(mails.mailbox.to(email)).toHaveLength(1)
  })

  it('goes on with a code by mail where that is all the person has, and sets up what the realm requires', async () => {
    const { realm, email } = await openWith('mail-only', { mfaPolicy: { allowed: ['email'] } })
    await ask(realm, 'mail-only')
    const browser = visitor(realm)
    const page = await follow(browser, (await mails.mailbox.waitFor(email)).link)
    expect(page.name).toBe('otp')
    const { code } = await mails.mailbox.waitFor(email, 2)
    expect((await submit(browser, page, { code })).name).toBe('update-password')

    const strict = await openWith('none', { mfaPolicy: { mode: 'REQUIRED' } })
    await ask(strict.realm, 'none')
    const other = visitor(strict.realm)
    const enrol = await follow(other, (await mails.mailbox.waitFor(strict.email)).link)
    expect(enrol.name).toBe('configure-totp')
  })
})

describe.concurrent('S41 two ways to a new password', { timeout: 60_000 }, () => {
  it('the first to set one ends the other, though its link was followed before', async () => {
    const { realm, email, userId } = await openWith('overtaken')
    await ask(realm, 'overtaken')
    const browser = visitor(realm)
    const page = await follow(browser, (await mails.mailbox.waitFor(email)).link)
    expect(page.name).toBe('update-password')
    realm.node.clock.advance(1)
    await must(realm.call('PUT', `/users/${userId}/password`, { newPassword: 'set-by-another-way-2026' }), 204)
    expect((await choose(browser, page)).answer.status).toBe(401)
    expect(isSignedIn(browser, realm)).toBe(false)
    expect((await signIn(realm, 'overtaken', 'set-by-another-way-2026')).status).toBe(200)
  })
})

describe.concurrent('S40 a lock and the reset', { timeout: 60_000 }, () => {
  it('a lock for guessing is lifted by it, and told in the audit trail', async () => {
    const { realm, email, userId } = await openWith('guessed', quickLock)
    await lock(realm, 'guessed')
    expect((await realm.call('GET', `/users/${userId}`)).body).toMatchObject({ locked: true })
    await ask(realm, 'guessed')
    const browser = visitor(realm)
    await choose(browser, await follow(browser, (await mails.mailbox.waitFor(email)).link))
    expect(isSignedIn(browser, realm)).toBe(true)
    expect((await realm.call('GET', `/users/${userId}`)).body).toMatchObject({ locked: false })
    expect((await signIn(realm, 'guessed', newPassword)).status).toBe(200)
    expect(await realm.events('&type=USER_UNLOCKED')).toHaveLength(1)
  })

  it('an administrator’s lock stays: the link of before it is worth nothing', async () => {
    const { realm, email, userId } = await openWith('barred')
    await ask(realm, 'barred')
    const { link } = await mails.mailbox.waitFor(email)
    const browser = visitor(realm)
    const early = await openPage(browser, link)
    await must(realm.call('PATCH', `/users/${userId}`, { locked: true }), 200)
    expect((await submit(browser, early)).answer.status).toBe(400)
    expect((await openPage(browser, link)).answer.status).toBe(400)
    expect((await realm.call('GET', `/users/${userId}`)).body).toMatchObject({ locked: true })
  })

  it('an administrator’s lock stops a reset that is under way', async () => {
    const { realm, email, userId } = await openWith('midway')
    await ask(realm, 'midway')
    const browser = visitor(realm)
    const page = await follow(browser, (await mails.mailbox.waitFor(email)).link)
    await must(realm.call('PATCH', `/users/${userId}`, { locked: true }), 200)
    expect((await choose(browser, page)).answer.status).toBe(401)
    expect(isSignedIn(browser, realm)).toBe(false)
  })
})
