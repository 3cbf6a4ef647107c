import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  api,
  basic,
  type Browser,
  createBrowser,
  createClientIn,
  createRealmFor,
  must,
  type Person,
  type TestRealm,
} from '../../../../test/harness/index.ts'

let realm: TestRealm
let ada: Person

beforeAll(async () => {
  realm = await createRealmFor()
  ada = await addPerson(realm, 'ada')
})

const path = (userId = ada.userId) => `/users/${userId}/impersonate`
const start = (body?: object, browser: Browser = realm.admin, userId?: string) =>
  realm.callAs(browser, 'POST', path(userId), body)
const refused = async (answer: Promise<{ status: number; body: { code: string } }>) => {
  const { status, body } = await answer
  return [status, body.code]
}

describe('an impersonation', () => {
  test('answers where to go, and sets a cookie that holds for the realm’s own places only', async () => {
    const answer = await must(start({ reason: 'Ticket 4711' }), 200)
    const { sessionId, expiresAt, ...rest } = answer.body
    expect(rest).toEqual({
      userId: ada.userId,
      impersonatorId: realm.adminId,
      redirectUrl: `${realm.node.url}/realms/${realm.realmId}/account`,
    })
    const lines = [answer.headers['set-cookie'] ?? []].flat()
    expect(lines).toHaveLength(1)
    const [pair, ...attributes] = lines[0]!.split('; ')
    expect(pair).toMatch(new RegExp(`^gatehouse_impersonation_${realm.realmId}=[\\w-]{43,}$`))
    expect(attributes).toEqual([`Path=/realms/${realm.realmId}`, 'SameSite=Lax', 'Max-Age=1800', 'HttpOnly'])
    expect(answer.text).not.toContain(pair!.split('=')[1]!)
    expect(expiresAt - realm.node.clock.now()).toBeLessThanOrEqual(1_800_000)
    const listed = (await realm.call('GET', `/sessions?userId=${ada.userId}`)).body
    expect(listed).toEqual([
      expect.objectContaining({
        ...{ id: sessionId, impersonatorId: realm.adminId, username: 'ada' },
        ...{ acr: 'urn:gatehouse:acr:1', amr: [], expiresAt },
      }),
    ])
  })

  test('is recorded twice, against the administrator, with both names and the reason (contract 6.4)', async () => {
    const { body } = await must(start({ reason: 'Ticket 4712' }), 200)
    const events = await realm.events(`&resourceId=${ada.userId}`)
    const [security] = events.filter(({ type }) => type === 'IMPERSONATION_START')
    expect(security).toMatchObject({
      ...{ category: 'SECURITY', outcome: 'SUCCESS', actor: realm.adminId, resourceType: 'users' },
      ...{ resourceId: ada.userId, detail: 'Ticket 4712', sessionId: body.sessionId, impersonatorId: realm.adminId },
    })
    const [admin] = events.filter(({ type }) => type === 'ADMIN_ACTION')
    expect(admin).toMatchObject({ category: 'ADMIN', outcome: 'SUCCESS', actor: realm.adminId, resourceId: ada.userId })
    expect(admin.detail).toContain(body.sessionId)
  })

  test('ends the earlier one of the same administrator, and nobody else’s', async () => {
    const first = await must(start(), 200)
    const { browser: other } = await realm.signInWith(['realm-admin'])
    const theirs = await must(start({}, other), 200)
    const second = await must(start({}), 200)
    const ids = (await realm.call('GET', `/sessions?userId=${ada.userId}`)).body.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([second.body.sessionId, theirs.body.sessionId])
    const [ended] = await realm.events(`&type=IMPERSONATION_END`)
    expect(ended).toMatchObject({ actor: realm.adminId, resourceId: ada.userId, sessionId: first.body.sessionId })
  })

  test('is never longer than sessions of the realm', async () => {
    const short = await createRealmFor()
    const bob = await addPerson(short, 'bob')
    const limits = { ssoSessionMaxSeconds: 600, ssoSessionIdleSeconds: 300, adminSessionIdleSeconds: 300 }
    await must(short.call('PUT', '/settings', limits), 200)
    const answer = await must(short.call('POST', `/users/${bob.userId}/impersonate`), 200)
    expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('Max-Age=600')])
    const [session] = (await short.call('GET', `/sessions?userId=${bob.userId}`)).body
    expect(session.expiresAt - session.lastAccessAt).toBe(300_000)
  })

  test('leaves nothing behind in a dry run, no cookie either', async () => {
    const { browser } = await realm.signInWith(['manage-users'])
    const answer = await must(realm.callAs(browser, 'POST', `${path()}?dryRun=true`, {}), 200)
    expect(answer.headers['set-cookie']).toBeUndefined()
    const ids = (await realm.call('GET', `/sessions?userId=${ada.userId}`)).body.map(({ id }: { id: string }) => id)
    expect(ids).not.toContain(answer.body.sessionId)
  })

  test('can be started thirty times in ten minutes by one administrator', async () => {
    const { browser } = await realm.signInWith(['manage-users'])
    for (let count = 0; count < 30; count++) await must(start({}, browser), 200)
    const answer = await start({}, browser)
    expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    await must(start(), 200)
  })
})

