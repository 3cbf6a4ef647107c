// S30, S45, S50 for programs that ask a person elsewhere: how they begin, and what they are told while they wait.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { answerWaiting, modelId } from '../../src/domain/tokens/index.ts'
import {
  addPerson,
  answerPage,
  api,
  authorize,
  basic,
  beginCiba,
  beginDevice,
  createClientIn,
  createRealmFor,
  deviceGrant,
  issuerOf,
  must,
  pollDevice,
  redirectUri,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'

const device = { publicClient: true, redirectUris: [], grantTypes: ['device', 'refresh_token'] }
let realm: TestRealm
let tv: TestClient
let bank: TestClient

beforeAll(async () => {
  realm = await createRealmFor()
  await must(realm.call('PUT', '/settings', { bruteForce: { maxFailures: 5, perIpMaxPerMinute: 10_000 } }), 200)
  tv = await createClientIn(realm, { ...device, consentRequired: true })
  bank = await createClientIn(realm, { redirectUris: [], grantTypes: ['CIBA', 'refresh_token'] })
})

const begin = async (form: Record<string, string> = {}, client = tv) =>
  (await must(beginDevice(realm, client, form), 200)).body as { device_code: string; user_code: string }
const send = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  api(`${issuerOf(realm)}/token`, 'POST', { form, headers })

describe('an application that waits', () => {
  let guarded: TestClient
  let code: string
  beforeAll(async () => {
    guarded = await createClientIn(realm, { redirectUris: [], grantTypes: ['device'] })
    code = (await begin({}, guarded)).device_code
  })

  test('is not told anything with a wrong secret, none, one sent in another way, or something unreadable', async () => {
    const form = { grant_type: deviceGrant, device_code: code }
    const named = { ...form, client_id: guarded.clientId }
    const answers = [
      await send(form, basic({ ...guarded, secret: 'x'.repeat(43) })),
      await send(named),
      await send({ ...named, client_secret: guarded.secret! }),
      await send({ ...form, client_id: tv.clientId }),
      await send(form, basic(await createClientIn(realm, { redirectUris: [], grantTypes: ['device'] }))),
    ]
    const errors = answers.map(({ body }) => body.error)
    expect(errors).toEqual([...Array(3).fill('invalid_client'), 'invalid_grant', 'invalid_grant'])
    const open = await begin()
    const own = { grant_type: deviceGrant, device_code: open.device_code, client_id: tv.clientId }
    for (const authorization of ['Bearer x', basic(bank).authorization!, '?'])
      expect((await send(own, { authorization })).body.error, authorization).toBe('invalid_request')
  })

  test('does not lose its turn by what others try with its code', async () => {
    await send({ grant_type: deviceGrant, device_code: code, client_id: tv.clientId })
    expect((await pollDevice(realm, guarded, code)).body.error).toBe('authorization_pending')
  })

  test('gets the first answer and no other, whichever it was', async () => {
    const [refused, allowed] = [await begin(), await begin()]
    const path = `/realms/${realm.realmId}/device?user_code=${allowed.user_code}`
    await must(answerPage(realm.admin, path, 'allow'), 200)
    const answer = { payload: { error: 'access_denied' }, grantId: null, userId: realm.adminId, offline: false }
    const { session_id: sessionId } = await realm.run((ctx) =>
      sql<{ session_id: string }>`select id as session_id from sessions where realm_id = ${realm.realmId} limit 1`
        .execute(ctx.tx)
        .then(({ rows }) => rows[0]!),
    )
    const give = ({ device_code: code }: { device_code: string }) =>
      realm.run((ctx) =>
        answerWaiting(ctx.tx, realm.realmId, { ...answer, id: modelId('DeviceCode', code), sessionId }),
      )
    expect([await give(refused), await give(refused), await give(allowed)]).toEqual([true, false, false])
  })

  test('keeps the pace also where the engine answers', async () => {
    const { device_code: waiting } = await begin()
    const form = { grant_type: deviceGrant, device_code: waiting, client_id: tv.clientId, more: 'x' }
    expect((await send(form)).body.error).toBe('authorization_pending')
    expect((await send(form)).body.error).toBe('slow_down')
  })

  test('hears at once that it may no longer use the grant, or not without a proof of its key', async () => {
    const one = await createClientIn(realm, { ...device })
    const { device_code: waiting } = await begin({}, one)
    await must(realm.call('PATCH', `/clients/${one.id}`, { dpopBoundAccessTokens: true }), 200)
    expect((await pollDevice(realm, one, waiting)).body.error).toBe('invalid_dpop_proof')
    await must(realm.call('PATCH', `/clients/${one.id}`, { dpopBoundAccessTokens: false, enabled: false }), 200)
    expect((await pollDevice(realm, one, waiting)).body.error).toBe('invalid_client')
    const change = { enabled: true, grantTypes: ['authorization_code'], redirectUris: [redirectUri] }
    await must(realm.call('PATCH', `/clients/${one.id}`, change), 200)
    expect((await pollDevice(realm, one, waiting)).body.error).toBe('unauthorized_client')
  })
})

describe('a request begins only', () => {
  test.each([
    ['a name with NUL', { login_hint: 'ad\0min' }],
    ['a nonce with NUL', { login_hint: 'admin', nonce: '\0' }],
    ['a claim with NUL', { login_hint: 'admin', claims: String.raw`{"id_token":{"a\u0000":null}}` }],
    ['half a character', { login_hint: 'admin', claims: String.raw`{"userinfo":{"a":{"value":"\ud800"}}}` }],
    ['a class that is no text', { login_hint: 'admin', claims: '{"id_token":{"acr":{"value":5}}}' }],
    ['classes that are no list', { login_hint: 'admin', claims: '{"id_token":{"acr":{"values":{}}}}' }],
    ['classes of which one is no text', { login_hint: 'admin', claims: '{"id_token":{"acr":{"values":[null]}}}' }],
  ])('with what can be kept and answered: not with %s', async (_what, form) => {
    const { status, body } = await beginCiba(realm, bank, form as unknown as Record<string, string>)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })

  test('with the same at a device and at a browser', async () => {
    expect((await beginDevice(realm, tv, { nonce: '\0' })).body.error).toBe('invalid_request')
    const client = await createClientIn(realm)
    expect((await authorize(realm, client, { params: { state: 'a\0b' } })).params.error).toBe('invalid_request')
  })

  test('with a hint that is understood, for as long as somebody needs to answer', async () => {
    expect((await beginCiba(realm, bank, { login_hint_token: 'x' })).body.error_description).toContain('not supported')
    expect((await beginCiba(realm, bank, { login_hint: 'admin', requested_expiry: '1' })).body.expires_in).toBe(30)
  })

  test('for people: not for a machine, nor for somebody who is shut out', async () => {
    await createClientIn(realm, { clientId: 'robot', grantTypes: ['client_credentials'] })
    const { userId } = await addPerson(realm, 'shut-out')
    await must(realm.call('PATCH', `/users/${userId}`, { enabled: false }), 200)
    for (const hint of ['service-account-robot', 'shut-out', 'shut-out@example.org'])
      expect((await beginCiba(realm, bank, { login_hint: hint })).body.error, hint).toBe('unknown_user_id')
  })

  test('with an ID token of this client that names an account', async () => {
    const grantTypes = ['authorization_code', 'CIBA', 'refresh_token']
    const subjectClaim = { strategy: 'PAIRWISE', attribute: null }
    const plain = await createClientIn(realm, { grantTypes })
    const pairwise = await createClientIn(realm, { grantTypes, subjectClaim })
    const [own, hidden] = [await signInTo(realm, plain), await signInTo(realm, pairwise)]
    expect((await beginCiba(realm, plain, { id_token_hint: own.id_token! })).status).toBe(200)
    for (const [client, hint] of [
      [bank, own.id_token],
      [plain, own.access_token],
      [pairwise, hidden.id_token],
    ] as [TestClient, string][])
      expect((await beginCiba(realm, client, { id_token_hint: hint })).body.error).toBe('invalid_request')
  })
})
