// S23, S34, S38, S40 at the pages and endpoints of requests that a person answers elsewhere: what an attacker would try first.
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  answerPage,
  api,
  approvalPath,
  authorize,
  beginCiba,
  beginDevice,
  type Browser,
  createClientIn,
  createRealmFor,
  deviceGrant,
  issuerOf,
  must,
  passPassword,
  pollCiba,
  pollDevice,
  readForm,
  redirectUri,
  refresh,
  requestToken,
  type TestClient,
  type TestRealm,
  typeUserCode,
} from '../harness/index.ts'
import { adminPassword } from '../harness/realm.ts'

const html = { headers: { accept: 'text/html' } }
const device = { publicClient: true, redirectUris: [], grantTypes: ['device', 'refresh_token'] }
let realm: TestRealm
let tv: TestClient
let bank: TestClient

beforeAll(async () => {
  realm = await createRealmFor()
  await must(
    realm.call('PUT', '/settings', { bruteForce: { maxFailures: 5, lockSeconds: 600, perIpMaxPerMinute: 10_000 } }),
    200,
  )
  tv = await createClientIn(realm, { ...device, consentRequired: true })
  bank = await createClientIn(realm, { redirectUris: [], grantTypes: ['CIBA', 'refresh_token'] })
})

const begin = async (form: Record<string, string> = {}, client = tv) =>
  (await must(beginDevice(realm, client, form), 200)).body as { device_code: string; user_code: string }
const pathOf = (userCode: string) => `/realms/${realm.realmId}/device?user_code=${userCode}`
/** As if the person had proved who they are this much earlier. */
const makeOlder = (userId: string, ms: number) =>
  realm.run((ctx) =>
    sql`update sessions set proofs = jsonb_set(proofs, '{0,at}', to_jsonb((proofs -> 0 ->> 'at')::bigint - ${ms}::bigint))
      where realm_id = ${realm.realmId} and user_id = ${userId}`.execute(ctx.tx),
  )

describe('S40: somebody who guesses user codes', () => {
  test('is stopped also when a code of their own lies between the wrong ones', async () => {
    const { user_code: own } = await begin()
    const { browser } = await realm.signInWith([])
    const statuses: number[] = []
    for (const code of ['BBBB-BBBB', own, 'CCCC-CCCC', own, 'DDDD-DDDD', own, 'FFFF-FFFF', own, 'GGGG-GGGG', own])
      statuses.push((await typeUserCode(realm, browser, code)).status)
    expect(statuses).toEqual([400, 200, 400, 200, 400, 200, 400, 200, 400, 429])
    const closed = await typeUserCode(realm, browser, own)
    expect(closed.text).toContain('Wait 10 minutes')
    expect(Number(closed.headers['retry-after'])).toBeGreaterThan(500)
  })

  test('while whoever types only right ones never is', async () => {
    const { user_code: own } = await begin()
    const { browser } = await realm.signInWith([])
    for (let tries = 0; tries < 8; tries++) expect((await typeUserCode(realm, browser, own)).status).toBe(200)
  })
})

test('S40: somebody with many accounts is stopped by their address', async () => {
  const small = await createRealmFor()
  await must(small.call('PUT', '/settings', { bruteForce: { maxFailures: 5, perIpMaxPerMinute: 3 } }), 200)
  const { browser } = await small.signInWith([])
  for (const as of [browser, small.admin, browser])
    expect((await typeUserCode(small, as, 'BBBB-BBBB')).status).toBe(400)
  expect((await typeUserCode(small, small.admin, 'BBBB-BBBB')).status).toBe(429)
})

describe('S34: people are told', () => {
  const claims = JSON.stringify({ id_token: { email: null } })
  const text = 'See your e-mail address'

  test('of every claim that a device gets, also of one that it names beside its scopes', async () => {
    const { browser } = await realm.signInWith([])
    const [plain, single] = [await begin(), await begin({ claims })]
    expect((await must(typeUserCode(realm, browser, plain.user_code), 200)).text).not.toContain(text)
    expect((await must(typeUserCode(realm, browser, single.user_code), 200)).text).toContain(text)
    await must(answerPage(browser, pathOf(single.user_code), 'allow'), 200)
    const { body } = await must(pollDevice(realm, tv, single.device_code), 200)
    expect(decodeJwt(body.id_token)).toHaveProperty('email')
  })

  test('of what else the tokens are for, and that nobody looked at an application that came by itself', async () => {
    const resource = 'https://api.example.org/tv'
    const { id } = tv
    await must(realm.call('PUT', `/clients/${id}/allowed-resources`, { allowedResources: [resource] }), 200)
    const { browser } = await realm.signInWith([])
    const { device_code: code, user_code: userCode } = await begin({ resource })
    const page = await must(typeUserCode(realm, browser, userCode), 200)
    expect([page.text.includes(resource), page.text.includes('registered itself')]).toEqual([true, false])
    await must(answerPage(browser, pathOf(userCode), 'allow'), 200)
    const { access_token: token } = (await must(pollDevice(realm, tv, code), 200)).body
    expect(decodeJwt(token).aud).toBe(resource)
    const { token: initial } = (await must(realm.call('POST', '/provisioning/initial-access-tokens', {}), 201)).body
    const json = { client_name: 'Radio', grant_types: [deviceGrant], token_endpoint_auth_method: 'none' }
    const headers = { authorization: `Bearer ${initial}` }
    const { body } = await must(api(`${issuerOf(realm)}/connect/register`, 'POST', { json, headers }), 201)
    const radio = { id: '', clientId: body.client_id, secret: null, redirectUri }
    const asking = await must(typeUserCode(realm, browser, (await begin({}, radio)).user_code), 200)
    expect(asking.text).toContain('registered itself')
  })

  test('of the same on the consent page', async () => {
    const client = await createClientIn(realm, { consentRequired: true })
    const { browser } = await realm.signInWith([])
    const params = { scope: 'openid', claims }
    expect((await authorize(realm, client, { browser, params, stopAtPage: true })).answer.text).toContain(text)
  })

  test('of nothing within somebody else’s page', async () => {
    const { browser } = await realm.signInWith([])
    const { headers } = await typeUserCode(realm, browser, (await begin()).user_code)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['cache-control']).toContain('no-store')
  })
})

