import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  authorize,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  redeem,
  refresh,
  requestToken,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../../../test/harness/index.ts'

let realm: TestRealm
let client: TestClient

beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm)
})

const userinfo = (token: string) =>
  api(`${issuerOf(realm)}/userinfo`, 'GET', { headers: { authorization: `Bearer ${token}` } })
const introspect = (token: string, as = client) =>
  api(`${issuerOf(realm)}/introspect`, 'POST', { form: { token }, headers: basic(as) })
const revoke = (token: string, as = client) =>
  api(`${issuerOf(realm)}/revoke`, 'POST', { form: { token }, headers: basic(as) })

describe('a sign-in through OpenID Connect', () => {
  test('goes through the sign-in page and back to the application', async () => {
    const { params, answer } = await authorize(realm, client)
    expect(answer.status).toBe(303)
    expect(params).toEqual({ code: expect.any(String), state: 'some-state', iss: issuerOf(realm) })
  })

  test('ends with an access token of RFC 9068 and an ID token', async () => {
    const tokens = await signInTo(realm, client, { params: { scope: 'openid profile roles' } })
    expect(decodeProtectedHeader(tokens.access_token!)).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
    expect(decodeJwt(tokens.access_token!)).toMatchObject({
      iss: issuerOf(realm),
      aud: issuerOf(realm),
      sub: realm.adminId,
      client_id: client.clientId,
      scope: 'openid profile roles',
      acr: 'urn:gatehouse:acr:1',
      amr: ['pwd'],
      roles: ['admin', 'user'],
      realm_access: { roles: ['admin', 'user'] },
      sid: expect.any(String),
      jti: expect.any(String),
      auth_time: expect.any(Number),
    })
    const idToken = decodeJwt(tokens.id_token!)
    expect(idToken).toMatchObject({
      iss: issuerOf(realm),
      aud: client.clientId,
      sub: realm.adminId,
      nonce: 'some-nonce',
      preferred_username: 'admin',
    })
    expect(idToken).not.toHaveProperty('roles')
  })
})

describe('userinfo', () => {
  test('tells what the scopes of the token allow', async () => {
    const tokens = await signInTo(realm, client, { params: { scope: 'openid profile' } })
    const answer = await userinfo(tokens.access_token!)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ sub: realm.adminId, preferred_username: 'admin', name: 'admin' })
    expect(answer.body).not.toHaveProperty('email')
  })

  test('S29: refuses an ID token and a refresh token', async () => {
    const tokens = await signInTo(realm, client)
    for (const token of [tokens.id_token!, tokens.refresh_token!]) {
      expect((await userinfo(token)).status).toBe(401)
    }
  })
})

describe('introspection', () => {
  test('tells the client about its own tokens, also those that carry their own proof', async () => {
    const tokens = await signInTo(realm, client, { params: { scope: 'openid roles' } })
    const access = await introspect(tokens.access_token!)
    expect(access.body).toMatchObject({ active: true, sub: realm.adminId, token_type: 'Bearer', scope: 'openid roles' })
    const own = await introspect(tokens.refresh_token!)
    expect(own.body).toMatchObject({ active: true, client_id: client.clientId })
  })

  test('S29: tells another client nothing, unless the token is meant for it', async () => {
    const other = await createClientIn(realm)
    const tokens = await signInTo(realm, client)
    expect((await introspect(tokens.access_token!, other)).body).toEqual({ active: false })
    const speaking = await createClientIn(realm, { audiences: [other.clientId] })
    const meant = await signInTo(realm, speaking)
    expect((await introspect(meant.access_token!, other)).body).toMatchObject({ active: true })
  })
})

describe('revocation', () => {
  test('of an access token voids that token and nothing else', async () => {
    const tokens = await signInTo(realm, client)
    expect((await revoke(tokens.access_token!)).status).toBe(200)
    expect((await userinfo(tokens.access_token!)).status).toBe(401)
    expect((await introspect(tokens.access_token!)).body).toEqual({ active: false })
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(200)
  })

  test('of a refresh token ends the sign-in at this client', async () => {
    const tokens = await signInTo(realm, client)
    expect((await revoke(tokens.refresh_token!)).status).toBe(200)
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(400)
    expect((await userinfo(tokens.access_token!)).status).toBe(401)
  })

  test('S29: is refused to other clients', async () => {
    const other = await createClientIn(realm)
    const tokens = await signInTo(realm, client)
    await revoke(tokens.access_token!, other)
    await revoke(tokens.refresh_token!, other)
    expect((await userinfo(tokens.access_token!)).status).toBe(200)
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(200)
  })
})

