import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { recordConsent } from '../../../domain/consents/index.ts'
import {
  addPerson,
  addTotp,
  api,
  basic,
  createClientIn,
  createRealmFor,
  issuerOf,
  must,
  type Person,
  refresh,
  requestToken,
  type TestClient,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { adminPassword } from '../../../../test/harness/realm.ts'

const grantTypes = ['password', 'refresh_token']
let realm: TestRealm
let client: TestClient
let person: Person

beforeAll(async () => {
  realm = await createRealmFor()
  client = await createClientIn(realm, { grantTypes, redirectUris: [], scopes: ['offline_access'] })
  person = await addPerson(realm, 'person')
})

const ask = (form: Record<string, string> = {}, as = client) => {
  const sent = { grant_type: 'password', username: 'person', password: adminPassword, scope: 'openid', ...form }
  return requestToken(realm, as, sent)
}
const userinfo = (token: string) =>
  api(`${issuerOf(realm)}/userinfo`, 'GET', { headers: { authorization: `Bearer ${token}` } })
const refused = {
  error: 'invalid_grant',
  error_description: 'the username or password is wrong, or this person cannot sign in with a password alone',
}

describe('the password grant', () => {
  test('gives the tokens of a sign-in by password, without a session', async () => {
    const before = Math.floor(Date.now() / 1000)
    const { body } = await must(ask({ scope: 'openid profile' }), 200)
    const claims = decodeJwt(body.access_token)
    expect(claims).toMatchObject({
      ...{ iss: issuerOf(realm), aud: issuerOf(realm), sub: person.userId, client_id: client.clientId },
      ...{ scope: 'openid profile', acr: 'urn:gatehouse:acr:1', amr: ['pwd'] },
    })
    expect(claims.auth_time).toBeGreaterThanOrEqual(before)
    expect(claims).not.toHaveProperty('sid')
    expect(decodeJwt(body.id_token)).toMatchObject({
      ...{ aud: client.clientId, sub: person.userId, preferred_username: 'person' },
      ...{ acr: 'urn:gatehouse:acr:1', amr: ['pwd'], auth_time: claims.auth_time },
    })
    expect((await userinfo(body.access_token)).body).toMatchObject({ sub: person.userId, name: 'person' })
    const sessions = await realm.run(({ tx, realmId }) =>
      tx
        .selectFrom('sessions')
        .select('id')
        .where('realm_id', '=', realmId)
        .where('user_id', '=', person.userId)
        .execute(),
    )
    expect(sessions).toEqual([])
  })

  test('takes an e-mail address for the name as the sign-in page does', async () => {
    expect((await ask({ username: 'person@example.org' })).status).toBe(200)
  })

  test('gives a refresh token only to a client that may refresh, and an ID token only with openid', async () => {
    const plain = await createClientIn(realm, { grantTypes: ['password'], redirectUris: [] })
    expect((await must(ask({}, plain), 200)).body).not.toHaveProperty('refresh_token')
    const { body } = await must(ask({ scope: 'profile' }), 200)
    expect(body).not.toHaveProperty('id_token')
    const next = await must(refresh(realm, client, body.refresh_token), 200)
    expect(decodeJwt(next.body.access_token)).toMatchObject({ sub: person.userId, scope: 'profile', amr: ['pwd'] })
  })

  test('gives offline access only where the client may have it', async () => {
    const offline = { scope: 'openid offline_access' }
    expect((await must(ask(offline), 200)).body.scope).toBe('openid offline_access')
    const short = await createClientIn(realm, {
      grantTypes: ['password'],
      redirectUris: [],
      scopes: ['offline_access'],
    })
    expect((await must(ask(offline, short), 200)).body.scope).toBe('openid')
    const other = await createClientIn(realm, { grantTypes, redirectUris: [] })
    expect((await ask(offline, other)).body.error).toBe('invalid_scope')
  })

  test('is there for public clients that list it', async () => {
    const open = await createClientIn(realm, { publicClient: true, grantTypes, redirectUris: [] })
    expect((await ask({}, open)).status).toBe(200)
  })

  test('asks for a name and a password, for known scopes and allowed resources', async () => {
    expect((await ask({ password: '' })).body.error).toBe('invalid_request')
    expect((await ask({ username: '' })).body.error).toBe('invalid_request')
    expect((await ask({ scope: 'no-such-scope' })).body.error).toBe('invalid_scope')
    expect((await ask({ resource: 'https://api.example.org' })).body.error).toBe('invalid_target')
    const resource = 'https://own.example.org'
    const caller = await createClientIn(realm, { grantTypes, redirectUris: [] })
    await must(realm.call('PUT', `/clients/${caller.id}/allowed-resources`, { allowedResources: [resource] }), 200)
    const { body } = await must(ask({ resource, scope: 'profile' }, caller), 200)
    expect(decodeJwt(body.access_token)).toMatchObject({ aud: resource, scope: 'profile' })
    const both = new URLSearchParams({ grant_type: 'password', username: 'person', password: adminPassword, resource })
    both.append('resource', issuerOf(realm))
    const headers = { ...basic(caller), 'content-type': 'application/x-www-form-urlencoded' }
    const twice = await fetch(`${issuerOf(realm)}/token`, { method: 'POST', headers, body: both })
    expect([twice.status, ((await twice.json()) as { error: string }).error]).toEqual([400, 'invalid_target'])
  })

  test('is no recent sign-in to the admin API: nobody was there to be asked again', async () => {
    const own = await createRealmFor()
    await must(own.call('PUT', '/settings', { adminReauth: true }), 200)
    const resource = `${own.node.url}/admin`
    const tool = await createClientIn(own, { grantTypes })
    await must(own.call('PUT', `/clients/${tool.id}/allowed-resources`, { allowedResources: [resource] }), 200)
    const rotate = async (token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await api(`${own.node.url}/admin/realms/${own.realmId}/keys/rotate`, 'POST', { headers })).body.code
    }
    const form = { grant_type: 'password', username: 'admin', password: adminPassword, resource }
    const { body } = await must(requestToken(own, tool, form), 200)
    expect(await rotate(body.access_token)).toBe('reauthentication_required')
  })

  test('is told in the audit trail like a sign-in', async () => {
    await ask({ username: 'person' })
    await ask({ password: 'a-wrong-password-1' })
    const [success] = await realm.events(`&type=LOGIN_SUCCESS&clientId=${client.clientId}`)
    expect(success).toMatchObject({ actor: person.userId, outcome: 'SUCCESS', clientId: client.clientId })
    const [issued] = await realm.events(`&type=TOKEN_ISSUED&clientId=${client.clientId}`)
    expect(issued).toMatchObject({ actor: person.userId })
    const [failure] = await realm.events('&type=LOGIN_FAILURE')
    expect(failure).toMatchObject({ actor: person.userId, outcome: 'FAILURE' })
  })
})

