import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { makeJwk } from './test-keys.fixture.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const patch = { type: 'application/merge-patch+json' }
const fieldsOf = (answer: { body: { errors?: { field: string }[] } }) =>
  (answer.body.errors ?? []).map(({ field }) => field)

async function create(input: Record<string, unknown>) {
  const answer = await realm.call('POST', '/clients', input)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function refuse(input: Record<string, unknown>): Promise<string[]> {
  const answer = await realm.call('POST', '/clients', { clientId: 'refused', ...input })
  expect([answer.status, answer.body.code], answer.text).toEqual([400, 'validation_failed'])
  return fieldsOf(answer)
}

describe('the record', () => {
  test('needs nothing but a clientId, shows every member, and its secret this once', async () => {
    const created = await realm.call('POST', '/clients', { clientId: 'shop' })
    expect(created.status).toBe(201)
    const { secret, ...record } = created.body
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(created.headers.location).toBe(`/admin/realms/${realm.realmId}/clients/${record.id}`)
    expect(record).toEqual({
      ...{
        id: expect.any(String),
        clientId: 'shop',
        name: null,
        publicClient: false,
        realmId: realm.realmId,
        enabled: true,
      },
      ...{ grantTypes: ['authorization_code', 'refresh_token'], redirectUris: [], webOrigins: [], scopes: [] },
      ...{
        description: null,
        baseUrl: null,
        postLogoutRedirectUris: [],
        tokenEndpointAuthMethod: 'client_secret_basic',
      },
      ...{ jwksUri: null, jwks: null, tokenSigningAlg: 'RS256', securityProfile: 'DEFAULT', sectorIdentifierUri: null },
      ...{ serviceAccountEnabled: false, serviceAccountUserId: null, authorizationServicesEnabled: false },
      ...{ accessTokenLifetimeSeconds: null, idTokenLifetimeSeconds: null, refreshTokenLifetimeSeconds: null },
      ...{ refreshTokenIdleSeconds: null, refreshTokenGraceSeconds: null, subjectClaim: null, audiences: [] },
      ...{
        includeClientIdInAudience: false,
        allowedResources: [],
        agentId: null,
        consentRequired: false,
        requirePkce: true,
      },
      ...{ requirePushedAuthorizationRequests: false, dpopBoundAccessTokens: false, backchannelLogoutUri: null },
      ...{
        backchannelLogoutSessionRequired: false,
        frontchannelLogoutUri: null,
        defaultAcrValues: [],
        secretSet: true,
      },
      ...{ secretExpiresAt: null, createdAt: expect.any(Number), createdBy: 'ADMIN' },
    })
    const read = await realm.call('GET', `/clients/${record.id}`)
    expect([read.body, read.headers.etag]).toEqual([record, '"1"'])
  })

  test('a secret is in no record, no event and no line', async () => {
    const { id, secret } = await create({ clientId: 'shop' })
    const path = `/clients/${id}`
    const answers = [
      await realm.call('GET', '/clients'),
      await realm.call('GET', path),
      await realm.call('PUT', path, { name: 'x' }),
      await realm.call('PATCH', path, { name: 'y' }, patch),
      await realm.call('GET', '/events?size=500'),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain(secret)
      expect(answer.text).not.toMatch(/"secret"/)
    }
    expect(realm.node.lines.join('')).not.toContain(secret)
    expect(JSON.stringify(realm.node.auditLines)).not.toContain(secret)
    const stored = await realm.run((ctx) =>
      ctx.tx.selectFrom('clients').selectAll().where('realm_id', '=', realm.realmId).execute(),
    )
    expect(stored[0]!.secret_sealed!.includes(secret)).toBe(false)
  })

  test('every setting is kept, sent back unchanged, and reset by a PUT that leaves it out', async () => {
    const input = {
      clientId: 'full',
      name: 'Full',
      grantTypes: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code', 'ciba', 'device_code'],
      redirectUris: ['https://app.example.com/cb', 'https://app.example.com/cb'],
      webOrigins: ['+', 'https://app.example.com'],
      scopes: ['phone', 'address'],
      description: 'Everything',
      baseUrl: 'https://app.example.com/',
      postLogoutRedirectUris: ['https://app.example.com/bye'],
      tokenEndpointAuthMethod: 'private_key_jwt',
      jwks: { keys: [makeJwk()] },
      tokenSigningAlg: 'PS256',
      securityProfile: 'FAPI2',
      sectorIdentifierUri: 'https://app.example.com/sector.json',
      accessTokenLifetimeSeconds: 60,
      idTokenLifetimeSeconds: 61,
      refreshTokenLifetimeSeconds: 3600,
      refreshTokenIdleSeconds: 600,
      refreshTokenGraceSeconds: 0,
      subjectClaim: { strategy: 'ATTRIBUTE', attribute: 'employeeId' },
      audiences: ['https://api.example.com'],
      includeClientIdInAudience: true,
      consentRequired: true,
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
      backchannelLogoutUri: 'https://app.example.com/backchannel',
      backchannelLogoutSessionRequired: true,
      frontchannelLogoutUri: 'https://app.example.com/frontchannel',
      defaultAcrValues: ['urn:gatehouse:acr:1'],
    }
    const record = await create(input)
    expect(record).toMatchObject({
      ...input,
      redirectUris: ['https://app.example.com/cb'],
      grantTypes: ['authorization_code', 'device', 'CIBA'],
    })
    expect(record).not.toHaveProperty('secret')
    const path = `/clients/${record.id}`
    expect((await realm.call('PUT', path, record)).body).toEqual(record)
    const reset = (await realm.call('PUT', path, {})).body
    expect(reset).toMatchObject({
      name: null,
      jwks: null,
      scopes: [],
      tokenSigningAlg: 'RS256',
      consentRequired: false,
    })
    expect(reset).toMatchObject({ tokenEndpointAuthMethod: 'client_secret_basic', secretSet: true, subjectClaim: null })
  })

  test('S11: what is read-only stays as it was, and the clientId never changes', async () => {
    const { secret: _secret, ...record } = await create({ clientId: 'shop' })
    const path = `/clients/${record.id}`
    const tampered = {
      createdBy: 'DCR',
      createdAt: 1,
      id: realm.adminId,
      serviceAccountUserId: realm.adminId,
      secretSet: false,
    }
    const more = { allowedResources: ['https://api.example.com'], realmId: 'other', agentId: realm.adminId }
    expect((await realm.call('PUT', path, { ...record, ...tampered, ...more })).body).toEqual(record)
    const renamed = await realm.call('PUT', path, { ...record, clientId: 'other' })
    expect([renamed.status, fieldsOf(renamed)]).toEqual([400, ['clientId']])
    expect((await realm.call('PUT', path, { ...record, secret: 'mine' })).body.code).toBe('unknown_field')
    expect((await realm.call('POST', '/clients', { clientId: 'x', secret: 'mine' })).body.code).toBe('unknown_field')
  })

  test('is patched in part, with If-Match honoured', async () => {
    const { id } = await create({ clientId: 'shop', description: 'Old', redirectUris: ['https://a.example/cb'] })
    const path = `/clients/${id}`
    const patched = await realm.call(
      'PATCH',
      path,
      { description: null, enabled: false },
      { ...patch, headers: { 'if-match': '"1"' } },
    )
    expect(patched.body).toMatchObject({ description: null, enabled: false, redirectUris: ['https://a.example/cb'] })
    expect(patched.headers.etag).toBe('"2"')
    expect((await realm.call('PATCH', path, {}, { ...patch, headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await realm.call('DELETE', path, undefined, { headers: { 'if-match': '"1"' } })).status).toBe(412)
    expect((await realm.call('DELETE', path)).status).toBe(204)
    expect((await realm.call('GET', path)).status).toBe(404)
  })

  test('of parallel creations with one clientId exactly one succeeds, and differs only by case from another', async () => {
    const body = { clientId: 'race', grantTypes: ['client_credentials'] }
    const answers = await Promise.all(Array.from({ length: 5 }, () => realm.call('POST', '/clients', body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(new Set(answers.filter(({ status }) => status === 409).flatMap(fieldsOf))).toEqual(new Set(['clientId']))
    expect((await create({ clientId: 'Race' })).clientId).toBe('Race')
  })

  test('pages newest first, or by clientId when a prefix is searched', async () => {
    for (const clientId of ['web-b', 'api', 'web-a', 'web-c']) await create({ clientId, enabled: clientId !== 'web-a' })
    const walk = async (path: string | null) => {
      const seen: string[] = []
      while (path) {
        const { body, headers } = await realm.call('GET', path)
        seen.push(...body.map((client: { clientId: string }) => client.clientId))
        path = /<\/admin\/realms\/[^/]+([^>]+)>/.exec(String(headers.link ?? ''))?.[1] ?? null
      }
      return seen
    }
    expect(await walk('/clients?size=2')).toEqual(['web-c', 'web-a', 'api', 'web-b'])
    expect(await walk('/clients?size=1&search=web-')).toEqual(['web-a', 'web-b', 'web-c'])
    expect(await walk('/clients?size=1&search=web-&enabled=true')).toEqual(['web-b', 'web-c'])
    expect(await walk('/clients?enabled=false')).toEqual(['web-a'])
    expect(await walk('/clients?search=eb-')).toEqual([])
    expect((await realm.call('GET', '/clients?search=web&count=true')).headers['x-total-count']).toBe('3')
    expect(fieldsOf(await realm.call('GET', '/clients?after=x'))).toEqual(['after'])
  })

  test('is counted, and uncounted when it goes', async () => {
    const { readRealmCounters } = await import('../counters/index.ts')
    const count = async () => (await realm.run((ctx) => readRealmCounters(ctx.tx, realm.realmId))).get('clients')
    const { id } = await create({ clientId: 'shop' })
    expect(await count()).toBe(1)
    await realm.call('DELETE', `/clients/${id}`)
    expect(await count()).toBe(0)
  })
})

describe('refuses', () => {
  test('a clientId that is no clientId', async () => {
    for (const clientId of ['', 'a b', 'é', 'a\tb', 'a'.repeat(256), 5, null])
      expect(await refuse({ clientId })).toEqual(['clientId'])
    expect((await create({ clientId: `https://rp.example.com/~x?y=%20${'z'.repeat(200)}` })).clientId).toContain('~x')
  })

  test('S23: redirect URIs that are not safe, each by its place, after login and after logout', async () => {
    for (const member of ['redirectUris', 'postLogoutRedirectUris']) {
      const uris = [
        'https://a.example/cb',
        'javascript:alert(1)',
        'http://a.example/cb',
        'https://*.example/',
        'https://a@b.example/',
        'https://a.example/#x',
      ]
      expect(await refuse({ [member]: uris })).toEqual([1, 2, 3, 4, 5].map((at) => `${member}[${at}]`))
    }
    const many = Array.from({ length: 101 }, (_, at) => `https://a.example/${at}`)
    expect(await refuse({ redirectUris: many })).toEqual(['redirectUris'])
  })

  test('S23: a custom scheme of a confidential client, also when a client becomes one', async () => {
    const uris = { redirectUris: ['com.example.app:/cb'], postLogoutRedirectUris: ['com.example.app:/bye'] }
    expect(await refuse(uris)).toEqual(['redirectUris[0]', 'postLogoutRedirectUris[0]'])
    const { id } = await create({ clientId: 'native', publicClient: true, ...uris })
    const answer = await realm.call('PATCH', `/clients/${id}`, { publicClient: false }, patch)
    expect(fieldsOf(answer)).toEqual(['redirectUris[0]', 'postLogoutRedirectUris[0]'])
  })

  test('origins that are none, scopes that are not there, grants that do not exist', async () => {
    expect(await refuse({ webOrigins: ['*', 'https://a.example/', '+'] })).toEqual(['webOrigins[0]', 'webOrigins[1]'])
    expect(await refuse({ scopes: ['phone', 'nothing'] })).toEqual(['scopes[1]'])
    expect(await refuse({ grantTypes: ['implicit'] })).toEqual(['grantTypes[0]'])
    const other = await createRealmFor()
    await other.call('POST', '/client-scopes', { name: 'only-there' })
    expect(await refuse({ scopes: ['only-there'] })).toEqual(['scopes[0]'])
  })

  test('of a public client whatever needs a secret, all at once', async () => {
    const fields = await refuse({
      publicClient: true,
      grantTypes: ['client_credentials', 'CIBA'],
      tokenEndpointAuthMethod: 'client_secret_post',
      requirePkce: false,
    })
    expect(fields).toEqual(['grantTypes', 'grantTypes', 'tokenEndpointAuthMethod', 'requirePkce'])
    expect(await refuse({ publicClient: true, serviceAccountEnabled: true })).toEqual(['serviceAccountEnabled'])
    expect(await refuse({ tokenEndpointAuthMethod: 'none' })).toEqual(['tokenEndpointAuthMethod'])
  })

  test('private keys, weak keys, too many keys and key sets in two places', async () => {
    const jwk = makeJwk()
    const auth = { tokenEndpointAuthMethod: 'private_key_jwt' }
    expect(await refuse(auth)).toEqual(['jwks'])
    expect(await refuse({ ...auth, jwks: { keys: [jwk, makeJwk({ isPrivate: true })] } })).toEqual(['jwks.keys[1].d'])
    expect(await refuse({ ...auth, jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } })).toEqual(['jwks.keys[0].kty'])
    expect(await refuse({ ...auth, jwks: { keys: [makeJwk({ bits: 1024 })] } })).toEqual(['jwks.keys[0]'])
    expect(await refuse({ ...auth, jwks: { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }] } })).toEqual([
      'jwks.keys[0]',
    ])
    expect(await refuse({ ...auth, jwks: { keys: Array.from({ length: 21 }, () => jwk) } })).toEqual(['jwks.keys'])
    expect(await refuse({ ...auth, jwks: { keys: [jwk] }, jwksUri: 'https://a.example/jwks' })).toEqual(['jwksUri'])
    expect(await refuse({ securityProfile: 'FAPI2' })).toEqual(['tokenEndpointAuthMethod'])
  })

  test('S45: addresses that the service may not call', async () => {
    for (const member of ['jwksUri', 'sectorIdentifierUri'])
      for (const uri of [
        'http://a.example/x',
        'https://127.0.0.1/x',
        'https://169.254.169.254/x',
        'file:///etc/passwd',
      ])
        expect(await refuse({ [member]: uri }), uri).toEqual([member])
    for (const member of ['baseUrl', 'backchannelLogoutUri', 'frontchannelLogoutUri'])
      expect(await refuse({ [member]: 'javascript:alert(1)' })).toEqual([member])
  })

  test('lifetimes beyond the bounds of the realm, a time that has passed, half a subject claim', async () => {
    const lifetimes = {
      accessTokenLifetimeSeconds: 86_401,
      idTokenLifetimeSeconds: 1,
      refreshTokenLifetimeSeconds: 59,
      refreshTokenIdleSeconds: 10,
      refreshTokenGraceSeconds: 61,
    }
    expect(await refuse(lifetimes)).toEqual(Object.keys(lifetimes))
    expect(await refuse({ secretExpiresAt: 1000 })).toEqual(['secretExpiresAt'])
    expect(await refuse({ subjectClaim: { strategy: 'ATTRIBUTE' } })).toEqual(['subjectClaim.attribute'])
    expect(await refuse({ subjectClaim: { strategy: 'EMAIL', attribute: 'x' } })).toEqual(['subjectClaim.attribute'])
    expect(await refuse({ audiences: ['with space'] })).toEqual(['audiences[0]'])
  })

  test('what belongs to another realm, as if it were not there', async () => {
    const other = await createRealmFor()
    const { id } = (await other.call('POST', '/clients', { clientId: 'theirs' })).body
    for (const [method, path, body] of [
      ['GET', `/clients/${id}`],
      ['PUT', `/clients/${id}`, {}],
      ['DELETE', `/clients/${id}`],
      ['GET', `/clients/${id}/secret`],
      ['POST', `/clients/${id}/secret`, {}],
      ['GET', `/clients/${id}/roles`],
      ['GET', '/clients/theirs/mappers'],
      ['GET', '/clients/theirs/allowed-resources'],
      ['POST', '/clients/theirs/service-account/roles', { name: 'user' }],
    ] as const)
      expect((await realm.call(method, path, body)).status, `${method} ${path}`).toBe(404)
    expect((await create({ clientId: 'theirs' })).id).not.toBe(id)
  })
})

describe('a change of kind', () => {
  test('to public drops the secret, back to confidential makes a new one that is read under /secret', async () => {
    const { id, secret } = await create({ clientId: 'shop' })
    const opened = await realm.call('PATCH', `/clients/${id}`, { publicClient: true }, patch)
    expect(opened.body).toMatchObject({ publicClient: true, secretSet: false, tokenEndpointAuthMethod: 'none' })
    expect((await realm.call('GET', `/clients/${id}/secret`)).status).toBe(404)
    expect((await realm.call('POST', `/clients/${id}/secret`)).body.code).toBe('conflict')
    const closed = await realm.call('PATCH', `/clients/${id}`, { publicClient: false }, patch)
    expect(closed.body).toMatchObject({ secretSet: true, tokenEndpointAuthMethod: 'client_secret_basic' })
    expect(closed.body).not.toHaveProperty('secret')
    const revealed = (await realm.call('GET', `/clients/${id}/secret`)).body.secret
    expect(revealed).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(revealed).not.toBe(secret)
  })

  test('to its own key leaves no secret behind', async () => {
    const { id } = await create({ clientId: 'shop' })
    const changed = await realm.call(
      'PATCH',
      `/clients/${id}`,
      { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [makeJwk()] } },
      patch,
    )
    expect(changed.body).toMatchObject({ publicClient: false, secretSet: false })
    expect((await realm.call('POST', `/clients/${id}/secret`)).status).toBe(409)
  })

  test('of the signing algorithm raises the version of the realm, any other does not', async () => {
    const version = () =>
      realm.run(
        async (ctx) =>
          (
            await ctx.tx
              .selectFrom('realms')
              .select('config_version')
              .where('realm_id', '=', realm.realmId)
              .executeTakeFirstOrThrow()
          ).config_version,
      )
    const { id } = await create({ clientId: 'shop' })
    const before = await version()
    await realm.call('PATCH', `/clients/${id}`, { name: 'x' }, patch)
    expect(await version()).toBe(before)
    await realm.call('PATCH', `/clients/${id}`, { tokenSigningAlg: 'PS256' }, patch)
    expect(await version()).toBe(before + 1)
    await realm.call('DELETE', `/clients/${id}`)
    expect(await version()).toBe(before + 2)
  })
})

describe('a service account', () => {
  const users = async () => (await realm.call('GET', '/users?serviceAccounts=true')).body

  test('comes with client_credentials, is no person, and goes with its client', async () => {
    const client = await create({ clientId: 'machine', grantTypes: ['client_credentials'] })
    expect(client.serviceAccountEnabled).toBe(true)
    expect(await users()).toMatchObject([
      { userId: client.serviceAccountUserId, username: 'service-account-machine', serviceAccountClientId: 'machine' },
    ])
    expect((await realm.call('GET', '/users?search=service')).body).toEqual([])
    expect((await realm.call('DELETE', `/clients/${client.id}`)).status).toBe(204)
    expect(await users()).toEqual([])
  })

  test('stays when only the grant goes, and ends when it is switched off', async () => {
    const { id, serviceAccountUserId } = await create({ clientId: 'machine', grantTypes: ['client_credentials'] })
    const kept = (await realm.call('PATCH', `/clients/${id}`, { grantTypes: ['authorization_code'] }, patch)).body
    expect([kept.serviceAccountEnabled, kept.serviceAccountUserId]).toEqual([true, serviceAccountUserId])
    const off = (await realm.call('PATCH', `/clients/${id}`, { serviceAccountEnabled: false }, patch)).body
    expect([off.serviceAccountUserId, await users()]).toEqual([null, []])
    const again = (await realm.call('PATCH', `/clients/${id}`, { serviceAccountEnabled: true }, patch)).body
    expect((await users())[0].userId).toBe(again.serviceAccountUserId)
  })

  test('finds another name when a person has its own, and a client loses one that is deleted as a user', async () => {
    await realm.call('POST', '/users', { username: 'Service-Account-Machine' })
    const client = await create({ clientId: 'machine', serviceAccountEnabled: true })
    expect((await users())[0].username).toMatch(/^service-account-machine-[0-9a-f]{12}$/)
    const long = await create({ clientId: 'x'.repeat(255), serviceAccountEnabled: true })
    expect((await realm.call('GET', `/users/${long.serviceAccountUserId}`)).body.username).toHaveLength(255)
    expect((await realm.call('DELETE', `/users/${client.serviceAccountUserId}`)).status).toBe(204)
    expect((await realm.call('GET', `/clients/${client.id}`)).body.serviceAccountUserId).toBeNull()
    expect((await realm.call('DELETE', `/clients/${client.id}`)).status).toBe(204)
  })
})
