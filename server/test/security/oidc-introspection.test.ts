// S29: only the client of a token and those it is meant for learn about it or end it, and one kind of token is never another.
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSigningKey } from '../../src/domain/keys/index.ts'
import {
  api,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  refresh,
  requestToken,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../harness/index.ts'
import { askAdminApi, askUserinfo, introspect } from './two-nodes.ts'

let realm: TestRealm
let client: TestClient
let other: TestClient
let machine: TestClient
let open: TestClient
beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm)
  other = await createClientIn(realm)
  machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
  open = await createClientIn(realm, { publicClient: true })
})

const revoke = (token: string, as: TestClient, more: Record<string, string> = {}) =>
  api(`${issuerOf(realm)}/revoke`, 'POST', {
    form: { token, ...more, ...(as.secret === null ? { client_id: as.clientId } : {}) },
    headers: as.secret === null ? {} : basic(as),
  })
const machineToken = async () =>
  (await requestToken(realm, machine, { grant_type: 'client_credentials' })).body.access_token as string

describe('S29: introspection', () => {
  test('answers a stranger as if the token did not exist', async () => {
    const tokens = await signInTo(realm, client)
    const unknown = await introspect(realm, other, 'no-such-token')
    for (const token of [tokens.access_token!, tokens.refresh_token!, await machineToken(), tokens.id_token!]) {
      const answer = await introspect(realm, other, token)
      expect([answer.status, answer.body]).toEqual([unknown.status, { active: false }])
    }
  })

  test('tells whom the token is meant for about access tokens', async () => {
    const speaking = await createClientIn(realm, { audiences: [other.clientId] })
    const tokens = await signInTo(realm, speaking)
    expect((await introspect(realm, other, tokens.access_token!)).body.active).toBe(true)
    // A refresh token is meant for nobody but its client.
    expect((await introspect(realm, other, tokens.refresh_token!)).body).toEqual({ active: false })
  })

  test('tells that a refresh token was used, also within its grace', async () => {
    const { refresh_token: first } = await signInTo(realm, client)
    const { refresh_token: next } = (await refresh(realm, client, first!)).body
    expect((await introspect(realm, client, first!)).body).toEqual({ active: false })
    expect((await introspect(realm, client, next)).body.active).toBe(true)
    expect((await refresh(realm, client, first!)).body.refresh_token).toBe(next)
  })

  test('is not for clients that cannot prove who they are', async () => {
    const tokens = await signInTo(realm, open)
    const ask = (form: Record<string, string>, headers = {}) =>
      api(`${issuerOf(realm)}/introspect`, 'POST', { form: { token: tokens.access_token!, ...form }, headers })
    expect((await ask({})).body.active).toBeUndefined()
    expect((await ask({ client_id: client.clientId })).status).toBe(401)
    expect((await ask({}, basic({ ...client, secret: 'guess' }))).status).toBe(401)
  })

  test('is fooled by no hint and no other spelling of the token', async () => {
    const tokens = await signInTo(realm, client)
    const forms = [
      `*${tokens.access_token}`,
      `${tokens.access_token}.`,
      `${tokens.access_token} `,
      ` ${tokens.id_token}`,
    ]
    for (const token of forms) expect((await introspect(realm, other, token)).body, token).toEqual({ active: false })
    const [head, body] = tokens.access_token!.split('.')
    for (const forged of [`${head}.${body}.`, `${head}.${body}.AAAA`, unsigned(tokens.access_token!)]) {
      expect((await introspect(realm, client, forged)).body).toEqual({ active: false })
      expect((await askUserinfo(realm, forged)).status).toBe(401)
    }
  })
})

