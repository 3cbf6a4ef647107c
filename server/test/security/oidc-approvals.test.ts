// S25, S27, S40 for requests that a person answers elsewhere: device codes, their user codes, and CIBA, on two nodes.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  answerPage,
  approvalPath,
  beginCiba,
  beginDevice,
  createBrowser,
  createClientIn,
  createRealmFor,
  isSignedIn,
  must,
  passPassword,
  pollCiba,
  pollDevice,
  refresh,
  requestToken,
  type TestClient,
  type TestNode,
  typeUserCode,
} from '../harness/index.ts'
import { atOnce, openPair, type Pair, startSecondNode, twinOf } from './two-nodes.ts'

const maxFailures = 5
let second: TestNode
let pair: Pair
let tv: TestClient
let bank: TestClient

beforeAll(async () => {
  second = await startSecondNode()
  pair = await openPair(second)
  await must(pair.realm.call('PUT', '/settings', { bruteForce: { maxFailures, perIpMaxPerMinute: 10_000 } }), 200)
  const device = { publicClient: true, redirectUris: [], grantTypes: ['device', 'refresh_token'] }
  tv = await createClientIn(pair.realm, device)
  bank = await createClientIn(pair.realm, { redirectUris: [], grantTypes: ['CIBA', 'refresh_token'] })
})
afterAll(() => second?.stop())

const begin = async () => (await must(beginDevice(pair.realm, tv), 200)).body as Record<string, string>
const pathOf = (userCode: string) => `/realms/${pair.realm.realmId}/device?user_code=${userCode}`

/** A device whose request somebody said yes to. */
async function beginAnswered(browser = pair.realm.admin) {
  const device = await begin()
  await must(answerPage(browser, pathOf(device.user_code!), 'allow'), 200)
  return device.device_code!
}

describe('S40: 200 tries at once on two nodes', () => {
  test('of user codes are looked up no more often than the limit; the sign-in of the person is not touched', async () => {
    const { user_code: right } = await begin()
    const { browser, username } = await pair.realm.signInWith([])
    const twins = new Map(pair.bases.map((base) => [base, twinOf(browser, base)]))
    const answers = await atOnce(pair, 200, (base) => typeUserCode(pair.realm, twins.get(base)!, 'BCDF-GHJK'))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(maxFailures)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - maxFailures)
    expect((await typeUserCode(pair.realm, twins.get(second.url)!, right!)).status).toBe(429)
    const again = await passPassword(pair.realm, username)
    expect(isSignedIn(again.browser, pair.realm)).toBe(true)
  })

  test('to ask one person reach them no more often than the limit, and a yes begins anew', async () => {
    await addPerson(pair.realm, 'pestered')
    const hint = { login_hint: 'pestered' }
    const answers = await atOnce(pair, 200, (base) => beginCiba(pair.realm, bank, hint, base))
    const asked = answers.filter(({ status }) => status === 200)
    expect(asked).toHaveLength(maxFailures)
    expect(new Set(answers.map(({ body }) => body.error))).toEqual(new Set([undefined, 'access_denied']))
    const { browser } = await passPassword(pair.realm, 'pestered')
    await must(answerPage(browser, approvalPath(pair.realm, asked[0]!.body.auth_req_id), 'allow'), 200)
    expect((await beginCiba(pair.realm, bank, hint)).status).toBe(200)
  })
})