describe('S38: an answer', () => {
  test('of a page that was opened as somebody else does not count', async () => {
    const [first, second] = [await addPerson(realm, 'first'), await addPerson(realm, 'second')]
    const { device_code: code, user_code: userCode } = await begin()
    const { browser } = await passPassword(realm, first.username)
    const page = await must(browser.get(pathOf(userCode), html), 200)
    // In another tab of the same browser.
    await must(browser.login(realm.realmId, second.username, adminPassword), 200)
    const form = { ...readForm(page.text), decision: 'allow' }
    expect((await browser.send('POST', `/realms/${realm.realmId}/device`, { ...html, form })).status).toBe(403)
    expect((await pollDevice(realm, tv, code)).body.error).toBe('authorization_pending')
  })

  test('from another site does not count at the page of an application either', async () => {
    await addPerson(realm, 'asked')
    const { auth_req_id: id } = (await must(beginCiba(realm, bank, { login_hint: 'asked' }), 200)).body
    const { browser } = await passPassword(realm, 'asked')
    const path = approvalPath(realm, id)
    const form = { decision: 'allow', _csrf: browser.csrf() }
    const answers = [
      await browser.send('POST', path, { form: { decision: 'allow' } }),
      await browser.send('POST', path, { form, headers: { origin: 'https://evil.example' } }),
      await browser.send('POST', path, { form: { ...form, decision: 'maybe' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 400])
    expect((await pollCiba(realm, bank, id)).body.error).toBe('authorization_pending')
  })

  test('in an address does not count', async () => {
    const { device_code: code, user_code: userCode } = await begin()
    await must(realm.admin.get(`${pathOf(userCode)}&decision=allow`, html), 200)
    expect((await pollDevice(realm, tv, code)).body.error).toBe('authorization_pending')
  })

  test('by somebody who proved too little, or too long ago, does not count', async () => {
    const { browser, userId } = await realm.signInWith([])
    await makeOlder(userId, 3_600_000)
    const asking: Record<string, string>[] = [
      ...[{ max_age: '0' }, { max_age: '600' }],
      { acr_values: 'urn:gatehouse:acr:2' },
    ]
    for (const form of asking) {
      const { device_code: code, user_code: userCode } = await begin(form)
      const answer = { user_code: userCode, decision: 'allow', _csrf: browser.csrf() }
      const sent = await browser.send('POST', `/realms/${realm.realmId}/device`, { ...html, form: answer })
      expect([sent.status, String(sent.headers.location)]).toEqual([303, expect.stringContaining('/login?arrival=')])
      expect((await pollDevice(realm, tv, code)).body.error).toBe('authorization_pending')
    }
  })

  test('by somebody who signed in since is recent enough for anything, and asked for more only once', async () => {
    await must(realm.call('PUT', '/settings', { acrAliases: { gold: 'urn:gatehouse:acr:1' } }), 200)
    const { username, userId } = await addPerson(realm, 'recent')
    const open = [
      await begin({ max_age: '0' }),
      await begin({ acr_values: 'urn:gatehouse:acr:2' }),
      await begin({ acr_values: 'gold' }),
      await begin({ max_age: '60' }),
    ]
    const { browser } = await passPassword(realm, username)
    // Whoever reads the page for ten minutes is not asked to sign in again for ever.
    await makeOlder(userId, 600_000)
    await realm.run((ctx) =>
      sql`update oidc_models set created_at = created_at - 3600000
        where realm_id = ${realm.realmId} and model = 'DeviceCode'`.execute(ctx.tx),
    )
    const classes: unknown[] = []
    for (const { device_code: code, user_code: userCode } of open) {
      await must(answerPage(browser, pathOf(userCode), 'allow'), 200)
      classes.push(decodeJwt((await must(pollDevice(realm, tv, code), 200)).body.id_token).acr)
    }
    expect(classes).toEqual(['urn:gatehouse:acr:1', 'urn:gatehouse:acr:1', 'gold', 'urn:gatehouse:acr:1'])
  })

  test('needs a sign-in of its own in a realm without single sign-on', async () => {
    const strict = await createRealmFor()
    const steps = [{ authenticator: 'username-password', requirement: 'REQUIRED' }]
    await must(strict.call('PUT', '/flow', { displayName: 'Always', type: 'BROWSER', steps }), 200)
    const { body } = await must(beginDevice(strict, await createClientIn(strict, device)), 200)
    expect((await typeUserCode(strict, strict.admin, body.user_code)).status).toBe(303)
    const { browser } = await passPassword(strict, 'admin')
    expect((await typeUserCode(strict, browser, body.user_code)).status).toBe(200)
  })

  test('is not asked for in the name of a client that was disabled meanwhile', async () => {
    const one = await createClientIn(realm, device)
    const { user_code: userCode } = await begin({}, one)
    await must(realm.call('PATCH', `/clients/${one.id}`, { enabled: false }), 200)
    expect((await typeUserCode(realm, realm.admin, userCode)).status).toBe(400)
  })

  test('is not given by whoever would rather be somebody else: they sign in anew', async () => {
    const { browser } = await realm.signInWith([])
    const sent = await must(answerPage(browser, pathOf((await begin()).user_code), 'switch'), 303)
    const page = await must(browser.get(String(sent.headers.location), html), 200)
    expect(page.text).toContain('name="password"')
  })

  test('at the address of another kind of request does not count', async () => {
    const { device_code: code } = await begin()
    const { modelId } = await import('../../src/domain/tokens/index.ts')
    const path = `/realms/${realm.realmId}/approve/${modelId('DeviceCode', code).toString('base64url')}`
    expect((await realm.admin.get(path, html)).status).toBe(410)
  })
})

describe('a yes', () => {
  const approve = async (browser: Browser, client: TestClient, form: Record<string, string> = {}) => {
    const { device_code: code, user_code: userCode } = await begin(form, client)
    await must(answerPage(browser, pathOf(userCode), 'allow'), 200)
    return code
  }

  test('is worth nothing once it was taken back, or its client was made anew', async () => {
    const { browser } = await realm.signInWith([])
    const code = await approve(browser, tv)
    await must(browser.write('DELETE', `/realms/${realm.realmId}/account/gdpr/consents/${tv.clientId}`), 204)
    expect((await pollDevice(realm, tv, code)).body.error).toBe('invalid_grant')
    const before = await createClientIn(realm, { ...device, clientId: 'again' })
    const old = await approve(browser, before)
    await must(realm.call('DELETE', `/clients/${before.id}`), 204)
    const after = await createClientIn(realm, { ...device, clientId: 'again' })
    expect((await pollDevice(realm, after, old)).body.error).toBe('invalid_grant')
  })

  test('lasts as long as the session: until somebody ends it, or it runs out by itself', async () => {
    const tell = ({ access_token: token }: { access_token: string }) =>
      api(`${issuerOf(realm)}/userinfo`, 'GET', { headers: { authorization: `Bearer ${token}` } })
    const take = async (browser: Browser) => (await must(pollDevice(realm, tv, await approve(browser, tv)), 200)).body
    const [ending, idle] = [await realm.signInWith([]), await realm.signInWith([])]
    const [ended, over] = [await take(ending.browser), await take(idle.browser)]
    expect([(await tell(ended)).status, (await tell(over)).status]).toEqual([200, 200])
    await must(ending.browser.write('POST', `/realms/${realm.realmId}/login/logout`), 303)
    await realm.run((ctx) =>
      sql`update sessions set expires_at = 1
        where realm_id = ${realm.realmId} and user_id = ${idle.userId}`.execute(ctx.tx),
    )
    expect((await tell(ended)).status).toBe(401)
    for (const { refresh_token: token } of [ended, over])
      expect((await refresh(realm, tv, token)).body.error).toBe('invalid_grant')
  })

  test('gives neither offline access without refresh tokens nor tokens for what the client may not reach', async () => {
    const one = await createClientIn(realm, { ...device, scopes: ['offline_access'] })
    const early = await begin({ scope: 'openid offline_access' }, one)
    await must(realm.call('PATCH', `/clients/${one.id}`, { grantTypes: ['device'] }), 200)
    await must(answerPage(realm.admin, pathOf(early.user_code), 'allow'), 200)
    const late = await approve(realm.admin, one, { scope: 'openid offline_access' })
    for (const code of [early.device_code, late]) {
      const { body } = await must(pollDevice(realm, one, code), 200)
      expect([body.scope, body.refresh_token]).toEqual(['openid', undefined])
    }
    const resource = 'https://api.example.org'
    expect((await beginDevice(realm, one, { resource })).body.error).toBe('invalid_target')
    expect((await beginCiba(realm, bank, { login_hint: 'admin', resource })).body.error).toBe('invalid_target')
    const form = { grant_type: deviceGrant, device_code: await approve(realm.admin, one), resource }
    expect((await requestToken(realm, one, form)).body.error).toBe('invalid_target')
  })
})