describe('a refresh token', () => {
  test('S26: is replaced at each use, and within its grace answered with the same successor', async () => {
    const tokens = await signInTo(realm, client)
    const first = await refresh(realm, client, tokens.refresh_token!)
    const again = await refresh(realm, client, tokens.refresh_token!)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(first.body.refresh_token).not.toBe(tokens.refresh_token)
    expect(again.body.refresh_token).toBe(first.body.refresh_token)
  })

  test('S26: used again once its successor is in use ends the whole family, and is told', async () => {
    const tokens = await signInTo(realm, client)
    const first = await refresh(realm, client, tokens.refresh_token!)
    const second = await refresh(realm, client, first.body.refresh_token)
    expect((await refresh(realm, client, tokens.refresh_token!)).body.error).toBe('invalid_grant')
    expect((await refresh(realm, client, second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await userinfo(second.body.access_token)).status).toBe(401)
    const [event] = await realm.events('&type=REFRESH_TOKEN_REUSE')
    expect(event).toMatchObject({ category: 'SECURITY', actor: realm.adminId, clientId: client.clientId })
  })

  test('S26: is of no use to another client', async () => {
    const other = await createClientIn(realm)
    const tokens = await signInTo(realm, client)
    expect((await refresh(realm, other, tokens.refresh_token!)).body.error).toBe('invalid_grant')
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(200)
  })
})

describe('an authorization code', () => {
  test('S25: is good once; a second use ends what the first gave', async () => {
    const authorization = await authorize(realm, client)
    const first = await redeem(realm, client, authorization)
    expect(first.status).toBe(200)
    expect((await redeem(realm, client, authorization)).body.error).toBe('invalid_grant')
    expect((await refresh(realm, client, first.body.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('client_credentials', () => {
  test('gives the service account a token with its roles', async () => {
    const machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
    const answer = await requestToken(realm, machine, { grant_type: 'client_credentials', scope: 'roles' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).not.toHaveProperty('refresh_token')
    const { body: record } = await realm.call('GET', `/clients/${machine.id}`)
    expect(decodeJwt(answer.body.access_token)).toMatchObject({
      sub: record.serviceAccountUserId,
      client_id: machine.clientId,
      scope: 'roles',
      roles: ['user'],
    })
    expect((await introspect(answer.body.access_token, machine)).body).toMatchObject({
      active: true,
      sub: record.serviceAccountUserId,
    })
  })

  test('S28: refuses a scope that the client does not have', async () => {
    const machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
    for (const scope of ['groups', 'no-such-scope']) {
      const answer = await requestToken(realm, machine, { grant_type: 'client_credentials', scope })
      expect(answer.body.error).toBe('invalid_scope')
    }
  })

  test('is counted by client and shown with the sessions', async () => {
    const machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
    for (let at = 0; at < 3; at++) await requestToken(realm, machine, { grant_type: 'client_credentials' })
    await realm.node.services.eventBatch.flush()
    const { body } = await realm.call('GET', '/sessions/service-accounts')
    expect(body).toContainEqual(expect.objectContaining({ clientId: machine.clientId, activeTokens: 3 }))
    const events = await realm.events(`&type=TOKEN_ISSUED&clientId=${machine.clientId}`)
    expect(events).toHaveLength(3)
    expect(events[0]).toMatchObject({ actor: `client:${machine.clientId}` })
  })
})

describe('the admin API', () => {
  test('takes an access token made for it, and its subject’s roles count', async () => {
    const resource = `${realm.node.url}/admin`
    const machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
    const ask = () => requestToken(realm, machine, { grant_type: 'client_credentials', resource })
    expect((await ask()).body.error).toBe('invalid_target')
    await realm.call('PUT', `/clients/${machine.id}/allowed-resources`, { allowedResources: [resource] })
    const { access_token: token } = (await ask()).body
    const list = () =>
      api(`${realm.node.url}/admin/realms/${realm.realmId}/users`, 'GET', {
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await list()).status).toBe(403)
    expect((await realm.call('POST', `/clients/${machine.id}/service-account/roles`, { name: 'auditor' })).status).toBe(
      201,
    )
    expect((await list()).status).toBe(200)
    const plain = await requestToken(realm, machine, { grant_type: 'client_credentials' })
    const wrong = await api(`${realm.node.url}/admin/realms/${realm.realmId}/users`, 'GET', {
      headers: { authorization: `Bearer ${plain.body.access_token}` },
    })
    expect(wrong.status).toBe(401)
  })
})
