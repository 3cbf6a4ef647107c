// S9, S12, S37, S38: an administrator who acts as somebody sees their places, changes nothing there, and stops at once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { impersonateContribution } from '../../src/domain/users/impersonate/index.ts'
import { accountRoutes } from '../../src/protocols/account/routes/index.ts'
import {
  addPerson,
  approvalPath,
  beginCiba,
  beginDevice,
  type Browser,
  createBrowser,
  createClientIn,
  createRealmFor,
  must,
  type Person,
  type TestNode,
  type TestRealm,
  typeUserCode,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'
import { openSystemStage } from '../sweeps/stage.ts'
import { actAs, cookieOf, pageOf, secretOf, seenAs, withCookies } from './acting.ts'
import { openPair, type Pair, startSecondNode } from './two-nodes.ts'

let second: TestNode
let pair: Pair
let realm: TestRealm
let ada: Person
let helper: { browser: Browser; userId: string; username: string }
let asAda: object
let asHelper: object

beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  realm = pair.realm
  ada = await addPerson(realm, 'ada')
})
afterAll(() => second?.stop())
beforeEach(async () => {
  helper = await realm.signInWith(['manage-users'])
  asAda = { userId: ada.userId, impersonatorId: helper.userId }
  asHelper = { userId: helper.userId, impersonatorId: null }
})

const act = (userId = ada.userId) => actAs(realm, helper.browser, userId)
const whoami = (browser = helper.browser) => browser.get(`/admin/realms/${realm.realmId}/whoami`)
const stop = (browser = helper.browser) => browser.write('POST', pageOf(realm, '/login/logout'))
const endOf = async (sessionId: string) =>
  (await realm.events('&type=IMPERSONATION_END')).filter((event) => event.sessionId === sessionId)

describe('S9: whoever acts as somebody', () => {
  test('is that person in the realm’s own places, and themselves at the admin API', async () => {
    await act()
    expect(await seenAs(realm, helper.browser)).toEqual(asAda)
    expect((await whoami()).body).toMatchObject({ userId: helper.userId })
    expect((await realm.callAs(helper.browser, 'GET', '/users')).status).toBe(200)
  })

  test('changes nothing of the account, by any route of it', async () => {
    await act()
    const writes = accountRoutes.filter(({ method, demand }) => method !== 'GET' || demand !== 'READ')
    expect(writes.length).toBeGreaterThan(10)
    for (const { method, path } of writes) {
      const at = pageOf(realm, `/account${path.replaceAll(/:\w+/g, '01980a51-0000-7000-8000-000000000000')}`)
      const answer = await helper.browser.write(method, at, method === 'GET' ? undefined : {})
      expect([answer.status, answer.body?.code], `${method} ${path}`).toEqual([403, 'forbidden'])
    }
  })

  test('answers no request of a device or an application in the person’s name', async () => {
    const tv = await createClientIn(realm, { publicClient: true, redirectUris: [], grantTypes: ['device'] })
    const bank = await createClientIn(realm, { redirectUris: [], grantTypes: ['CIBA'] })
    const device = (await must(beginDevice(realm, tv), 200)).body
    const asked = (await must(beginCiba(realm, bank, { login_hint: ada.username }), 200)).body
    await act()
    expect((await typeUserCode(realm, helper.browser, device.user_code)).status).toBe(403)
    expect((await helper.browser.get(approvalPath(realm, asked.auth_req_id))).status).toBe(403)
  })

  test('cannot carry the secret to the admin API, under any name', async () => {
    const secret = await secretOf(realm, helper.browser, ada.userId)
    for (const name of [cookieOf(realm), `gatehouse_session_${realm.realmId}`]) {
      const thief = withCookies(realm.node.url, { [name]: secret })
      expect((await whoami(thief)).status, name).toBe(401)
      expect((await thief.get('/admin/realms')).status, name).toBe(401)
      expect((await thief.get(`/console/${realm.realmId}/`)).headers.location ?? 'shown', name).not.toBe('shown')
    }
  })

  test('cannot act as the next one from there, whatever the person may do', async () => {
    const boss = await realm.signInWith(['manage-users'])
    expect((await boss.browser.get(`/console/${realm.realmId}/`)).status).toBe(200)
    const secret = await secretOf(realm, helper.browser, boss.userId)
    const thief = withCookies(realm.node.url, {
      [cookieOf(realm)]: secret,
      [`gatehouse_session_${realm.realmId}`]: secret,
    })
    await thief.get(pageOf(realm, '/account/whoami'))
    expect((await realm.callAs(thief, 'POST', `/users/${ada.userId}/impersonate`)).status).toBe(401)
    expect((await thief.get(`/console/${realm.realmId}/`)).status).toBe(303)
  })

  test('is told so on every page, in words that are only text, with a way out', async () => {
    const odd = (await must(realm.call('POST', '/users', { username: '<b>eve</b>' }), 201)).body
    await act(odd.userId)
    const html = { headers: { accept: 'text/html' } }
    for (const path of ['/account', '/login', '/device', '/logout']) {
      const { text } = await helper.browser.get(pageOf(realm, path), html)
      expect(text.match(/class="gh-acting-banner"/g), path).toHaveLength(1)
      expect(text, path).not.toContain('<b>eve')
      expect(text, path).toContain(`action="/realms/${realm.realmId}/login/logout"`)
    }
    await stop()
    expect((await helper.browser.get(pageOf(realm, '/account'), html)).text).not.toContain('gh-acting-banner')
  })
})