describe('it leads', () => {
  const redirectUri = 'https://app.example.org/callback'

  test('to the application that is named, or to a place of it or of the realm', async () => {
    const plain = await createClientIn(realm, { redirectUris: [redirectUri] })
    const home = await createClientIn(realm, { redirectUris: [redirectUri], baseUrl: 'https://home.example.org/start' })
    const native = await createClientIn(realm, { publicClient: true, redirectUris: ['org.example.app:/callback'] })
    const own = `/realms/${realm.realmId}/account/security`
    const account = `${realm.node.url}/realms/${realm.realmId}/account`
    const lead = async (body: object) => (await must(start(body), 200)).body.redirectUrl
    expect(await lead({ clientId: plain.clientId })).toBe('https://app.example.org/')
    expect(await lead({ clientId: home.clientId })).toBe('https://home.example.org/start')
    expect(await lead({ clientId: native.clientId })).toBe(account)
    expect(await lead({ clientId: plain.clientId, redirectUri })).toBe(redirectUri)
    expect(await lead({ redirectUri: own })).toBe(realm.node.url + own)
  })

  test('nowhere that is not registered (S23)', async () => {
    const client = await createClientIn(realm, { redirectUris: [redirectUri] })
    const off = await createClientIn(realm, { redirectUris: [redirectUri], enabled: false })
    const places = [
      ...['https://evil.example.org/', '//evil.example.org/', `/realms/${realm.realmId}-other/account`, '/admin'],
      ...[`/realms/${realm.realmId}/../../admin`, `/realms/${realm.realmId}/\\evil`, '/\tevil', 'javascript:alert(1)'],
      `${redirectUri}?more`,
    ]
    for (const place of places) {
      const answer = await start({ clientId: client.clientId, redirectUri: place })
      expect([answer.status, answer.body.errors?.[0]?.field ?? answer.text], place).toEqual([400, 'redirectUri'])
    }
    for (const body of [{ clientId: off.clientId }, { clientId: 'nobody' }, { redirectUri }])
      expect((await start(body)).status).toBe(400)
  })

  test('S48: with a reason of one line that is not too long, and nothing else', async () => {
    const wrong = ['two\nlines', 'a\r', '\u001b[31m', 'a\u2028b', 'x'.repeat(501), 'nul\0']
    for (const reason of wrong) expect((await start({ reason })).status, JSON.stringify(reason)).toBe(400)
    await must(start({ reason: '“Quoted”, {braced}, 100 % ünïcode' }), 200)
    expect((await start({ reason: 'x', sessionId: 'mine' })).status).toBe(400)
  })
})

describe('S9: it is refused', () => {
  test('to whoever lacks manage-users, or holds less than the person', async () => {
    const { browser: viewer } = await realm.signInWith(['view-users'])
    expect(await refused(start({}, viewer))).toEqual([403, 'forbidden'])
    const { browser: lesser, userId } = await realm.signInWith(['manage-users'])
    expect(await refused(start({}, lesser, realm.adminId))).toEqual([403, 'escalation'])
    const [denied] = await realm.events(`&actor=${userId}`)
    expect(denied).toMatchObject({ type: 'ADMIN_ACTION', outcome: 'FAILURE', detail: 'denied: escalation' })
    expect(await realm.events(`&type=IMPERSONATION_START&resourceId=${realm.adminId}`)).toEqual([])
    await must(start({}, lesser), 200)
  })

  test('to oneself, and for people who cannot sign in', async () => {
    expect(await refused(start({}, realm.admin, realm.adminId))).toEqual([409, 'conflict'])
    const off = await addPerson(realm, 'off', { enabled: false })
    expect(await refused(start({}, realm.admin, off.userId))).toEqual([409, 'conflict'])
    const locked = await addPerson(realm, 'locked')
    await must(realm.call('PATCH', `/users/${locked.userId}`, { locked: true }), 200)
    expect(await refused(start({}, realm.admin, locked.userId))).toEqual([409, 'conflict'])
    const machine = await createClientIn(realm, { redirectUris: [], grantTypes: ['client_credentials'] })
    const account = (await realm.call('GET', `/clients/${machine.id}`)).body.serviceAccountUserId
    expect(await refused(start({}, realm.admin, account))).toEqual([409, 'conflict'])
  })

  test('to machines: an access token is not a person', async () => {
    const machine = await createClientIn(realm, { redirectUris: [], grantTypes: ['client_credentials'] })
    const resource = `${realm.node.url}/admin`
    await must(realm.call('PUT', `/clients/${machine.id}/allowed-resources`, { allowedResources: [resource] }), 200)
    const role = (await must(realm.call('POST', '/roles', { name: 'helper' }), 201)).body
    await must(realm.call('PUT', `/admin-roles/${role.roleId}`, { permissions: ['manage-users'] }), 200)
    await must(realm.call('POST', `/clients/${machine.id}/service-account/roles`, { name: 'helper' }), 201)
    const form = { grant_type: 'client_credentials', resource }
    const token = await api(`${realm.node.url}/realms/${realm.realmId}/token`, 'POST', {
      form,
      headers: basic(machine),
    })
    const headers = { authorization: `Bearer ${token.body.access_token}` }
    const base = `${realm.node.url}/admin/realms/${realm.realmId}`
    expect((await api(`${base}/users`, 'GET', { headers })).status).toBe(200)
    const answer = await api(`${base}${path()}`, 'POST', { headers })
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  })

  test('where the realm does not want it', async () => {
    const shut = await createRealmFor()
    const bob = await addPerson(shut, 'bob')
    await must(shut.call('PUT', '/settings', { impersonationEnabled: false }), 200)
    expect(await refused(shut.call('POST', `/users/${bob.userId}/impersonate`))).toEqual([403, 'forbidden'])
  })

  test('without the CSRF token, and without a session', async () => {
    expect(await refused(realm.call('POST', path(), {}, { csrf: null }))).toEqual([403, 'csrf_invalid'])
    const stranger = createBrowser(realm.node.url)
    expect((await start({}, stranger)).status).toBe(401)
  })
})
