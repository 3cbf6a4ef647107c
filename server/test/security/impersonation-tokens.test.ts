// S9, S12, S28: applications in a session in which an administrator acts as somebody, and the tokens that come of it.
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addPerson,
  api,
  authorize,
  type AuthorizeOptions,
  basic,
  type Browser,
  createClientIn,
  issuerOf,
  must,
  type Person,
  redeem,
  refresh,
  requestToken,
  signInTo,
  type TestClient,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { accessType, exchangeType } from '../harness/exchange-stage.ts'
import { actAs, pageOf, seenAs } from './acting.ts'
import { askAdminApi, askUserinfo, bearer, introspect, openPair, startSecondNode } from './two-nodes.ts'

let second: TestNode
let realm: TestRealm
let ada: Person
let app: TestClient
let helper: { browser: Browser; userId: string }

beforeAll(async () => {
  second = await startSecondNode()
  realm = (await openPair(second)).realm
  ada = await addPerson(realm, 'ada')
  const grantTypes = ['authorization_code', 'refresh_token', 'token-exchange']
  app = await createClientIn(realm, { grantTypes, scopes: ['offline_access', 'account'], consentRequired: false })
})
afterAll(() => second?.stop())
beforeEach(async () => {
  helper = await realm.signInWith(['manage-users'])
})

const ownCookie = () => helper.browser.cookies.get(`gatehouse_session_${realm.realmId}`)
const act = () => actAs(realm, helper.browser, ada.userId)
const enter = (client = app, params: AuthorizeOptions['params'] = {}) =>
  authorize(realm, client, { browser: helper.browser, params, stopAtPage: true })
const tokensOf = (params: AuthorizeOptions['params'] = {}, client = app) =>
  signInTo(realm, client, { browser: helper.browser, params })
const act1 = () => ({ sub: helper.userId })