/** The same claims under `alg: none`. */
function unsigned(token: string): string {
  const header = { ...decodeProtectedHeader(token), alg: 'none' }
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${token.split('.')[1]}.`
}

describe('S29: revocation', () => {
  test('by another client, confidential, public or a machine, ends nothing', async () => {
    const tokens = await signInTo(realm, client)
    const ofMachine = await machineToken()
    for (const as of [other, open, machine]) {
      for (const token of [tokens.access_token!, tokens.refresh_token!]) await revoke(token, as)
    }
    await revoke(ofMachine, other)
    expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(200)
    expect((await introspect(realm, machine, ofMachine)).body.active).toBe(true)
    expect((await refresh(realm, client, tokens.refresh_token!)).status).toBe(200)
  })

  test('by somebody the token is meant for ends nothing', async () => {
    const speaking = await createClientIn(realm, { audiences: [other.clientId] })
    const tokens = await signInTo(realm, speaking)
    await revoke(tokens.access_token!, other)
    expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(200)
  })

  test('by its own client counts at once, also for machines and with a wrong hint', async () => {
    const ofMachine = await machineToken()
    expect((await revoke(ofMachine, machine, { token_type_hint: 'refresh_token' })).status).toBe(200)
    expect((await introspect(realm, machine, ofMachine)).body).toEqual({ active: false })
    const tokens = await signInTo(realm, open)
    expect((await revoke(tokens.refresh_token!, open, { token_type_hint: 'access_token' })).status).toBe(200)
    expect((await refresh(realm, open, tokens.refresh_token!)).body.error).toBe('invalid_grant')
    expect((await askUserinfo(realm, tokens.access_token!)).status).toBe(401)
  })
})

describe('S29: one kind of token is not another', () => {
  test('an ID token is no access token: not at userinfo, introspection, the account or the admin API', async () => {
    const tokens = await signInTo(realm, client)
    expect(decodeProtectedHeader(tokens.access_token!).typ).toBe('at+jwt')
    expect(decodeProtectedHeader(tokens.id_token!).typ).not.toBe('at+jwt')
    expect((await askUserinfo(realm, tokens.id_token!)).status).toBe(401)
    expect((await introspect(realm, client, tokens.id_token!)).body).toEqual({ active: false })
    expect((await askAdminApi(realm, tokens.id_token!)).status).toBe(401)
    const account = await api(`${issuerOf(realm)}/account/gdpr/consents`, 'GET', {
      headers: { authorization: `Bearer ${tokens.id_token}` },
    })
    expect(account.status).toBe(401)
  })

  test('whatever else the realm signs is no access token, even if it says all that one says', async () => {
    const { keyId, privateKey } = await openSigningKey(realm.node.services, realm.realmId)
    const claims = decodeJwt(await machineToken())
    const sign = (typ: string | undefined) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: keyId, ...(typ ? { typ } : {}) })
        .sign(privateKey)
    expect((await introspect(realm, machine, await sign('at+jwt'))).body.active).toBe(true)
    for (const typ of [undefined, 'JWT', 'logout+jwt', 'token-introspection+jwt', 'secevent+jwt']) {
      expect((await introspect(realm, machine, await sign(typ))).body, typ).toEqual({ active: false })
    }
  })

  test('a machine’s token is nobody’s at userinfo, and an access token is no refresh token and no ID token', async () => {
    expect((await askUserinfo(realm, await machineToken())).status).toBe(401)
    const tokens = await signInTo(realm, client)
    expect((await refresh(realm, client, tokens.access_token!)).body.error).toBe('invalid_grant')
    expect((await askUserinfo(realm, tokens.refresh_token!)).status).toBe(401)
    const query = new URLSearchParams({ id_token_hint: tokens.access_token! })
    const logout = await api(`${issuerOf(realm)}/logout?${query}`, 'GET', { headers: { accept: 'text/html' } })
    expect(logout.status).toBe(400)
  })

  test('the grant’s name in a token opens nothing by itself', async () => {
    const tokens = await signInTo(realm, client)
    const { gid, jti, sid } = decodeJwt(tokens.access_token!) as Record<string, string>
    for (const value of [gid!, jti!, sid!]) {
      expect((await refresh(realm, client, value)).body.error).toBe('invalid_grant')
      expect((await introspect(realm, client, value)).body).toEqual({ active: false })
    }
  })
})