describe('S27: the password grant answers everybody else alike', () => {
  const cases: [who: string, prepare: () => Promise<string>][] = [
    ['a name nobody has', async () => 'nobody'],
    ['a disabled person', () => withChange('off', { enabled: false })],
    ['a locked person', () => withChange('locked', { locked: true })],
    ['a person with a required action', () => withChange('owing', { requiredActions: ['UPDATE_PROFILE'] })],
    ['a person with a temporary password', () => withTemporaryPassword('fresh')],
    ['a person with a second factor', () => withTotp('careful')],
    ['a service account', () => serviceAccount()],
  ]

  test.each(cases)('%s', async (_who, prepare) => {
    const username = await prepare()
    const answer = await ask({ username })
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual(refused)
    expect((await ask({ username, password: 'a-wrong-password-1' })).body).toEqual(refused)
  })

  test('whoever the policy asks for a second factor, and administrators where it asks those', async () => {
    const other = await createRealmFor()
    const app = await createClientIn(other, { grantTypes, redirectUris: [] })
    await addPerson(other, 'somebody')
    const sign = (username: string) =>
      requestToken(other, app, { grant_type: 'password', username, password: adminPassword })
    const setMode = (mode: string) => must(other.call('PUT', '/settings', { mfaPolicy: { mode } }), 200)
    expect((await sign('somebody')).status).toBe(200)
    await setMode('REQUIRED_FOR_ADMINS')
    expect([(await sign('somebody')).status, (await sign('admin')).status]).toEqual([200, 400])
    await setMode('REQUIRED')
    expect((await sign('somebody')).body).toEqual(refused)
  })

  test('whoever would have to renew an old password or prove an address', async () => {
    const other = await createRealmFor()
    const app = await createClientIn(other, { grantTypes, redirectUris: [] })
    const { userId } = await addPerson(other, 'old')
    const sign = () => requestToken(other, app, { grant_type: 'password', username: 'old', password: adminPassword })
    await must(other.call('PUT', '/settings', { passwordPolicy: { maxAgeDays: 1 } }), 200)
    expect((await sign()).status).toBe(200)
    await other.run(({ tx, realmId }) =>
      tx
        .updateTable('credentials')
        .set({ created_at: Date.now() - 2 * 86_400_000 })
        .where('realm_id', '=', realmId)
        .where('user_id', '=', userId)
        .execute(),
    )
    expect((await sign()).body).toEqual(refused)
  })

  test('whoever the realm’s own flow asks for more', async () => {
    const other = await createRealmFor()
    const app = await createClientIn(other, { grantTypes, redirectUris: [] })
    await addPerson(other, 'somebody')
    const sign = () =>
      requestToken(other, app, { grant_type: 'password', username: 'somebody', password: adminPassword })
    const bind = async (alias: string, steps: object[]) => {
      await must(other.call('POST', '/flows', { alias, type: 'DIRECT_GRANT', steps }), 201)
      await must(other.call('PUT', `/flows/${alias}/bind`), 200)
    }
    await bind('two-pages', [
      { authenticator: 'username', requirement: 'REQUIRED' },
      { authenticator: 'password', requirement: 'REQUIRED' },
    ])
    expect((await sign()).status).toBe(200)
    await bind('with-terms', [
      { authenticator: 'username-password', requirement: 'REQUIRED' },
      { authenticator: 'terms', requirement: 'REQUIRED' },
    ])
    expect((await sign()).body).toEqual(refused)
    const deny = { authenticator: 'deny', requirement: 'REQUIRED' }
    await bind('nobody', [deny])
    expect((await sign()).body).toEqual(refused)
    await bind('nobody-with-password', [{ authenticator: 'username-password', requirement: 'REQUIRED' }, deny])
    expect((await sign()).body).toEqual(refused)
    await bind('keys-only', [{ authenticator: 'passkey', requirement: 'REQUIRED' }])
    expect((await sign()).body).toEqual(refused)
    // A flow that asks for nothing would let the password in although nobody meant it to.
    for (const [alias, requirement] of [
      ['off', 'DISABLED'],
      ['empty', null],
    ] as const) {
      const steps = requirement === null ? [] : [{ authenticator: 'username-password', requirement }]
      await must(other.call('POST', '/flows', { alias, type: 'DIRECT_GRANT', steps }), 201)
      expect((await other.call('PUT', `/flows/${alias}/bind`)).body.code, alias).toBe('flow_unsafe')
    }
  })
})

