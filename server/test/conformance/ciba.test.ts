// The plan of FAPI-CIBA in poll mode with private_key_jwt. It binds tokens to certificates; here they are bound by DPoP.
import { randomUUID } from 'node:crypto'
import { UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  answerPage,
  api,
  approvalPath,
  cibaGrant,
  createClientIn,
  issuerOf,
  must,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { assertAs, type ClientKey, makeKey, signRequest } from '../harness/signing.ts'
import { createUnmovedRealm } from '../relying-parties/unmoved-node.ts'
import { breakSignature, invalidAssertions, nowInSeconds } from './fapi-party.ts'

interface Asking {
  client: TestClient
  key: ClientKey
  config: openid.Configuration
  DPoP: openid.DPoPHandle
}

let realm: TestRealm
let issuer: string
/** RS256 is not for these clients, although the key is theirs. */
let rsa: ClientKey
let one: Asking
let two: Asking

beforeAll(async () => {
  realm = await createUnmovedRealm()
  issuer = issuerOf(realm)
  rsa = await makeKey('RS256')
  ;[one, two] = await Promise.all([createAsking(await makeKey('PS256')), createAsking(await makeKey('ES256'))])
})

async function createAsking(key: ClientKey): Promise<Asking> {
  const client = await createClientIn(realm, {
    ...{ securityProfile: 'FAPI2', tokenEndpointAuthMethod: 'private_key_jwt', redirectUris: [] },
    ...{ grantTypes: ['CIBA', 'refresh_token'], jwks: { keys: [key.jwk, rsa.jwk] } },
  })
  const by = openid.PrivateKeyJwt({ key: key.privateKey, kid: key.kid })
  const execute = [openid.allowInsecureRequests, openid.enableNonRepudiationChecks]
  const config = await openid.discovery(new URL(issuer), client.clientId, undefined, by, { execute })
  return { client, key, config, DPoP: openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256')) }
}

type Members = Record<string, unknown>

/** What the suite sends: every parameter within the signed request. Undefined leaves a claim out. */
const sign = ({ client, key }: Asking, members: Members = {}, by = key) =>
  signRequest(
    by,
    client.clientId,
    issuer,
    { scope: 'openid', login_hint: 'admin', iat: nowInSeconds(), jti: randomUUID() },
    { claims: members },
  )

async function begin(asking: Asking, members: Members = {}) {
  const answer = await openid.initiateBackchannelAuthentication(asking.config, { request: await sign(asking, members) })
  expect(answer).toMatchObject({ auth_req_id: expect.stringMatching(/^[\w-]{22,}$/), interval: 5 })
  return answer
}

const decide = (id: string, decision: 'allow' | 'deny') =>
  must(answerPage(realm.admin, approvalPath(realm, id), decision), 200)
const poll = ({ config, DPoP }: Asking, id: string) =>
  openid.genericGrantRequest(config, cibaGrant, { auth_req_id: id }, { DPoP })
const expectPending = (asking: Asking, id: string) =>
  expect(poll(asking, id)).rejects.toMatchObject({ status: 400, error: 'authorization_pending' })

async function succeed(asking: Asking, members: Members = {}) {
  const { auth_req_id: id, expires_in } = await begin(asking, members)
  await expectPending(asking, id)
  await decide(id, 'allow')
  const tokens = await poll(asking, id)
  expect(tokens).toMatchObject({ token_type: 'dpop', access_token: expect.any(String), expires_in: expect.any(Number) })
  const claims = tokens.claims()!
  expect(claims).toMatchObject({ iss: issuer, aud: asking.client.clientId, sub: realm.adminId })
  return { id, expires_in, tokens, claims }
}

const send = async (path: string, form: Record<string, string>, asking = one, by = asking.key) =>
  api(issuer + path, 'POST', { form: { ...form, ...(await assertAs(by, asking.client.clientId, issuer)) } })

/** CIBA section 13. */
async function expectRefused(request: string | Members): Promise<void> {
  const answer = await send('/bc-authorize', {
    request: typeof request === 'string' ? request : await sign(one, request),
  })
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
  expect(answer.body.error_description).toMatch(/^[ !#-[\]-~]+$/)
  expect(answer.headers['content-type']).toMatch(/^application\/json/)
}

describe('fapi-ciba-id1-test-plan', () => {
  test('fapi-ciba-id1-discovery-end-point-verification', () => {
    const document = one.config.serverMetadata()
    expect(document).toMatchObject({
      issuer,
      backchannel_authentication_endpoint: `${issuer}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll'],
      grant_types_supported: expect.arrayContaining([cibaGrant]),
      id_token_signing_alg_values_supported: expect.arrayContaining(['PS256']),
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
      backchannel_authentication_request_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
      jwks_uri: expect.stringContaining(issuer),
    })
    expect(document.backchannel_user_code_parameter_supported).toBe(false)
  })

  test('fapi-ciba-id1: two clients, each with what was granted to it, and once', async () => {
    const first = await succeed(one)
    await openid.fetchUserInfo(one.config, first.tokens.access_token, first.claims.sub, one)
    const inQuery = await api(`${issuer}/userinfo?access_token=${first.tokens.access_token}`, 'GET')
    expect(inQuery.status).toBeGreaterThanOrEqual(400)
    const second = await succeed(two, { requested_expiry: 300, acr_values: 'urn:gatehouse:acr:1' })
    expect([second.expires_in, second.claims.acr]).toEqual([300, 'urn:gatehouse:acr:1'])
    await openid.fetchUserInfo(two.config, second.tokens.access_token, second.claims.sub, two)
    const stolen = openid.fetchUserInfo(one.config, second.tokens.access_token, second.claims.sub, one)
    await expect(stolen).rejects.toMatchObject({ status: 401 })
    await expect(poll(two, second.id)).rejects.toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('fapi-ciba-id1-user-rejects-authentication', async () => {
    const { auth_req_id: id } = await begin(one)
    await decide(id, 'deny')
    await expect(poll(one, id)).rejects.toMatchObject({ status: 400, error: 'access_denied' })
  })

  test('fapi-ciba-id1-multiple-call-to-token-endpoint: pending, and then slower', async () => {
    const { auth_req_id: id } = await begin(one)
    await expectPending(one, id)
    await expect(poll(one, id)).rejects.toMatchObject({ status: 400, error: 'slow_down' })
    await decide(id, 'allow')
  })

  test('fapi-ciba-id1-auth-req-id-expired', async () => {
    const { auth_req_id: id, expires_in } = await begin(one, { requested_expiry: 30 })
    expect(expires_in).toBe(30)
    await realm.run((ctx) =>
      sql`update oidc_models set payload = jsonb_set(payload, '{exp}', '1')
        where realm_id = ${realm.realmId} and model = 'BackchannelAuthenticationRequest'`.execute(ctx.tx),
    )
    await expect(poll(one, id)).rejects.toMatchObject({ status: 400, error: 'expired_token' })
  })

  test('fapi-ciba-id1-ensure-authorization-request-with-binding-message-succeeds', () =>
    succeed(one, { binding_message: '1234' }))

  test('fapi-ciba-id1-ensure-other-scope-order-succeeds', async () => {
    const { tokens } = await succeed(one, { scope: 'profile openid' })
    expect(tokens.scope!.split(' ').toSorted()).toEqual(['openid', 'profile'])
  })

  test('fapi-ciba-id1-ensure-requested-expiry-as-string-succeeds', async () => {
    expect((await succeed(one, { requested_expiry: '30' })).expires_in).toBe(30)
  })

  test('fapi-ciba-id1-ensure-authorization-request-with-potentially-bad-binding-message', async () => {
    const unusual = '1234 👍🏿 品川'
    const long = `${unusual} Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt.`
    const refused = await send('/bc-authorize', { request: await sign(one, { binding_message: long }) })
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_binding_message'])
    const { auth_req_id: id } = await begin(one, { binding_message: unusual })
    const page = await realm.admin.get(approvalPath(realm, id), { headers: { accept: 'text/html' } })
    expect(page.text).toContain(unusual)
    await decide(id, 'allow')
  })
})

describe('fapi-ciba-id1-test-plan: signed requests', () => {
  test('fapi-ciba-id1-ensure-request-object-missing-aud-fails', () => expectRefused({ aud: undefined }))
  test('fapi-ciba-id1-ensure-request-object-bad-aud-fails', () => expectRefused({ aud: 'https://other.example' }))
  test('fapi-ciba-id1-ensure-request-object-missing-iss-fails', () => expectRefused({ iss: undefined }))
  test('fapi-ciba-id1-ensure-request-object-bad-iss-fails', () => expectRefused({ iss: two.client.clientId }))
  test('fapi-ciba-id1-ensure-request-object-missing-exp-fails', () => expectRefused({ exp: undefined }))
  test('fapi-ciba-id1-ensure-request-object-expired-exp-fails', () => expectRefused({ exp: nowInSeconds() - 300 }))
  test('fapi-ciba-id1-ensure-request-object-exp-is-70-minutes-in-future-fails', () =>
    expectRefused({ exp: nowInSeconds() + 70 * 60 }))
  test('fapi-ciba-id1-ensure-request-object-missing-iat-fails', () => expectRefused({ iat: undefined }))
  test('fapi-ciba-id1-ensure-request-object-missing-nbf-fails', () => expectRefused({ nbf: undefined }))
  test('fapi-ciba-id1-ensure-request-object-nbf-is-10-minutes-in-future-fails', () =>
    expectRefused({ nbf: nowInSeconds() + 600, exp: nowInSeconds() + 900 }))
  test('fapi-ciba-id1-ensure-request-object-nbf-is-70-minutes-in-past-fails', () =>
    expectRefused({ nbf: nowInSeconds() - 70 * 60 }))
  test('fapi-ciba-id1-ensure-request-object-missing-jti-fails', () => expectRefused({ jti: undefined }))

  test('fapi-ciba-id1-ensure-request-object-signature-algorithm-is-none-fails', async () => {
    const now = nowInSeconds()
    const own = { iss: one.client.clientId, aud: issuer, iat: now, nbf: now, exp: now + 300, jti: randomUUID() }
    await expectRefused(new UnsecuredJWT({ ...own, scope: 'openid', login_hint: 'admin' }).encode())
  })
  test('fapi-ciba-id1-ensure-request-object-signature-algorithm-is-bad-fails', async () =>
    expectRefused(breakSignature(await sign(one))))
  test('fapi-ciba-id1-ensure-request-object-signature-algorithm-is-RS256-fails', async () =>
    expectRefused(await sign(one, {}, rsa)))
  test('fapi-ciba-id1-ensure-request-object-signed-by-other-client-fails', async () =>
    expectRefused(await sign(one, {}, two.key)))
  test('fapi-ciba-id1-ensure-authorization-request-with-multiple-hints-fails', async () => {
    const { tokens } = await succeed(one)
    await expectRefused({ id_token_hint: tokens.id_token })
  })
})

describe('fapi-ciba-id1-test-plan: clients', () => {
  test('fapi-ciba-id1-ensure-wrong-auth-req-id-in-token-endpoint-request', async () => {
    const { auth_req_id: id } = await begin(one)
    await expect(poll(two, id)).rejects.toMatchObject({ status: 400, error: 'invalid_grant' })
    await decide(id, 'allow')
  })

  test('fapi-ciba-id1-ensure-without-client-assertion-in-token-endpoint-request', async () => {
    const { auth_req_id: id } = await begin(one)
    const form = { grant_type: cibaGrant, auth_req_id: id, client_id: one.client.clientId }
    const { status, body } = await api(`${issuer}/token`, 'POST', { form })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    await decide(id, 'allow')
  })

  test('fapi-ciba-id1-ensure-without-client-assertion-in-backchannel-authorization-request', async () => {
    const form = { request: await sign(one), client_id: one.client.clientId }
    const { status, body } = await api(`${issuer}/bc-authorize`, 'POST', { form })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
  })

  test('fapi-ciba-id1-ensure-client-assertion-signature-algorithm-in-backchannel-authorization-request-is-RS256-fails', async () => {
    const { status, body } = await send('/bc-authorize', { request: await sign(one) }, one, rsa)
    expect([status, body.error]).toEqual([401, 'invalid_client'])
  })

  test('fapi-ciba-id1-ensure-client-assertion-signature-algorithm-in-token-endpoint-request-is-RS256-fails', async () => {
    const { auth_req_id: id } = await begin(one)
    const { status, body } = await send('/token', { grant_type: cibaGrant, auth_req_id: id }, one, rsa)
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    await decide(id, 'allow')
  })

  test('fapi-ciba-id1-ensure-client-assertion-with-iss-aud-to-token-endpoint-succeeds', async () => {
    // It is the only audience that these clients may use, and what every other module here sends.
    const { auth_req_id: id } = await begin(one)
    await expectPending(one, id)
    await decide(id, 'allow')
  })

  test('fapi-ciba-id1-ensure-invalid-client-assertions-in-backchannel-authorization-request-fail', async () => {
    for (const [name, form] of await invalidAssertions(one.key, rsa, one.client.clientId, issuer)) {
      const request = await sign(one)
      const { status, body } = await api(`${issuer}/bc-authorize`, 'POST', { form: { request, ...form } })
      expect([400, 401], `${name}: ${status}`).toContain(status)
      expect(['invalid_client', 'invalid_request'], name).toContain(body.error)
    }
    await succeed(one)
  })

  test('fapi-ciba-id1-refresh-token: gives new tokens, to the client it was issued to', async () => {
    for (const asking of [one, two]) {
      const { tokens, claims } = await succeed(asking)
      const { config, DPoP } = asking
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP })
      expect(refreshed.claims()).toMatchObject({ sub: claims.sub, aud: claims.aud, auth_time: claims.auth_time })
      await openid.fetchUserInfo(config, refreshed.access_token, claims.sub, { DPoP })
      const other = asking === one ? two : one
      const stolen = openid.refreshTokenGrant(other.config, refreshed.refresh_token!, undefined, other)
      await expect(stolen).rejects.toMatchObject({ status: 400, error: 'invalid_grant' })
    }
  })
})
