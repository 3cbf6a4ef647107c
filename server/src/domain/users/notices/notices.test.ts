import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressIn,
  createBrowser,
  findLeaks,
  type MailNode,
  must,
  openPage,
  startMailNode,
  submit,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { adminPassword } from '../../../../test/harness/realm.ts'
import { openAccount } from '../../../../test/harness/account-callers.ts'
import { asUser, ownOrigin } from '../../context/index.ts'
import { tellOfChange } from './index.ts'

let mails: MailNode
let realm: TestRealm
beforeAll(async () => {
  mails = await startMailNode()
  realm = await mails.openRealm()
}, 60_000)
afterAll(() => mails.stop())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const person = async (username: string, more: Record<string, unknown> = {}) => {
  const email = addressIn(realm, username)
  return { email, ...(await openAccount(realm, username, { email, ...more })) }
}

describe('a notice', () => {
  test('says what changed, when and from where, in the person’s language, and what to do', async () => {
    const ada = await person('ada', { locale: 'de' })
    const actor = asUser(realm.realmId, { id: ada.userId, username: 'ada' })
    const origin = { sourceIp: '203.0.113.9', userAgent: firefox, traceId: 'a'.repeat(32) }
    const about = `My\u202ekey\r\n<b>${'x'.repeat(300)}`
    await realm.run((ctx) => tellOfChange({ ...ctx, actor, origin }, ada.userId, 'FACTOR_ADDED', { about }))
    const mail = await mails.mailbox.waitFor(ada.email)
    expect(mail.subject).toMatch(/^Ihr Konto bei .* wurde geändert$/)
    expect(mail.text).toContain('eine Anmeldemöglichkeit hinzugefügt. (Mykey <b>x')
    expect(mail.text).toContain('Von: Firefox auf Linux, 203.0.113.9')
    expect(mail.text).toMatch(/Wann: .* UTC/)
    expect(mail.text).toContain(`/realms/${realm.realmId}/account`)
    expect(mail.html).not.toContain('<b>x')
    expect(mail.text).not.toContain('x'.repeat(61))
  })

  test('of an administrator or the service tells no address; nobody without an address is told', async () => {
    const bob = await person('bob')
    const admin = asUser(realm.realmId, { id: realm.adminId, username: 'admin' })
    const origin = { sourceIp: '203.0.113.10', userAgent: firefox, traceId: 'a'.repeat(32) }
    await realm.run((ctx) => tellOfChange({ ...ctx, actor: admin, origin }, bob.userId, 'DEVICE_REMOVED'))
    const mail = await mails.mailbox.waitFor(bob.email)
    expect(mail.text).toContain('From: an administrator')
    expect(mail.text).not.toContain('203.0.113.10')
    await realm.run((ctx) => tellOfChange({ ...ctx, origin: ownOrigin('x') }, realm.adminId, 'PASSWORD'))
    await realm.run((ctx) => tellOfChange(ctx, '01980a51-0000-7000-8000-000000000000', 'PASSWORD'))
    const queued = await realm.run((ctx) =>
      ctx.tx
        .selectFrom('messages')
        .select('id')
        .where('realm_id', '=', realm.realmId)
        .where('user_id', '=', realm.adminId)
        .execute(),
    )
    expect(queued).toEqual([])
  })
})