describe('S34: a client that needs consent', () => {
  test('gets by a password what the person allowed it before, and nothing else', async () => {
    const asking = await createClientIn(realm, { grantTypes, redirectUris: [], consentRequired: true })
    expect((await ask({}, asking)).body.error).toBe('interaction_required')
    // Also where it names no scope: to be told who somebody is, it must be allowed at all.
    expect((await ask({ scope: '' }, asking)).body.error).toBe('interaction_required')
    const consent = { userId: person.userId, clientUuid: asking.id, scopes: ['openid'], claims: [], resources: {} }
    await realm.run((ctx) => recordConsent(ctx, consent))
    expect((await ask({}, asking)).status).toBe(200)
    expect((await ask({ scope: 'openid profile' }, asking)).body.error).toBe('interaction_required')
  })
})

async function withChange(username: string, change: object): Promise<string> {
  const { userId } = await addPerson(realm, username)
  await must(realm.call('PATCH', `/users/${userId}`, change), 200)
  return username
}

async function withTemporaryPassword(username: string): Promise<string> {
  const { userId } = (await must(realm.call('POST', '/users', { username }), 201)).body
  const change = { newPassword: adminPassword, temporary: true }
  await must(realm.call('PUT', `/users/${userId}/password`, change), 204)
  return username
}

async function withTotp(username: string): Promise<string> {
  await addTotp(realm, (await addPerson(realm, username)).userId)
  return username
}

async function serviceAccount(): Promise<string> {
  const machine = await createClientIn(realm, { grantTypes: ['client_credentials'], redirectUris: [] })
  const { serviceAccountUserId: id } = (await realm.call('GET', `/clients/${machine.id}`)).body
  const [account] = await realm.run(({ tx, realmId }) =>
    tx.selectFrom('users').select('username').where('realm_id', '=', realmId).where('id', '=', id).execute(),
  )
  const hash = await realm.node.services.passwords.hash(adminPassword)
  const { setPassword } = await import('../../../domain/users/password/index.ts')
  await realm.run((ctx) => setPassword(ctx, id, { hash, temporary: false, historyCount: 0 }))
  return account!.username
}
