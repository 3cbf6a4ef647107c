import { beforeAll, describe, expect, it } from 'vitest'
import { adminPassword } from '../../../test/harness/realm.ts'
import {
  api,
  createBrowser,
  createRealmFor,
  type RequestOptions,
  startTestNode,
  type TestRealm,
} from '../../../test/harness/index.ts'

let realm: TestRealm
let path: string
beforeAll(async () => {
  realm = await createRealmFor()
  path = `/realms/${realm.realmId}/login`
})

const form = (browser: { csrf(): string }, more: Record<string, string> = {}) => ({
  form: { username: 'admin', password: adminPassword, _csrf: browser.csrf(), ...more },
})

describe('the sign-in of part 5', () => {
  it('sets XSRF-TOKEN on GET, takes the form, answers 303 with a session and rotates the token', async () => {
    const browser = createBrowser(realm.node.url)
    const page = await browser.get(path)
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    const before = browser.csrf()
    expect(page.text).toContain(`name="_csrf" value="${before}"`)
    const answer = await browser.send('POST', path, form(browser))
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe(`/console/${realm.realmId}/`)
    expect(browser.csrf()).not.toBe(before)
    expect(browser.cookies.has(`gatehouse_session_${realm.realmId}`)).toBe(true)
    expect((await browser.get(`/admin/realms/${realm.realmId}/whoami`)).body).toMatchObject({ username: 'admin' })
  })

  it('answers JSON to programs', async () => {
    const answer = await createBrowser(realm.node.url).login(realm.realmId, 'admin', adminPassword)
    expect(answer.body).toEqual({
      userId: realm.adminId,
      username: 'admin',
      realmId: realm.realmId,
      expiresAt: expect.any(Number),
      mfaRequired: false,
    })
  })

  it('shows the form again with 401 after a wrong password, and says nothing more', async () => {
    const browser = createBrowser(realm.node.url)
    await browser.get(path)
    const answer = await browser.send('POST', path, form(browser, { password: 'wrong' }))
    expect(answer.status).toBe(401)
    expect(answer.text).toContain('<form')
    expect(browser.cookies.has(`gatehouse_session_${realm.realmId}`)).toBe(false)
    const json = await createBrowser(realm.node.url).login(realm.realmId, 'admin', 'wrong')
    expect(json.body).toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  it('names the missing field', async () => {
    const json = await createBrowser(realm.node.url).login(realm.realmId, 'admin', '')
    expect(json.body).toMatchObject({ status: 400, errors: [{ field: 'password', code: 'required' }] })
  })

  it('carries a path of this server through the sign-in and refuses every other place (S23)', async () => {
    const browser = createBrowser(realm.node.url)
    const page = await browser.get(`${path}?redirect=${encodeURIComponent('/realms/x/account?tab=1')}`)
    const continuation = /name="continuation" value="([^"]+)"/.exec(page.text)![1]!
    const answer = await browser.send('POST', path, form(browser, { continuation }))
    expect(answer.headers.location).toBe('/realms/x/account?tab=1')
    for (const bad of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '/\tx',
      'x',
    ]) {
      expect((await browser.get(`${path}?redirect=${encodeURIComponent(bad)}`)).status, bad).toBe(400)
    }
    const foreign = createBrowser(realm.node.url)
    await foreign.get(path)
    const stolen = await foreign.send('POST', path, form(foreign, { continuation }))
    expect(stolen.headers.location).toBe(`/console/${realm.realmId}/`)
  })

  it('signs out, ends the session and rotates the token again', async () => {
    const browser = createBrowser(realm.node.url)
    await browser.login(realm.realmId, 'admin', adminPassword)
    const jar = new Map(browser.cookies)
    const out = await browser.send('POST', `${path}/logout`, { form: { _csrf: browser.csrf() } })
    expect(out.status).toBe(303)
    expect(browser.cookies.has(`gatehouse_session_${realm.realmId}`)).toBe(false)
    expect(browser.csrf()).not.toBe(jar.get('XSRF-TOKEN'))
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    expect(
      (await api(`${realm.node.url}/admin/realms/${realm.realmId}/whoami`, 'GET', { headers: { cookie } })).status,
    ).toBe(401)
  })

  it('lands users without permissions on their account', async () => {
    const { browser } = await realm.signInWith([])
    const console = await browser.get(`/console/${realm.realmId}/`)
    expect(console).toMatchObject({ status: 303, headers: { location: `/realms/${realm.realmId}/account` } })
    expect((await browser.get(`/realms/${realm.realmId}/account`)).status).toBe(200)
    expect((await createBrowser(realm.node.url).get(`/console/${realm.realmId}/`)).headers.location).toContain(
      '/login?redirect=',
    )
  })
})