describe('tokens of such a session', () => {
  test('are the person’s, and say who acts, everywhere they are shown', async () => {
    await act()
    const tokens = await tokensOf()
    const access = decodeJwt(tokens.access_token!)
    const id = decodeJwt(tokens.id_token!)
    for (const claims of [access, id]) {
      expect(claims).toMatchObject({ sub: ada.userId, act: act1(), acr: 'urn:gatehouse:acr:1' })
      expect(claims.amr ?? []).toEqual([])
    }
    expect((await introspect(realm, app, tokens.access_token!, second.url)).body).toMatchObject({
      active: true,
      act: act1(),
    })
    expect((await askUserinfo(realm, tokens.access_token!)).body).toMatchObject({ sub: ada.userId, act: act1() })
    // The engine's own way answers as the short one.
    const form = { access_token: tokens.access_token! }
    expect((await api(`${issuerOf(realm)}/userinfo`, 'POST', { form })).body).toMatchObject({ act: act1() })
    const [event] = await realm.events(`&type=TOKEN_ISSUED&clientId=${app.clientId}`)
    expect(event).toMatchObject({ actor: ada.userId, impersonatorId: helper.userId })
  })

  test('of the person’s own sign-in say nothing of the kind, at the same client', async () => {
    await act()
    await tokensOf()
    const own = await signInTo(realm, app, { username: 'ada' })
    expect(decodeJwt(own.access_token!)).not.toHaveProperty('act')
    expect(decodeJwt(own.id_token!)).not.toHaveProperty('act')
    expect((await askUserinfo(realm, own.access_token!)).body).not.toHaveProperty('act')
  })

  test('leave the administrator’s own cookie alone, at every step and at the application’s logout', async () => {
    await act()
    const own = ownCookie()
    const { id_token: hint } = await tokensOf()
    expect(ownCookie()).toBe(own)
    const page = await helper.browser.get(pageOf(realm, `/logout?id_token_hint=${hint}`), {
      headers: { accept: 'text/html' },
    })
    const xsrf = /name="xsrf" value="([^"]*)"/.exec(page.text)![1]!
    await helper.browser.send('POST', pageOf(realm, '/logout/confirm'), { form: { xsrf, logout: 'yes' } })
    expect(ownCookie()).toBe(own)
    expect(helper.browser.scopedPaths().filter((path) => path === pageOf(realm, ''))).toEqual([])
    expect(await seenAs(realm, helper.browser)).toEqual({ userId: helper.userId, impersonatorId: null })
    const [ended] = await realm.events('&type=IMPERSONATION_END')
    expect(ended).toMatchObject({ actor: helper.userId, resourceId: ada.userId })
  })

  test('last no longer than the session, and bring nothing that outlives it', async () => {
    const sessionId = await act()
    await realm.run((ctx) =>
      sql`update sessions set expires_at = ${ctx.now + 90_000}
        where realm_id = ${realm.realmId} and id = ${sessionId}`.execute(ctx.tx),
    )
    const tokens = await tokensOf({ scope: 'openid offline_access', prompt: undefined })
    const { exp, iat, scope, offline } = decodeJwt(tokens.access_token!)
    expect(exp! - iat!).toBeLessThanOrEqual(90)
    expect([scope, offline]).toEqual(['openid', undefined])
    const rows = await realm.run((ctx) =>
      sql<{ left: number; offline: boolean }>`select expires_at - ${ctx.now} as left, offline from oidc_models
        where realm_id = ${realm.realmId} and model = 'RefreshToken' and session_id = ${sessionId}`.execute(ctx.tx),
    )
    // A row is kept a minute longer than what it stands for.
    for (const row of rows.rows) expect([Number(row.left) <= 150_000, row.offline]).toEqual([true, false])
    expect(rows.rows).toHaveLength(1)
    const next = await must(refresh(realm, app, tokens.refresh_token!), 200)
    expect(decodeJwt(next.body.access_token)).toMatchObject({ act: act1() })
    expect(decodeJwt(next.body.access_token).exp! - Date.now() / 1000).toBeLessThanOrEqual(90)
  })

  test('keep who acts through an exchange, and make no actor of themselves', async () => {
    await act()
    const { access_token: token } = await tokensOf()
    const subject = { grant_type: exchangeType, subject_token: token!, subject_token_type: accessType }
    const swapped = (await must(requestToken(realm, app, subject), 200)).body.access_token
    expect(decodeJwt(swapped)).toMatchObject({ sub: ada.userId, act: act1() })
    const own = (await signInTo(realm, app, { username: 'ada' })).access_token!
    const asActor = { ...subject, subject_token: own, actor_token: token!, actor_token_type: accessType }
    expect((await requestToken(realm, app, asActor)).body.error).toBe('invalid_grant')
    const [event] = await realm.events(`&type=TOKEN_EXCHANGE&clientId=${app.clientId}`)
    expect(event).toMatchObject({ actor: ada.userId, impersonatorId: helper.userId })
    await helper.browser.write('POST', pageOf(realm, '/login/logout'))
    expect((await introspect(realm, app, swapped, second.url)).body.active).toBe(false)
  })
})

describe('S9: a token of such a session', () => {
  test('opens the account to look at, as the administrator, and changes nothing', async () => {
    await act()
    const { access_token: token } = await tokensOf({ scope: 'openid account' })
    const account = `${issuerOf(realm)}/account`
    const who = await api(`${account}/whoami`, 'GET', bearer(token!))
    expect(who.body).toMatchObject({ userId: ada.userId, impersonatorId: helper.userId })
    const changed = await api(`${account}/profile`, 'PUT', { ...bearer(token!), json: {} })
    expect([changed.status, changed.body.code]).toEqual([403, 'forbidden'])
  })

  test('is nobody at the admin API, whatever the person may do', async () => {
    const resource = `${realm.node.url}/admin`
    const admin = await createClientIn(realm, { consentRequired: false })
    await must(realm.call('PUT', `/clients/${admin.id}/allowed-resources`, { allowedResources: [resource] }), 200)
    const boss = await realm.signInWith(['manage-users'])
    const own = await signInTo(realm, admin, { browser: boss.browser, params: { resource } })
    expect((await askAdminApi(realm, own.access_token!)).status).toBe(200)
    await actAs(realm, helper.browser, boss.userId)
    const { access_token: token } = await tokensOf({ resource }, admin)
    expect(decodeJwt(token!)).toMatchObject({ sub: boss.userId, aud: resource })
    expect((await askAdminApi(realm, token!)).status).toBe(401)
  })
})