describe('S25: an answered request', () => {
  test('is redeemed once by 100 polls at once, and every second use ends what the first one got', async () => {
    const code = await beginAnswered()
    const answers = await atOnce(pair, 100, (base) => pollDevice(pair.realm, tv, code, base))
    const [first, ...others] = answers.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    expect((await refresh(pair.realm, tv, first!.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('is worth nothing in the place of another kind of code', async () => {
    const [device, ciba] = [await beginAnswered(), (await beginCiba(pair.realm, bank, { login_hint: 'admin' })).body]
    const code = { grant_type: 'authorization_code', code: device, redirect_uri: 'https://app.example.org/callback' }
    const both = await createClientIn(pair.realm, {
      grantTypes: ['authorization_code', 'device', 'CIBA', 'refresh_token'],
    })
    for (const answer of await Promise.all([
      requestToken(pair.realm, both, { ...code, code_verifier: 'v'.repeat(43) }),
      refresh(pair.realm, both, device),
      pollCiba(pair.realm, both, device),
      pollDevice(pair.realm, both, ciba.auth_req_id),
      pollDevice(pair.realm, both, (await begin()).user_code!),
    ]))
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant'])
  })

  test('gives nothing once the person is disabled, their session ended, or the client disabled', async () => {
    const { browser, userId } = await pair.realm.signInWith([])
    const [disabled, ended] = [await beginAnswered(browser), await beginAnswered(browser)]
    await must(browser.write('POST', `/realms/${pair.realm.realmId}/login/logout`), 303)
    expect((await pollDevice(pair.realm, tv, ended, second.url)).body.error).toBe('invalid_grant')
    await must(pair.realm.call('PATCH', `/users/${userId}`, { enabled: false }), 200)
    expect((await pollDevice(pair.realm, tv, disabled, second.url)).body.error).toBe('invalid_grant')
    const other = await createClientIn(pair.realm, { publicClient: true, redirectUris: [], grantTypes: ['device'] })
    const { body } = await beginDevice(pair.realm, other)
    await must(answerPage(pair.realm.admin, pathOf(body.user_code), 'allow'), 200)
    await must(pair.realm.call('PATCH', `/clients/${other.id}`, { enabled: false }), 200)
    expect((await pollDevice(pair.realm, other, body.device_code, second.url)).body.error).toBe('invalid_client')
  })

  test('of one realm is unknown in every other', async () => {
    const other = await createRealmFor()
    const twin = await createClientIn(other, {
      clientId: tv.clientId,
      publicClient: true,
      redirectUris: [],
      grantTypes: ['device'],
    })
    const { user_code: userCode } = await begin()
    expect((await typeUserCode(other, other.admin, userCode!)).status).toBe(400)
    expect((await pollDevice(other, twin, await beginAnswered())).body.error).toBe('invalid_grant')
  })

  test('cannot be given in the name of a person by whoever acts for them', async () => {
    const { user_code: userCode } = await begin()
    const { browser, userId } = await pair.realm.signInWith([])
    await pair.realm.run((ctx) =>
      sql`update sessions set impersonator_id = ${pair.realm.adminId}
        where realm_id = ${pair.realm.realmId} and user_id = ${userId}`.execute(ctx.tx),
    )
    expect((await typeUserCode(pair.realm, browser, userCode!)).status).toBe(403)
  })
})

describe('S27: whoever is not listed for a grant', () => {
  test('neither begins nor ends with it', async () => {
    const plain = await createClientIn(pair.realm)
    const begun = await Promise.all([
      beginDevice(pair.realm, plain),
      beginCiba(pair.realm, plain, { login_hint: 'admin' }),
      beginCiba(pair.realm, tv, { login_hint: 'admin' }),
    ])
    for (const answer of begun) expect([400, 401]).toContain(answer.status)
    const code = await beginAnswered()
    for (const answer of [await pollDevice(pair.realm, plain, code), await pollCiba(pair.realm, plain, code)]) {
      expect(answer.status).toBe(400)
      expect(answer.body).not.toHaveProperty('access_token')
    }
    // What the others tried took nothing from the device.
    expect((await pollDevice(pair.realm, tv, code)).status).toBe(200)
  })

  test('even when somebody is not signed in, nothing is told of a code', async () => {
    const { user_code: right } = await begin()
    const stranger = () => createBrowser(pair.realm.node.url)
    const [good, bad] = [
      await typeUserCode(pair.realm, stranger(), right!),
      await typeUserCode(pair.realm, stranger(), 'BCDF-GHJK'),
    ]
    expect([good.status, bad.status]).toEqual([303, 303])
  })
})