describe('S37: the session', () => {
  test('has a secret of its own, at each start a new one, and the administrator’s stays', async () => {
    const own = helper.browser.cookies.get(`gatehouse_session_${realm.realmId}`)
    const secrets = [
      await secretOf(realm, helper.browser, ada.userId),
      await secretOf(realm, helper.browser, ada.userId),
    ]
    expect(new Set([own, ...secrets]).size).toBe(3)
    expect(helper.browser.cookies.get(`gatehouse_session_${realm.realmId}`)).toBe(own)
    expect(await seenAs(realm, withCookies(realm.node.url, { [cookieOf(realm)]: secrets[0]! }))).toBe(401)
    expect(await seenAs(realm, withCookies(realm.node.url, { [cookieOf(realm)]: secrets[1]! }))).toEqual(asAda)
  })

  test('ends alone when the administrator stops, and both are named', async () => {
    const sessionId = await act()
    expect((await stop()).status).toBe(303)
    expect(await seenAs(realm, helper.browser)).toEqual(asHelper)
    expect((await whoami()).status).toBe(200)
    expect(await endOf(sessionId)).toEqual([
      expect.objectContaining({
        ...{ category: 'SECURITY', actor: helper.userId, resourceType: 'users', resourceId: ada.userId },
        impersonatorId: helper.userId,
      }),
    ])
    expect((await realm.events('&type=LOGOUT')).filter((event) => event.sessionId === sessionId)).toEqual([])
  })

  test('that has ended gives way to the administrator’s own, with its own CSRF token (S38)', async () => {
    const sessionId = await act()
    const stale = helper.browser.csrf()
    await must(realm.call('DELETE', `/sessions/${sessionId}`), 204)
    // What was meant to be done as one person is not done as another.
    expect((await stop()).status).toBe(403)
    expect(await seenAs(realm, helper.browser)).toEqual(asHelper)
    expect(helper.browser.scopedPaths()).toEqual([])
    expect(helper.browser.csrf()).not.toBe(stale)
    expect((await stop()).status).toBe(303)
    expect(await endOf(sessionId)).toEqual([
      expect.objectContaining({ actor: realm.adminId, impersonatorId: helper.userId }),
    ])
  })

  test('of somebody who signed in counts for nothing in this cookie', async () => {
    const { browser } = await realm.signInWith([])
    const secret = browser.cookies.get(`gatehouse_session_${realm.realmId}`)!
    expect(await seenAs(realm, withCookies(realm.node.url, { [cookieOf(realm)]: secret }))).toBe(401)
    const planted = withCookies(realm.node.url, {
      ...Object.fromEntries(helper.browser.cookies),
      [cookieOf(realm)]: secret,
    })
    expect(await seenAs(realm, planted)).toEqual(asHelper)
  })

  test('ends when anybody signs in there, who is then nobody but themselves', async () => {
    const sessionId = await act()
    const own = (await realm.call('GET', `/sessions?userId=${helper.userId}`)).body[0].id
    await must(helper.browser.login(realm.realmId, helper.username, adminPassword), 200)
    expect(await seenAs(realm, helper.browser)).toEqual(asHelper)
    expect(await endOf(sessionId)).toEqual([expect.objectContaining({ actor: helper.userId })])
    expect((await realm.call('GET', `/sessions?userId=${helper.userId}`)).body).toEqual([
      expect.objectContaining({ id: own, impersonatorId: null }),
    ])
  })

  test('of one realm is nothing in another', async () => {
    const other = await createRealmFor()
    const secret = await secretOf(realm, helper.browser, ada.userId)
    for (const name of [cookieOf(other), cookieOf(realm)])
      expect(await seenAs(other, withCookies(realm.node.url, { [name]: secret }))).toBe(401)
  })
})