describe('the person is told', () => {
  test('of a new password, with nothing of it in any log', async () => {
    const cyd = await person('cyd')
    const newPassword = 'lantern-orchid-47-granite'
    await must(cyd.bySession.call('POST', '/password', { currentPassword: adminPassword, newPassword }), 204)
    expect((await mails.mailbox.waitFor(cyd.email)).text).toContain('Your password was changed')
    expect(findLeaks(mails, [newPassword])).toEqual([])
  })

  test('of a new address at the old one, once the new one is confirmed; until then nothing changes', async () => {
    const dan = await person('dan')
    const next = addressIn(realm, 'dan-new')
    const { body: before } = await must(dan.bySession.call('GET', '/profile'), 200)
    const asked = await must(dan.bySession.call('PUT', '/profile', { ...before, email: next }), 200)
    expect(asked.body).toEqual({ ...before, pendingEmail: next })
    const link = await mails.mailbox.waitFor(next)
    expect(link.subject).toContain('Confirm your new e-mail address')
    expect((await dan.bySession.call('GET', '/profile')).body).toEqual(before)
    const [told] = await realm.events(`&type=ADMIN_UPDATE&actor=${dan.userId}`)
    expect(JSON.parse(told.detail)).toEqual({ email: 'asked for by the person' })
    const browser = createBrowser(realm.node.url)
    const page = await openPage(browser, link.link)
    const done = await submit(browser, page)
    expect(done.answer.status).toBe(200)
    expect((await dan.bySession.call('GET', '/profile')).body).toEqual({ ...before, email: next, emailVerified: true })
    expect((await mails.mailbox.waitFor(dan.email)).text).toContain('The e-mail address of your account was changed.')
    const again = await browser.get(link.link, { headers: { accept: 'text/html' } })
    expect(again.status).toBe(400)
    expect(findLeaks(mails, [])).toEqual([])
  })

  test('of a new address that came with a new number: the link works, and both are told once', async () => {
    const { email, userId, bySession } = await person('hal')
    const next = addressIn(realm, 'hal-new')
    const { body: before } = await must(bySession.call('GET', '/profile'), 200)
    await must(bySession.call('PUT', '/profile', { ...before, email: next, phone: '+31 20 1234567' }), 200)
    expect((await mails.mailbox.waitFor(email)).text).toContain('telephone number')
    const { link } = await mails.mailbox.waitFor(next)
    const browser = createBrowser(realm.node.url)
    expect((await submit(browser, await openPage(browser, link))).answer.status).toBe(200)
    expect((await realm.call('GET', `/users/${userId}`)).body).toMatchObject({ email: next, emailVerified: true })
    await mails.mailbox.waitFor(email, 2)
    expect([mails.mailbox.to(email).length, mails.mailbox.to(next).length]).toEqual([2, 1])
  })

  test('of a first password that came by their account: it opens a new way in', async () => {
    const { email, userId, bySession } = await person('lea')
    const { body: all } = await must(bySession.call('GET', '/credentials'), 200)
    const { id } = all.find(({ type }: { type: string }) => type === 'password')
    await must(realm.call('DELETE', `/users/${userId}/credentials/password/${id}`), 204)
    await must(bySession.call('POST', '/password', { newPassword: 'lantern-orchid-47-granite' }), 204)
    expect((await mails.mailbox.waitFor(email)).text).toContain('Your password was changed')
    expect(mails.mailbox.to(email)).toHaveLength(1)
  })

  test('of a password that an administrator or a sign-in replaced, once; not of a first one, nor of a refused one', async () => {
    const email = addressIn(realm, 'ivy')
    const { body } = await must(realm.call('POST', '/users', { username: 'ivy', email, emailVerified: true }), 201)
    const set = (newPassword: string, temporary = false) =>
      realm.call('PUT', `/users/${body.userId}/password`, { newPassword, temporary })
    await must(set('lantern-orchid-47-granite'), 204)
    await must(set('short'), 400)
    await must(set('velvet-compass-83-thunder', true), 204)
    expect((await mails.mailbox.waitFor(email)).text).toMatch(/password was changed[^]*an administrator/)
    const browser = createBrowser(realm.node.url)
    const login = await openPage(browser, `/realms/${realm.realmId}/login`)
    const asked = await submit(browser, login, { username: 'ivy', password: 'velvet-compass-83-thunder' })
    expect(asked.name).toBe('update-password')
    const choose = (newPassword: string) => submit(browser, asked, { newPassword, confirmPassword: newPassword })
    expect((await choose('short')).answer.status).toBe(400)
    expect((await choose('marble-harvest-19-lagoon')).answer.status).toBe(303)
    expect((await mails.mailbox.waitFor(email, 2)).text).not.toContain('From: an administrator')
    expect(mails.mailbox.to(email)).toHaveLength(2)
  })

  test('S42: at the sign-in, too, a new address waits for its reader and tells nobody who has it', async () => {
    const [jon, kim] = [await person('jon', { requiredActions: [] }), await person('kim')]
    const next = addressIn(realm, 'jon-new')
    const attributes = { firstName: 'Jon', lastName: 'Doe' }
    const change = async (email: string) => {
      await must(realm.call('PUT', `/users/${jon.userId}/required-actions`, ['UPDATE_PROFILE']), 200)
      const browser = createBrowser(realm.node.url)
      const login = await openPage(browser, `/realms/${realm.realmId}/login`)
      const page = await submit(browser, login, { username: 'jon', password: adminPassword })
      const { status, headers } = (await submit(browser, page, { ...attributes, email })).answer
      return [status, headers.location]
    }
    expect(await change(kim.email)).toEqual(await change(next))
    const { link } = await mails.mailbox.waitFor(next)
    expect((await mails.mailbox.waitFor(kim.email)).subject).toContain('You already have an account')
    const read = async () => (await realm.call('GET', `/users/${jon.userId}`)).body
    expect(await read()).toMatchObject({ email: jon.email, emailVerified: true, attributes })
    const browser = createBrowser(realm.node.url)
    await submit(browser, await openPage(browser, link))
    expect(await read()).toMatchObject({ email: next, emailVerified: true })
    expect((await mails.mailbox.waitFor(jon.email)).text).toContain('The e-mail address of your account was changed.')
  })

  test('S42: an address that somebody has is answered like any other, and that person is told instead', async () => {
    const [eve, fay] = [await person('eve'), await person('fay')]
    const { body: before } = await must(eve.bySession.call('GET', '/profile'), 200)
    const ask = async (email: string) => {
      const { status, body, headers } = await eve.bySession.call('PUT', '/profile', { ...before, email })
      return { status, names: Object.keys(body), type: headers['content-type'] }
    }
    expect(await ask(fay.email)).toEqual(await ask(addressIn(realm, 'nobody-yet')))
    const mail = await mails.mailbox.waitFor(fay.email)
    expect(mail.subject).toContain('You already have an account')
    expect(mail.text).not.toContain('eve')
    expect((await eve.bySession.call('GET', '/profile')).body).toEqual(before)
  })

  test('that the account is gone, after it is gone', async () => {
    const gil = await person('gil')
    const { body: settings } = await must(realm.call('GET', '/settings'), 200)
    await must(realm.call('PUT', '/settings', { ...settings, selfDeletionAllowed: true }), 200)
    await must(gil.bySession.call('DELETE', ''), 204)
    expect((await mails.mailbox.waitFor(gil.email)).text).toContain('Your account was deleted')
  })
})
