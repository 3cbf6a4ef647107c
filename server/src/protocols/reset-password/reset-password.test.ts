import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminPassword } from '../../../test/harness/realm.ts'
import {
  addPerson,
  addressIn,
  createClientIn,
  createRealmFor,
  findLeaks,
  isSignedIn,
  type MailNode,
  must,
  openPage,
  refresh,
  shapeOf,
  signInTo,
  startMailNode,
  submit,
} from '../../../test/harness/index.ts'
import {
  ask,
  choose,
  follow,
  newPassword,
  openRealmWith,
  pathOf,
  signIn,
  visitor,
} from '../../../test/harness/reset-walk.ts'

let mails: MailNode
beforeAll(async () => {
  mails = await startMailNode()
})
afterAll(() => mails.stop())

const openWith = (name: string, settings: Record<string, unknown> = {}) => openRealmWith(mails, name, settings)

describe.concurrent('a forgotten password', { timeout: 60_000 }, () => {
  it('is replaced through the link of the mail, in another browser than asked for it', async () => {
    const { realm, email, userId } = await openWith('ada')
    expect((await ask(realm, 'ada')).name).toBe('mail-sent')
    const mail = await mails.mailbox.waitFor(email)
    expect(mail.links).toEqual([`${realm.node.url}${pathOf(realm)}?token=${mail.token}`])
    const phone = visitor(realm)
    for (let look = 0; look < 3; look++) expect((await openPage(visitor(realm), mail.link)).answer.status).toBe(200)
    const page = await follow(phone, mail.link)
    expect([page.answer.status, page.name]).toEqual([200, 'update-password'])
    expect(isSignedIn(phone, realm)).toBe(false)
    expect((await choose(phone, page)).answer.status).toBe(303)
    expect(isSignedIn(phone, realm)).toBe(true)
    expect((await signIn(realm, 'ada', adminPassword)).status).toBe(401)
    expect((await signIn(realm, 'ada', newPassword)).status).toBe(200)
    const [event] = await realm.events(`&type=PASSWORD_CHANGED`)
    expect(event).toMatchObject({ outcome: 'SUCCESS', resourceId: userId })
  })

  it('S41 the link works once, also of many at the same moment, and not in another realm', async () => {
    const { realm, email } = await openWith('once')
    const other = await mails.openRealm()
    await ask(realm, email)
    const { link, token } = await mails.mailbox.waitFor(email)
    expect((await openPage(visitor(other), `${pathOf(other)}?token=${token}`)).answer.status).toBe(400)
    const browsers = [visitor(realm), visitor(realm), visitor(realm)]
    const pages = await Promise.all(browsers.map((browser) => openPage(browser, link)))
    const answers = await Promise.all(pages.map((page, at) => submit(browsers[at]!, page)))
    expect(answers.map(({ answer }) => answer.status).sort()).toEqual([200, 400, 400])
    expect((await openPage(visitor(realm), link)).answer.status).toBe(400)
  })

  it('S41 the link dies with a newer one, and with a change of the password', async () => {
    const { realm, email, userId } = await openWith('newer')
    await ask(realm, 'newer')
    const older = await mails.mailbox.waitFor(email)
    await ask(realm, 'newer')
    const newer = await mails.mailbox.waitFor(email, 2)
    expect((await openPage(visitor(realm), older.link)).answer.status).toBe(400)
    expect((await openPage(visitor(realm), newer.link)).answer.status).toBe(200)
    await must(realm.call('PUT', `/users/${userId}/password`, { newPassword }), 204)
    expect((await openPage(visitor(realm), newer.link)).answer.status).toBe(400)
  })

  it('S41 the link is worth nothing once its address is no longer the person’s', async () => {
    const { realm, email, userId } = await openWith('moved')
    await ask(realm, 'moved')
    const { link } = await mails.mailbox.waitFor(email)
    const browser = visitor(realm)
    const page = await openPage(browser, link)
    await must(realm.call('PATCH', `/users/${userId}`, { email: addressIn(realm, 'elsewhere') }), 200)
    expect((await submit(browser, page)).answer.status).toBe(400)
  })

  it('names what is wrong with the new password, and takes the next one', async () => {
    const { realm, email } = await openWith('picky')
    await ask(realm, 'picky')
    const browser = visitor(realm)
    const page = await follow(browser, (await mails.mailbox.waitFor(email)).link)
    const short = await choose(browser, page, 'short')
    expect([short.answer.status, Object.keys(short.errors), short.focus]).toEqual([400, ['newPassword'], 'newPassword'])
    const mismatch = await submit(browser, short, { newPassword, confirmPassword: 'other' })
    expect(Object.keys(mismatch.errors)).toEqual(['confirmPassword'])
    const old = await choose(browser, mismatch, adminPassword)
    expect(Object.keys(old.errors)).toEqual(['newPassword'])
    expect((await choose(browser, old)).answer.status).toBe(303)
  })

  it('S37 ends the sessions and refresh tokens that the old password opened', async () => {
    const { realm, email, userId } = await openWith('everywhere')
    const client = await createClientIn(realm)
    const tokens = await signInTo(realm, client, {
      username: 'everywhere',
    })
    const elsewhere = visitor(realm)
    await elsewhere.login(realm.realmId, 'everywhere', adminPassword)
    await ask(realm, 'everywhere')
    const browser = visitor(realm)
    await choose(browser, await follow(browser, (await mails.mailbox.waitFor(email)).link))
    expect(isSignedIn(browser, realm)).toBe(true)
    expect((await elsewhere.get(`/admin/realms/${realm.realmId}/whoami`)).status).toBe(401)
    const { status, body } = await refresh(realm, client, tokens.refresh_token!)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    const sessions = (await must(realm.call('GET', `/sessions?userId=${userId}`), 200)).body
    expect(sessions).toHaveLength(1)
  })
})

