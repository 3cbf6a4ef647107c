import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  addTotp,
  api,
  type Browser,
  createBrowser,
  createClientIn,
  createRealmFor,
  must,
  openPage,
  passPassword,
  submit,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { adminPassword } from '../../../../test/harness/realm.ts'
import { recordConsent } from '../../../domain/consents/index.ts'
import { trustDevice } from '../../../domain/trusted-devices/index.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
  const settings = { selfDeletionAllowed: true, supportedLocales: ['en', 'nl'], mfaPolicy: { trustedDeviceDays: 30 } }
  await must(realm.call('PUT', '/settings', settings), 200)
})

const html = { headers: { accept: 'text/html' } }
const base = () => `/realms/${realm.realmId}/account`
const names = ['', '/personal', '/security', '/places', '/apps', '/privacy']

async function enter(username: string, more: Record<string, unknown> = {}) {
  const { userId } = await addPerson(realm, username, more)
  const { browser } = await passPassword(realm, username)
  return { userId, username, browser }
}

const post = (browser: Browser, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  browser.send('POST', base() + path, { headers: { ...html.headers, ...headers }, form })

/** Follows the answer of a form to the page it leads to. */
async function follow(browser: Browser, { headers }: { headers: Record<string, unknown> }) {
  return openPage(browser, String(headers.location))
}

describe('the account pages', () => {
  test('lead whoever is not signed in to the sign-in, and back', async () => {
    const stranger = createBrowser(realm.node.url)
    for (const name of names) {
      const { status, headers } = await stranger.get(`${base()}${name}?step=x`, html)
      const back = encodeURIComponent(`${base()}${name}?step=x`)
      expect([status, headers.location]).toEqual([303, `/realms/${realm.realmId}/login?redirect=${back}`])
    }
    const answer = await post(stranger, '/places', { action: 'end-others' })
    expect(answer.headers.location).toBe(
      `/realms/${realm.realmId}/login?redirect=${encodeURIComponent(`${base()}/places`)}`,
    )
  })

  test('are kept by nobody, framed by nobody, and refuse other methods', async () => {
    const { browser } = await enter('reader')
    for (const name of names) {
      const { status, headers, text } = await browser.get(base() + name, html)
      expect([status, headers['cache-control'], headers['x-frame-options']]).toEqual([200, 'no-store', 'DENY'])
      expect(headers['content-security-policy']).not.toContain('script-src')
      expect(text).not.toContain('undefined')
      const wrong = await browser.write('PATCH', base() + name)
      expect(wrong.status).toBe(405)
    }
    expect((await browser.write('PUT', `${base()}/personal`)).headers.allow).toBe('GET, POST, HEAD')
    expect((await api(`${realm.node.url}/realms/nowhere/account/security`, 'GET', html)).status).toBe(404)
  })

  test('say what needs attention', async () => {
    const { browser, userId } = await enter('busy', { email: null, emailVerified: false })
    await must(realm.call('PUT', `/users/${userId}/required-actions`, ['UPDATE_PROFILE']), 200)
    const { text } = (await openPage(browser, base())).answer
    for (const words of ['Add an email address', 'Add a second way', 'Check your profile'])
      expect(text).toContain(words)
    const calm = await enter('calm')
    await addTotp(realm, calm.userId)
    expect((await openPage(calm.browser, base())).answer.text).toContain('Everything is in order')
  })

  test('speak the language that was chosen, from then on', async () => {
    const { browser } = await enter('speaker')
    const page = await openPage(browser, `${base()}/personal`)
    const form = page.forms.find(({ values }) => values.action === 'profile')!
    const saved = await post(browser, '/personal', { ...form.values, language: 'nl' })
    expect((await follow(browser, saved)).title).toBe('Persoonlijke gegevens')
    expect((await openPage(browser, base())).title).toBe('Uw account')
  })

  test('a notice is one of ours: nobody puts words on the page by a link', async () => {
    const { browser } = await enter('noticed')
    const shown = await openPage(browser, `${base()}/security?done=password`)
    expect(shown.answer.text).toContain('role="status"')
    for (const done of ['Call+0900-1234', 'toString', '__proto__', 'password&done=x']) {
      const { text } = (await openPage(browser, `${base()}/security?done=${done}`)).answer
      expect([text.includes('role="status"'), />[^<]*0900/.test(text)]).toEqual([false, false])
    }
  })
})

describe('a form', () => {
  const changes: [path: string, form: Record<string, string>][] = [
    ['/personal', { action: 'profile', firstName: 'Eve', lastName: 'Eve' }],
    ['/personal', { action: 'contact', email: 'eve@example.org', phone: '' }],
    ['/security', { action: 'password', currentPassword: adminPassword, newPassword: 'x', confirmPassword: 'x' }],
    ['/security', { action: 'add', what: 'totp' }],
    ['/places', { action: 'end-others' }],
    ['/places', { action: 'forget' }],
    ['/apps', { action: 'remove', id: 'x' }],
    ['/privacy', { action: 'delete', confirmation: 'guarded' }],
  ]

  test('S38: of another site, or without the token of this session, changes nothing', async () => {
    const { browser, userId } = await enter('guarded')
    const token = browser.csrf()
    const before = (await realm.call('GET', `/users/${userId}`)).body
    for (const [path, form] of changes) {
      const refused = await Promise.all([
        post(browser, path, form),
        post(browser, path, { ...form, _csrf: 'wrong' }),
        post(browser, path, { ...form, _csrf: token }, { origin: 'https://evil.example' }),
        post(browser, path, { ...form, _csrf: token }, { 'sec-fetch-site': 'cross-site' }),
        post(browser, path, { ...form, _csrf: token }, { 'sec-fetch-site': 'same-site' }),
      ])
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    }
    expect((await realm.call('GET', `/users/${userId}`)).body).toEqual(before)
  })

  test('S9: of whoever acts for somebody is refused with a page, and none is offered', async () => {
    const { userId } = await enter('acted')
    const admin = createBrowser(realm.node.url)
    await admin.login(realm.realmId, 'admin', adminPassword)
    const path = `/admin/realms/${realm.realmId}/users/${userId}/impersonate`
    await must(admin.write('POST', path, { reason: 'a question' }), 200)
    for (const name of names) {
      const page = await openPage(admin, base() + name)
      expect(page.answer.text).toContain('acted')
      const own = page.forms.filter(({ action }) => !action.endsWith('/login/logout'))
      expect([page.answer.status, own, page.answer.text.includes('step=')]).toEqual([200, [], false])
    }
    // What waits for the person is told without a way to it, and a way to a console would be the administrator's own.
    const overview = (await openPage(admin, base())).answer.text
    const waits = ['Add a second way', 'gh-todo-link', '/console/'].map((words) => overview.includes(words))
    expect(waits).toEqual([true, false, false])
    const before = (await realm.call('GET', `/users/${userId}`)).body
    const { csrf } = { csrf: (await openPage(admin, base())).forms[0]!.values._csrf! }
    for (const [target, form] of changes) {
      const answer = await post(admin, target, { ...form, _csrf: csrf, confirmation: 'acted' })
      expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
    }
    for (const step of ['/security?step=password', '/security?step=add&id=totp', '/privacy?step=delete']) {
      expect((await openPage(admin, base() + step)).forms.filter((form) => form.values.action)).toEqual([])
    }
    expect((await realm.call('GET', `/users/${userId}`)).body).toEqual(before)
  })

  test('S50: with what no database holds is refused, never an error of ours', async () => {
    const { browser } = await enter('nul')
    for (const [path, form] of [
      ['/personal', { action: 'profile', firstName: 'a\0b', lastName: '\0', language: '\0' }],
      ['/personal', { action: 'contact', email: 'a\0@example.org', phone: '\0' }],
      ['/security', { action: 'rename', id: '\0', label: '\0' }],
      ['/security', { action: 'password', currentPassword: '\0', newPassword: 'a\0b', confirmPassword: 'a\0b' }],
      ['/places', { action: 'end', id: '\0' }],
      ['/places', { action: 'remove-device', id: '\0' }],
      ['/apps', { action: 'remove', id: 'a\0b' }],
      ['/privacy', { action: 'delete', confirmation: '\0' }],
    ] as [string, Record<string, string>][]) {
      const { status } = await post(browser, path, { _csrf: browser.csrf(), ...form })
      expect(status, path + form.action).toBeLessThan(500)
    }
    for (const query of [
      'security?step=remove&id=%00',
      'apps?step=remove&id=%00',
      'apps?after=%00',
      'privacy?before=%00',
    ]) {
      expect((await browser.get(`${base()}/${query}`, html)).status, query).toBeLessThan(400)
    }
  })

  test('that is empty or unknown leads back to the page', async () => {
    const { browser } = await enter('empty')
    for (const path of ['/personal', '/security', '/places', '/apps', '/privacy']) {
      for (const action of ['', 'constructor', 'drop']) {
        const answer = await post(browser, path, { _csrf: browser.csrf(), action })
        expect([answer.status, answer.headers.location]).toEqual([303, base() + path])
      }
    }
  })
})

describe('personal details', () => {
  test('are changed by their forms, with what is wrong beside the field', async () => {
    const { browser, userId } = await enter('changer')
    const page = await openPage(browser, `${base()}/personal`)
    const saved = await submit(browser, page, { firstName: ' Ada ', lastName: 'King' })
    expect((await follow(browser, saved.answer)).answer.text).toContain('Your details are saved.')
    const contact = await openPage(browser, `${base()}/personal?step=contact`)
    const refused = await submit(browser, contact, { email: 'changer@example.org', phone: 'x' })
    expect([refused.answer.status, refused.errors.phone, refused.focus]).toEqual([400, expect.any(String), 'phone'])
    const done = await submit(browser, refused, { email: 'new@example.org', phone: '+31 6 12345678' })
    await follow(browser, done.answer)
    expect((await realm.call('GET', `/users/${userId}`)).body).toMatchObject({
      email: 'new@example.org',
      emailVerified: false,
      phone: '+31 6 12345678',
      attributes: { firstName: 'Ada', lastName: 'King' },
    })
  })
})

describe('the password', () => {
  test('is changed with the one of now, and everybody else is put out', async () => {
    const { browser, username } = await enter('changes-password')
    const other = (await passPassword(realm, username)).browser
    const page = await openPage(browser, `${base()}/security?step=password`)
    const fill = (currentPassword: string, newPassword: string, confirmPassword = newPassword) =>
      submit(browser, page, { currentPassword, newPassword, confirmPassword })
    expect((await fill('not-it-at-all', 'a-new-evening-2026')).errors.currentPassword).toBe(
      'That is not your current password.',
    )
    expect((await fill(adminPassword, 'a-new-evening-2026', 'another')).errors.confirmPassword).toBeTruthy()
    expect((await fill(adminPassword, 'short')).errors.newPassword).toBeTruthy()
    expect((await fill(adminPassword, '')).errors.newPassword).toBeTruthy()
    const done = await fill(adminPassword, 'a-new-evening-2026')
    expect((await follow(browser, done.answer)).answer.text).toContain('Your password is changed')
    expect((await other.get(base(), html)).status).toBe(303)
    expect((await createBrowser(realm.node.url).login(realm.realmId, username, 'a-new-evening-2026')).status).toBe(200)
  })
})

describe('factors', () => {
  test('are renamed and removed by their person, and by nobody else', async () => {
    const { browser, userId } = await enter('has-app')
    await addTotp(realm, userId)
    const [factor] = (await realm.call('GET', `/users/${userId}/credentials`)).body.filter(
      ({ type }: { type: string }) => type === 'totp',
    )
    const step = (name: string) => `${base()}/security?step=${name}&id=${factor.id}`
    const other = await enter('has-none')
    expect((await follow(other.browser, await other.browser.get(step('remove'), html))).answer.text).toContain(
      'It was not there any more',
    )
    for (const action of ['rename', 'remove']) {
      const form = { _csrf: other.browser.csrf(), action, id: factor.id, label: 'Mine' }
      expect((await post(other.browser, '/security', form)).headers.location).toBe(`${base()}/security?done=gone`)
    }
    const long = 'x'.repeat(256)
    const rename = await openPage(browser, step('rename'))
    expect((await submit(browser, rename, { label: long })).errors.label).toBeTruthy()
    const named = await submit(browser, rename, { label: 'Old <b>phone</b>' })
    expect((await follow(browser, named.answer)).answer.text).toContain('Old &lt;b>phone&lt;/b>')
    const removal = await openPage(browser, step('remove'))
    expect(removal.title).toContain('Old <b>phone</b>')
    await follow(browser, (await submit(browser, removal)).answer)
    const left = (await realm.call('GET', `/users/${userId}/credentials`)).body
    expect(left.map(({ type }: { type: string }) => type)).not.toContain('totp')
  })
})

describe('places', () => {
  test('show every session and end one or all others, never somebody else’s', async () => {
    const { browser, username, userId } = await enter('travels')
    const one = (await passPassword(realm, username)).browser
    const two = (await passPassword(realm, username)).browser
    const stranger = await enter('stays')
    const sessionOf = async (who: string) => (await realm.call('GET', `/sessions?userId=${who}`)).body
    const [theirs] = await sessionOf(stranger.userId)
    const tried = await post(browser, '/places', { _csrf: browser.csrf(), action: 'end', id: theirs.id })
    expect(tried.headers.location).toBe(`${base()}/places?done=gone`)
    expect((await stranger.browser.get(base(), html)).status).toBe(200)
    const page = await openPage(browser, `${base()}/places`)
    expect(page.answer.text.match(/This browser/g)).toHaveLength(1)
    const ends = page.forms.filter(({ values }) => values.action === 'end')
    expect(ends).toHaveLength(2)
    await post(browser, '/places', ends[0]!.values)
    expect(await sessionOf(userId)).toHaveLength(2)
    await post(browser, '/places', { _csrf: browser.csrf(), action: 'end-others' })
    expect(await sessionOf(userId)).toHaveLength(1)
    const seen = await Promise.all([browser, one, two].map((each) => each.get(base(), html)))
    expect(seen.map(({ status }) => status)).toEqual([200, 303, 303])
  })

  test('list trusted browsers, which are forgotten together', async () => {
    const { browser, userId } = await enter('trusts')
    await realm.run((ctx) =>
      trustDevice(ctx, { userId, days: 30, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }),
    )
    const page = await openPage(browser, `${base()}/places`)
    expect(page.answer.text).toContain('Trust none of them any more')
    const forget = page.forms.find(({ values }) => values.action === 'forget')!
    const after = await follow(browser, await post(browser, '/places', forget.values))
    expect(after.answer.text).toContain('You trust no browser')
  })
})

describe('applications', () => {
  test('are told in words and lose their access after a question, which another’s cannot', async () => {
    const { browser, userId } = await enter('allows')
    const client = await createClientIn(realm, { name: 'Webmail' })
    await realm.run((ctx) =>
      recordConsent(ctx, { userId, clientUuid: client.id, scopes: ['openid', 'email'], claims: [], resources: {} }),
    )
    const list = await openPage(browser, `${base()}/apps`)
    expect(list.answer.text).toContain('Webmail')
    const other = await enter('allows-nothing')
    const form = { _csrf: other.browser.csrf(), action: 'remove', id: client.clientId }
    expect((await post(other.browser, '/apps', form)).headers.location).toBe(`${base()}/apps?done=gone`)
    const question = await openPage(browser, `${base()}/apps?step=remove&id=${client.clientId}`)
    expect(question.title).toBe('Remove access of Webmail?')
    const after = await follow(browser, (await submit(browser, question)).answer)
    expect(after.answer.text).toContain('No application has access')
  })
})

describe('the end of an account', () => {
  test('needs the username, erases everything and signs out', async () => {
    const { browser, userId } = await enter('leaves')
    const page = await openPage(browser, `${base()}/privacy?step=delete`)
    const wrong = await submit(browser, page, { confirmation: 'Leaves' })
    expect([wrong.answer.status, wrong.errors.confirmation]).toEqual([400, expect.any(String)])
    const gone = await submit(browser, page, { confirmation: 'leaves' })
    expect(gone.title).toBe('Your account is deleted')
    expect((await realm.call('GET', `/users/${userId}`)).status).toBe(404)
    expect((await browser.get(base(), html)).status).toBe(303)
  })

  test('is not offered where the realm does not allow it, and an administrator keeps the last key', async () => {
    const page = await openPage(realm.admin, `${base()}/privacy?step=delete`)
    const refused = await submit(realm.admin, page, { confirmation: 'admin' })
    expect([refused.answer.status, refused.alert]).toEqual([409, expect.stringContaining('last administrator')])
    const strict = await createRealmFor()
    const path = `/realms/${strict.realmId}/account/privacy`
    expect((await openPage(strict.admin, path)).answer.text).not.toContain('Delete my account')
    const form = { _csrf: strict.admin.csrf(), action: 'delete', confirmation: 'admin' }
    expect((await strict.admin.send('POST', path, { ...html, form })).status).toBe(403)
  })
})