describe('S9: nobody signs in or consents in the person’s name', () => {
  const denied = { error: 'access_denied', error_description: expect.stringContaining('an administrator acts') }

  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['prompt=consent', { prompt: 'consent' }],
    ['max_age', { max_age: '3600' }],
    ['a stronger class', { acr_values: 'urn:gatehouse:acr:2' }],
  ])('where the application asks for %s', async (_name, params) => {
    await act()
    const { params: answer } = await enter(app, params)
    expect(answer).toMatchObject(denied)
    expect(await seenAs(realm, helper.browser)).toMatchObject({ userId: ada.userId })
  })

  test('an application learns silently, too', async () => {
    await act()
    expect((await enter(app, { prompt: 'none', max_age: '3600' })).params.error).toBe('login_required')
    expect((await enter(app, { prompt: 'none' })).params.code).toBeDefined()
  })

  test('what the person did not allow before is refused; what they did is passed', async () => {
    const asks = await createClientIn(realm, { consentRequired: true })
    await act()
    expect((await enter(asks)).params).toMatchObject(denied)
    await signInTo(realm, asks, { username: 'ada', decision: 'allow' })
    const { params } = await enter(asks)
    expect(params.code).toBeDefined()
    expect((await enter(asks, { scope: 'openid email' })).params).toMatchObject(denied)
    const consents = (await realm.call('GET', `/users/${ada.userId}/gdpr/consents`)).body
    const [consent] = consents.filter((one: { clientId: string }) => one.clientId === asks.clientId)
    expect(consent.scopes).toEqual(['openid'])
  })

  test('a question that the person left open is not answered for them', async () => {
    const asks = await createClientIn(realm, { consentRequired: true })
    const person = await realm.signInWith([])
    const { answer } = await authorize(realm, asks, { browser: person.browser, stopAtPage: true })
    const action = /action="(\/realms\/[^"]*\/consent\/[^"]*)"/.exec(answer.text)![1]!
    // In the browser where it began: an administrator who sits down there.
    await realm.run((ctx) =>
      sql`update sessions set impersonator_id = ${helper.userId}
        where realm_id = ${realm.realmId} and user_id = ${person.userId}`.execute(ctx.tx),
    )
    expect((await person.browser.get(action)).status).toBe(403)
    const csrf = /name="_csrf" value="([^"]*)"/.exec(answer.text)![1]!
    expect((await person.browser.send('POST', action, { form: { _csrf: csrf, decision: 'allow' } })).status).toBe(403)
  })
})

describe('S12: what came of such a session is void on every node with the next request', () => {
  type Ending = [string, (sessionId: string) => Promise<{ status: number; text: string }>]
  const endings: Ending[] = [
    ['the administrator stops', () => helper.browser.write('POST', pageOf(realm, '/login/logout'))],
    ['another one ends the session', (id) => realm.call('DELETE', `/sessions/${id}`)],
    ['the administrator is disabled', () => realm.call('PATCH', `/users/${helper.userId}`, { enabled: false })],
    [
      'their role loses the permission',
      async () => {
        const [role] = (await realm.call('GET', `/users/${helper.userId}/roles`)).body
        return realm.call('PUT', `/admin-roles/${role.roleId}`, { permissions: ['view-users'] })
      },
    ],
    ['they sign out everywhere', () => realm.call('DELETE', `/sessions?userId=${helper.userId}`)],
  ]

  test.each(endings)('when %s', async (_name, finish) => {
    const sessionId = await act()
    const tokens = await tokensOf()
    const waiting = await enter()
    expect((await introspect(realm, app, tokens.access_token!, second.url)).body.active).toBe(true)
    const answer = await finish(sessionId)
    expect(answer.status, answer.text).toBeLessThan(400)
    expect((await introspect(realm, app, tokens.access_token!, second.url)).body).toEqual({ active: false })
    expect((await askUserinfo(realm, tokens.access_token!, second.url)).status).toBe(401)
    expect((await refresh(realm, app, tokens.refresh_token!, second.url)).body.error).toBe('invalid_grant')
    expect((await redeem(realm, app, waiting, second.url)).body.error).toBe('invalid_grant')
    const subject = { grant_type: exchangeType, subject_token: tokens.access_token!, subject_token_type: accessType }
    const swap = await api(`${second.url}/realms/${realm.realmId}/token`, 'POST', {
      form: subject,
      headers: basic(app),
    })
    expect(swap.body.error).toBe('invalid_grant')
  })
})