describe('S37 sessions', () => {
  it('makes a new secret at every sign-in and ends the one before', async () => {
    const browser = createBrowser(realm.node.url)
    const name = `gatehouse_session_${realm.realmId}`
    await browser.login(realm.realmId, 'admin', adminPassword)
    const first = browser.cookies.get(name)!
    await browser.login(realm.realmId, 'admin', adminPassword)
    expect(browser.cookies.get(name)).not.toBe(first)
    const headers = { cookie: `${name}=${first}` }
    expect((await api(`${realm.node.url}/admin/realms/${realm.realmId}/whoami`, 'GET', { headers })).status).toBe(401)
  })

  it('never accepts a session value that a browser brought along (fixation)', async () => {
    const browser = createBrowser(realm.node.url)
    const planted = 'A'.repeat(43)
    const name = `gatehouse_session_${realm.realmId}`
    browser.cookies.set(name, planted)
    await browser.login(realm.realmId, 'admin', adminPassword)
    expect(browser.cookies.get(name)).not.toBe(planted)
    const headers = { cookie: `${name}=${planted}` }
    expect((await api(`${realm.node.url}/admin/realms/${realm.realmId}/whoami`, 'GET', { headers })).status).toBe(401)
  })

  it('ends by idling and at its absolute end', async () => {
    const other = await createRealmFor({ node: await startTestNode() })
    const { clock } = other.node
    const whoami = () => other.call('GET', '/whoami')
    clock.advance(29 * 60_000)
    expect((await whoami()).status).toBe(200)
    clock.advance(29 * 60_000)
    expect((await whoami()).status).toBe(200)
    clock.advance(31 * 60_000)
    expect((await whoami()).body.code).toBe('session_expired')
    await other.admin.login(other.realmId, 'admin', adminPassword)
    for (let minutes = 0; minutes < 600; minutes += 25) {
      clock.advance(25 * 60_000)
      await whoami()
    }
    expect((await whoami()).status).toBe(401)
    await other.node.stop()
  })

  it('uses __Host- cookies, Secure and HttpOnly on https', async () => {
    const node = await startTestNode({ env: { GATEHOUSE_BASE_URL: 'https://id.example.org' } })
    const browser = createBrowser(node.url)
    await browser.get('/realms/master/login')
    const answer = await browser.send('POST', '/realms/master/login', {
      form: { username: 'admin', password: 'system-realm-Pass-2026', _csrf: browser.csrf() },
    })
    const cookies = [answer.headers['set-cookie']].flat() as string[]
    const session = cookies.find((cookie) => cookie.startsWith('__Host-gatehouse_session_master='))
    expect(session).toMatch(/Path=\/; SameSite=Lax; HttpOnly; Secure$/)
    expect(cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))).toMatch(/Secure$/)
    await node.stop()
  })
})

describe('S38 CSRF', () => {
  it('refuses the sign-in itself without the token of this browser, or from another site', async () => {
    const victim = createBrowser(realm.node.url)
    await victim.get(path)
    const attacker = createBrowser(realm.node.url)
    await attacker.get(path)
    const tries: RequestOptions[] = [
      { form: { username: 'admin', password: adminPassword } },
      { form: { username: 'admin', password: adminPassword, _csrf: attacker.csrf() } },
      { ...form(victim), headers: { origin: 'https://evil.example' } },
      { ...form(victim), headers: { 'sec-fetch-site': 'cross-site' } },
      { ...form(victim), headers: { origin: 'null' } },
    ]
    for (const attempt of tries) expect((await victim.send('POST', path, attempt)).status).toBe(403)
    expect((await victim.send('POST', path, form(victim))).status).toBe(303)
  })

  it('refuses a stale token on a write at once, and hands out the current one on every GET', async () => {
    const browser = createBrowser(realm.node.url)
    await browser.get(path)
    const stale = browser.csrf()
    await browser.login(realm.realmId, 'admin', adminPassword)
    const write = (csrf: string) =>
      browser.write('POST', `/admin/realms/${realm.realmId}/sessions/revoke-all`, undefined, { csrf })
    expect((await write(stale)).body.code).toBe('csrf_invalid')
    browser.cookies.set('XSRF-TOKEN', 'of-another-realm')
    await browser.get(`/admin/realms/${realm.realmId}/whoami`)
    expect((await write(browser.csrf())).status).toBe(204)
    realm.admin.cookies.clear()
    await realm.admin.login(realm.realmId, 'admin', adminPassword)
  })
})

describe('S46 headers from outside', () => {
  it('takes no link, place or address from Host and X-Forwarded headers', async () => {
    const plain = await api(`${realm.node.url}${path}`, 'GET')
    const strip = (text: string) => text.replaceAll(/(?:value|data-options)="[^"]*"/g, '')
    const mutations: Record<string, string>[] = [
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      { forwarded: 'host=evil.example' },
      { 'x-original-url': '/admin/realms/master', 'x-rewrite-url': '/admin' },
    ]
    for (const headers of mutations) {
      const answer = await api(`${realm.node.url}${path}`, 'GET', { headers })
      expect(strip(answer.text)).toBe(strip(plain.text))
    }
    for (const forwarded of ['a', '10.0.0.1', 'x'.repeat(9000), '127.0.0.1, 8.8.8.8']) {
      const browser = createBrowser(realm.node.url)
      await browser.get(path)
      const answer = await browser.send('POST', path, {
        ...form(browser, { password: 'wrong' }),
        headers: { 'x-forwarded-for': forwarded },
      })
      expect(answer.status).toBe(401)
    }
    const events = await realm.events('&type=LOGIN_FAILURE')
    expect(new Set(events.map((event) => event.sourceIp))).toEqual(new Set(['127.0.0.1']))
  })
})