describe('S12: acting as somebody is over with the next request on every node', () => {
  type Ending = [string, () => Promise<unknown>]
  const roleOf = async () => (await realm.call('GET', `/users/${helper.userId}/roles`)).body[0].roleId
  const endings: Ending[] = [
    ['the person is disabled', () => realm.call('PATCH', `/users/${ada.userId}`, { enabled: false })],
    ['the administrator is disabled', () => realm.call('PATCH', `/users/${helper.userId}`, { enabled: false })],
    ['the administrator is locked', () => realm.call('PATCH', `/users/${helper.userId}`, { locked: true })],
    ['the administrator is deleted', () => realm.call('DELETE', `/users/${helper.userId}`)],
    ['they lose their role', async () => realm.call('DELETE', `/users/${helper.userId}/roles/${await roleOf()}`)],
    [
      'their role loses the permission',
      async () => realm.call('PUT', `/admin-roles/${await roleOf()}`, { permissions: ['view-users'] }),
    ],
    ['they sign out', () => helper.browser.get('/').then(() => signOut())],
    ['their sessions are ended', () => realm.call('DELETE', `/sessions?userId=${helper.userId}`)],
  ]
  // Their own cookie alone: the other one would be ended itself.
  const signOut = async () => {
    const own = withCookies(realm.node.url, Object.fromEntries(helper.browser.cookies))
    await own.get(pageOf(realm, '/account/whoami'))
    return stop(own)
  }

  test.each(endings)('when %s', async (_name, finish) => {
    await realm.call('PATCH', `/users/${ada.userId}`, { enabled: true })
    const secret = await secretOf(realm, helper.browser, ada.userId)
    const twin = withCookies(second.url, { [cookieOf(realm)]: secret })
    expect(await seenAs(realm, twin)).toEqual(asAda)
    const answer = (await finish()) as { status: number; text: string }
    expect(answer.status, answer.text).toBeLessThan(400)
    expect(await seenAs(realm, withCookies(second.url, { [cookieOf(realm)]: secret }))).toBe(401)
    expect(await seenAs(realm, withCookies(realm.node.url, { [cookieOf(realm)]: secret }))).toBe(401)
  })

  test('when the person comes to hold more than the administrator', async () => {
    const bob = await addPerson(realm, `bob-${helper.username}`)
    const secret = await secretOf(realm, helper.browser, bob.userId)
    const role = (await must(realm.call('POST', '/roles', { name: `more-${helper.username}` }), 201)).body
    await must(realm.call('PUT', `/admin-roles/${role.roleId}`, { permissions: ['manage-realm'] }), 200)
    expect(await seenAs(realm, withCookies(second.url, { [cookieOf(realm)]: secret }))).toMatchObject({
      userId: bob.userId,
    })
    await must(realm.call('POST', `/users/${bob.userId}/roles`, { name: role.name }), 201)
    expect(await seenAs(realm, withCookies(second.url, { [cookieOf(realm)]: secret }))).toBe(401)
  })

  test('when the realm no longer wants it', async () => {
    const own = await createRealmFor()
    const bob = await addPerson(own, 'bob')
    const secret = await secretOf(own, own.admin, bob.userId)
    const browser = () => withCookies(own.node.url, { [cookieOf(own)]: secret })
    expect(await seenAs(own, browser())).toMatchObject({ impersonatorId: own.adminId })
    await must(own.call('PUT', '/settings', { impersonationEnabled: false }), 200)
    expect(await seenAs(own, browser())).toBe(401)
  })

  test('for administrators of the system realm alike, who are named though they are no users here', async () => {
    const system = await openSystemStage()
    const users = `/admin/realms/${system.realmId}/users`
    const write = (method: string, path: string, json?: object) => system.admin.write(method, users + path, json)
    const { userId: guestId } = (await must(write('POST', '', { username: helper.username }), 201)).body
    await must(write('PUT', `/${guestId}/password`, { newPassword: adminPassword }), 204)
    await must(write('POST', `/${guestId}/roles`, { name: 'admin' }), 201)
    const guest = createBrowser(realm.node.url)
    await must(guest.login(system.realmId, helper.username, adminPassword), 200)
    const secret = await secretOf(realm, guest, ada.userId)
    const browser = () => withCookies(second.url, { [cookieOf(realm)]: secret })
    expect(await seenAs(realm, browser())).toEqual({ userId: ada.userId, impersonatorId: guestId })
    const [started] = await realm.events(`&type=IMPERSONATION_START&actor=${guestId}`)
    expect(started).toMatchObject({ resourceId: ada.userId, impersonatorId: guestId, sessionId: expect.any(String) })
    await must(write('PATCH', `/${guestId}`, { enabled: false }), 200)
    expect(await seenAs(realm, browser())).toBe(401)
    const depart = impersonateContribution.jobs!.find(({ name }) => name === 'impersonation.depart')!
    await depart.handle(realm.node.services, { impersonatorId: guestId } as never)
    expect(await endOf(started.sessionId)).toEqual([
      expect.objectContaining({ actor: 'system', impersonatorId: guestId }),
    ])
    await must(write('DELETE', `/${guestId}`), 204)
  })
})