describe.concurrent('S42 asking for the link', { timeout: 60_000 }, () => {
  it('answers unknown, known, disabled and locked names with the same bytes, and mails only who may come in', async () => {
    const { realm, email } = await openWith('known')
    const [disabled, locked] = await Promise.all([
      addPerson(realm, 'closed', { email: addressIn(realm, 'closed') }),
      addPerson(realm, 'locked', { email: addressIn(realm, 'locked') }),
    ])
    await must(realm.call('PATCH', `/users/${disabled.userId}`, { enabled: false }), 200)
    await must(realm.call('PATCH', `/users/${locked.userId}`, { locked: true }), 200)
    const machine = await createClientIn(realm, { serviceAccountEnabled: true })
    const browser = visitor(realm)
    const shapes = []
    for (const name of ['nobody', 'closed', 'locked', `service-account-${machine.clientId}`, 'known'])
      shapes.push(shapeOf((await ask(realm, name, browser)).answer))
    for (const shape of shapes) expect(shape).toEqual(shapes[0])
    await mails.mailbox.waitFor(email)
    const others = mails.mailbox.mails.filter(({ to }) => to.endsWith(`@${realm.realmId}.example.org`))
    expect(others.map(({ to }) => to)).toEqual([email])
  })

  it('answers 429 to an address that asks too often, and mails one person three times an hour', async () => {
    const { realm, email } = await openWith('flooded')
    const browser = visitor(realm)
    const page = await openPage(browser, pathOf(realm))
    for (let at = 0; at < 4; at++) await submit(browser, page, { username: at % 2 ? 'flooded' : email })
    const statuses = []
    for (let at = 0; at < 27; at++) statuses.push((await submit(browser, page, { username: 'nobody' })).answer.status)
    expect(statuses).toEqual([...Array(26).fill(200), 429])
    const refused = await browser.write(
      'POST',
      pathOf(realm),
      { username: 'nobody' },
      { headers: { accept: 'application/json' } },
    )
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    await mails.mailbox.waitFor(email, 3)
    // A mail that is asked for afterwards in another realm has overtaken a fourth one if there were any.
    const marker = await openWith('marker')
    await ask(marker.realm, 'marker')
    await mails.mailbox.waitFor(marker.email)
    expect(mails.mailbox.to(email)).toHaveLength(3)
  })

  it('is not there where the realm does not offer it, and answers 409 where no mail can be sent', async () => {
    const { realm } = await openWith('off', { resetPasswordAllowed: false })
    expect((await openPage(visitor(realm), pathOf(realm))).answer.status).toBe(404)
    const mute = await createRealmFor({ node: mails.node })
    const answer = await visitor(mute).get(pathOf(mute), { headers: { accept: 'application/json' } })
    expect(answer.body).toMatchObject({ status: 409, code: 'no_provider' })
    for (const { realmId } of [realm, mute])
      expect((await openPage(visitor(realm), `/realms/${realmId}/login`)).answer.text).not.toContain('reset-password')
  })
})

it('S41 the link is good for fifteen minutes from when it was sent', async () => {
  const { realm, email } = await openWith('slow')
  await ask(realm, 'slow')
  const { link } = await mails.mailbox.waitFor(email)
  mails.node.clock.advance(14 * 60_000)
  const browser = visitor(realm)
  const page = await openPage(browser, link)
  expect(page.answer.status).toBe(200)
  mails.node.clock.advance(61_000)
  expect((await openPage(visitor(realm), link)).answer.status).toBe(400)
  expect((await submit(browser, page)).answer.status).toBe(400)
})

it('S48 no link, code or password of all this stands in a log', () => {
  expect(mails.mailbox.mails.length).toBeGreaterThan(10)
  expect(findLeaks(mails, [newPassword, adminPassword])).toEqual([])
})
