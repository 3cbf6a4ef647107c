import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  api,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  requestToken,
  signInTo,
  type TestClient,
  type TestRealm,
} from '../../../test/harness/index.ts'

let realm: TestRealm
let client: TestClient
// A browser's request takes the engine's way; a program's takes the short one.
const origin = 'https://app.example.org'

beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm, { webOrigins: [origin], scopes: ['groups', 'phone', 'address'] })
  const attributes = { firstName: 'Jo', lastName: 'Example', nickname: 'jo' }
  await realm.call('PATCH', `/users/${realm.adminId}`, { attributes }, { type: 'application/merge-patch+json' })
})

const both = async (
  url: string,
  method: string,
  options: { form?: Record<string, string>; headers: Record<string, string> },
) => {
  const short = await api(url, method, options)
  const long = await api(url, method, { ...options, headers: { ...options.headers, origin } })
  return { short, long }
}

describe('the short way says what the engine says', () => {
  test.each(['openid', 'openid profile email roles', 'openid phone address groups', 'profile'])(
    'at userinfo with scope %s',
    async (scope) => {
      const { access_token: token } = await signInTo(realm, client, { params: { scope, nonce: undefined } })
      const headers = { authorization: `Bearer ${token}` }
      const { short, long } = await both(`${issuerOf(realm)}/userinfo`, 'GET', { headers })
      expect([short.status, short.body]).toEqual([long.status, long.body])
    },
  )

  test('at introspection, of a person’s token and a machine’s', async () => {
    const person = await signInTo(realm, client, { params: { scope: 'openid roles groups' } })
    const machine = await createClientIn(realm, {
      grantTypes: ['client_credentials'],
      audiences: [client.clientId],
      redirectUris: [],
    })
    const own = await requestToken(realm, machine, { grant_type: 'client_credentials', scope: 'roles' })
    for (const token of [
      person.access_token!,
      own.body.access_token,
      person.refresh_token!,
      person.id_token!,
      'a.b.c',
    ]) {
      const request = { form: { token }, headers: basic(client) }
      const { short, long } = await both(`${issuerOf(realm)}/introspect`, 'POST', request)
      expect([short.status, short.body]).toEqual([long.status, long.body])
    }
  })

  test('for subjects of every kind', async () => {
    for (const strategy of ['USERNAME', 'PAIRWISE']) {
      const named = await createClientIn(realm, { subjectClaim: { strategy, attribute: null }, webOrigins: [origin] })
      const { access_token: token } = await signInTo(realm, named)
      const userinfo = await both(`${issuerOf(realm)}/userinfo`, 'GET', {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(userinfo.short.body).toEqual(userinfo.long.body)
      const asked = { form: { token: token! }, headers: basic(named) }
      const told = await both(`${issuerOf(realm)}/introspect`, 'POST', asked)
      expect(told.short.body).toEqual(told.long.body)
    }
  })

  test('to a machine with a wrong secret, an unknown scope or another grant', async () => {
    const machine = await createClientIn(realm, {
      grantTypes: ['client_credentials'],
      redirectUris: [],
      webOrigins: [origin],
    })
    const wrong = { ...machine, secret: 'wrong' }
    const requests: [TestClient, Record<string, string>][] = [
      [wrong, { grant_type: 'client_credentials' }],
      [machine, { grant_type: 'client_credentials', scope: 'nothing' }],
      [machine, { grant_type: 'client_credentials', resource: 'https://api.example.org' }],
      [machine, { grant_type: 'refresh_token', refresh_token: 'nothing' }],
    ]
    for (const [as, form] of requests) {
      const { short, long } = await both(`${issuerOf(realm)}/token`, 'POST', { form, headers: basic(as) })
      expect([short.status, short.body]).toEqual([long.status, long.body])
    }
  })
})

describe('the short way is for nobody whom the engine refuses', () => {
  const machine = (members: object = {}) =>
    createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [], webOrigins: [origin], ...members })
  /** The body as it stands, because a form of the harness holds nothing twice. */
  const send = async (as: TestClient, body: string) => {
    const headers = { ...basic(as), 'content-type': 'application/x-www-form-urlencoded' }
    return (await fetch(`${issuerOf(realm)}/token`, { method: 'POST', headers, body })).status
  }

  test('because it says something twice, or who it is in two ways', async () => {
    const [one, other] = [await machine(), await machine()]
    const grant = 'grant_type=client_credentials'
    expect(await send(one, grant)).toBe(200)
    for (const more of [grant, 'scope=roles&scope=email', `client_id=${other.clientId}`, `client_secret=${one.secret}`])
      expect(await send(one, `${grant}&${more}`), more).toBe(400)
  })

  test('S12: because its account is disabled', async () => {
    const one = await machine()
    const { serviceAccountUserId } = (await realm.call('GET', `/clients/${one.id}`)).body
    expect(await send(one, 'grant_type=client_credentials')).toBe(200)
    await must(realm.call('PATCH', `/users/${serviceAccountUserId}`, { enabled: false }), 200)
    expect(await send(one, 'grant_type=client_credentials')).toBe(400)
  })

  test('because its secret is over', async () => {
    const one = await machine()
    const endsIn = async (ms: number) =>
      realm.run(({ tx, realmId }) =>
        tx
          .updateTable('clients')
          .set((eb) => ({
            settings: sql`settings || ${JSON.stringify({ secretExpiresAt: Date.now() + ms })}::jsonb`,
            version: eb('version', '+', 1),
          }))
          .where('realm_id', '=', realmId)
          .where('id', '=', one.id)
          .execute(),
      )
    const headers = basic(one)
    const introspect = () => api(`${issuerOf(realm)}/introspect`, 'POST', { form: { token: 'a.b.c' }, headers })
    await endsIn(60_000)
    expect([await send(one, 'grant_type=client_credentials'), (await introspect()).status]).toEqual([200, 200])
    // Clocks may differ by some seconds.
    await endsIn(-15_000)
    expect([await send(one, 'grant_type=client_credentials'), (await introspect()).status]).toEqual([401, 401])
  })

  test('because it guessed too often', async () => {
    const one = await machine()
    const wrong = { ...one, secret: 'wrong' }
    const guesses = Array.from({ length: 300 }, () => send(wrong, 'grant_type=client_credentials'))
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]))
    expect(await send(one, 'grant_type=client_credentials')).toBe(429)
  })
})

describe('a client that was read before', () => {
  test('is read again as soon as anything about it changes', async () => {
    const machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
    const ask = (as = machine) => requestToken(realm, as, { grant_type: 'client_credentials' })
    expect((await ask()).body.expires_in).toBe(300)
    const { body: record } = await realm.call('GET', `/clients/${machine.id}`)
    await realm.call('PUT', `/clients/${machine.id}`, { ...record, accessTokenLifetimeSeconds: 60 })
    expect((await ask()).body.expires_in).toBe(60)
    const { body: fresh } = await realm.call('POST', `/clients/${machine.id}/secret`, { graceSeconds: 1 })
    expect((await ask()).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect((await ask()).status).toBe(401)
    expect((await ask({ ...machine, secret: fresh.secret })).status).toBe(200)
    await realm.call('PATCH', `/clients/${machine.id}`, { enabled: false }, { type: 'application/merge-patch+json' })
    expect((await ask({ ...machine, secret: fresh.secret })).status).toBe(401)
  })
})
