import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, api, basic, createRealmFor, issuerOf, must } from '../../../test/harness/index.ts'
import type { RequestOptions, TestRealm } from '../../../test/harness/index.ts'

const redirectUri = 'https://app.example.org/callback'
const metadata = { client_name: 'The shop', redirect_uris: [redirectUri] }
let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

async function mint(members: object = {}, at = realm): Promise<string> {
  return (await must(at.call('POST', '/provisioning/initial-access-tokens', members), 201)).body.token
}

const bearer = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` }
const endpoint = (at = realm) => `${issuerOf(at)}/connect/register`

function register(json: unknown, token: string | null, at = realm, headers: Record<string, string> = {}) {
  return api(endpoint(at), 'POST', { json, headers: { ...bearer(token), ...headers } })
}

const registerOne = async (json: object = metadata, at = realm) =>
  (await must(register(json, await mint({}, at), at), 201)).body

function manage(method: string, { registration_client_uri: uri }: Answer['body'], token: string, json?: unknown) {
  const options: RequestOptions = { headers: bearer(token), ...(json === undefined ? {} : { json }) }
  return api(uri, method, options)
}

const idOf = ({ registration_client_uri: uri }: Answer['body']): string => uri.split('/').at(-1)

describe('a registration', () => {
  test('is answered as RFC 7591 says, and is a client like any other, whom people must allow', async () => {
    const document = { ...metadata, contacts: ['dev@example.org'], software_id: 'shop', 'client_name#nl': 'De winkel' }
    const { headers, body } = await must(register(document, await mint()), 201)
    const id = idOf(body)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^dcr-[0-9a-f]{32}$/),
      client_id_issued_at: expect.any(Number),
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^rat_[A-Za-z0-9_-]{43}$/),
      registration_client_uri: `${endpoint()}/${id}`,
      ...metadata,
      contacts: ['dev@example.org'],
      software_id: 'shop',
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: expect.stringContaining('openid'),
      id_token_signed_response_alg: 'RS256',
      require_pushed_authorization_requests: false,
      dpop_bound_access_tokens: false,
    })
    const { body: client } = await realm.call('GET', `/clients/${id}`)
    expect(client).toMatchObject({
      clientId: body.client_id,
      createdBy: 'DCR',
      consentRequired: true,
      requirePkce: true,
    })
    expect(client).toMatchObject({ serviceAccountUserId: null, audiences: [], allowedResources: [] })
    const events = await realm.events('&type=DCR_REGISTERED')
    expect(events[0]).toMatchObject({
      category: 'SECURITY',
      actor: 'anonymous',
      resourceId: id,
      clientId: body.client_id,
    })
    const trail = JSON.stringify(events)
    for (const secret of [body.client_secret, body.registration_access_token]) expect(trail).not.toContain(secret)
  })

  test('names device and the like as the RFCs do, and leaves out what the realm does not allow', async () => {
    const device = 'urn:ietf:params:oauth:grant-type:device_code'
    const body = await registerOne({
      grant_types: [device, 'refresh_token', 'password'],
      token_endpoint_auth_method: 'none',
      scope: 'openid groups',
    })
    expect(body).toMatchObject({ grant_types: [device, 'refresh_token'], response_types: [] })
    expect(body.scope.split(' ')).not.toContain('groups')
    expect(body).not.toHaveProperty('client_secret')
  })

  test('of a machine works at once, and its service account holds no role', async () => {
    const body = await registerOne({ client_name: 'Job', grant_types: ['client_credentials'] })
    const { body: roles } = await realm.call('GET', `/clients/${idOf(body)}/service-account/roles`)
    expect(roles).toEqual([])
    const answer = await api(`${issuerOf(realm)}/token`, 'POST', {
      form: { grant_type: 'client_credentials' },
      headers: basic({ clientId: body.client_id, secret: body.client_secret }),
    })
    expect(answer.status, answer.text).toBe(200)
    expect((await manage('DELETE', body, body.registration_access_token)).status).toBe(204)
  })

  test('may name the scopes of its initial access token, instead of the realm’s', async () => {
    const token = await mint({ allowedScopes: ['groups'] })
    const { body } = await must(register({ ...metadata, scope: 'groups account' }, token), 201)
    expect(body.scope.split(' ')).toEqual(expect.arrayContaining(['openid', 'groups']))
    expect((await realm.call('GET', `/clients/${idOf(body)}`)).body.scopes).toEqual(['groups'])
    const again = await manage('PUT', body, body.registration_access_token, { ...body, scope: 'account' })
    expect(again.status, again.text).toBe(200)
    expect((await realm.call('GET', `/clients/${idOf(body)}`)).body.scopes).toEqual([])
    const put = { ...again.body, scope: 'groups account' }
    await must(manage('PUT', body, again.body.registration_access_token, put), 200)
    expect((await realm.call('GET', `/clients/${idOf(body)}`)).body.scopes).toEqual(['groups'])
  })

  test('is offered to pages of any origin, since no cookie counts here', async () => {
    const preflight = await api(endpoint(), 'OPTIONS', { headers: { origin: 'https://spa.example' } })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    expect(preflight.headers['access-control-allow-headers']).toContain('Authorization')
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials')
    for (const token of [await mint(), null]) {
      const answer = await register(metadata, token, realm, { origin: 'https://spa.example' })
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([token ? 201 : 401, '*'])
    }
  })
})

describe('a registration is refused', () => {
  test('without a token, with RFC 6750’s challenge, unless the realm wants anybody', async () => {
    const other = await createRealmFor()
    const refused = await register(metadata, null, other)
    expect([refused.status, refused.body.error, refused.headers['www-authenticate']]).toEqual([
      ...[401, 'invalid_token', 'Bearer'],
    ])
    const wrong = await register(metadata, await mint(), other)
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"'])
    await must(other.call('PUT', '/provisioning', { dcrAnonymousAllowed: true }), 200)
    expect((await register(metadata, null, other)).status).toBe(201)
    // Whoever shows a token is judged by it.
    expect((await register(metadata, 'iat_nonsense', other)).status).toBe(401)
    const events = await other.events('&type=DCR_REJECTED')
    expect(events).toHaveLength(3)
    expect(events[0]).toMatchObject({ category: 'SECURITY', outcome: 'FAILURE', actor: 'anonymous' })
    expect(JSON.parse(events[0].detail)).toMatchObject({ error: 'invalid_token' })
  })

  test('where the realm has it switched off, also to those who registered before', async () => {
    const other = await createRealmFor()
    const body = await registerOne(metadata, other)
    const token = await mint({}, other)
    await must(other.call('PUT', '/provisioning', { dcrEnabled: false }), 200)
    for (const answer of [
      await register(metadata, token, other),
      await manage('GET', body, body.registration_access_token),
      await manage('DELETE', body, body.registration_access_token),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'access_denied'])
    }
  })

  test('beyond the number of clients that the realm allows', async () => {
    const other = await createRealmFor()
    await must(other.call('PUT', '/provisioning', { dcrMaxClients: 1 }), 200)
    const token = await mint({ count: 2 }, other)
    const { body } = await must(register(metadata, token, other), 201)
    const refused = await register(metadata, token, other)
    expect([refused.status, refused.body.error]).toEqual([403, 'access_denied'])
    expect(refused.body.error_description).toContain('dcrMaxClients')
    await must(manage('DELETE', body, body.registration_access_token), 204)
    // What was refused did not use the token up.
    expect((await register(metadata, token, other)).status).toBe(201)
  })

  test('in the dialect of OAuth, whatever is wrong with it', async () => {
    const token = await mint()
    const bad = await register({ ...metadata, redirect_uris: ['http://app.example.org/'] }, token)
    expect([bad.status, bad.body]).toEqual([
      400,
      { error: 'invalid_redirect_uri', error_description: expect.stringMatching(/^redirect_uris\[0\]: http is only/) },
    ])
    const headers = bearer(token)
    for (const [options, status, error] of [
      [{ raw: '{', type: 'application/json', headers }, 400, 'invalid_client_metadata'],
      [{ raw: '"x"', type: 'application/json', headers }, 400, 'invalid_client_metadata'],
      [{ headers }, 415, 'invalid_client_metadata'],
      [{ form: { client_name: 'x' }, headers }, 415, 'invalid_client_metadata'],
      [{ json: { client_name: 'x'.repeat(70_000) }, headers }, 413, 'invalid_client_metadata'],
      [{ json: { client_name: 'a\0b' }, headers }, 400, 'invalid_client_metadata'],
      [{ json: metadata, headers: { authorization: 'Basic eDp5' } }, 401, 'invalid_token'],
    ] as const) {
      const answer = await api(endpoint(), 'POST', options)
      expect([answer.status, answer.body.error], answer.text).toEqual([status, error])
    }
    expect((await api(endpoint(), 'GET', { headers })).headers.allow).toBe('POST, OPTIONS')
    const unknown = await api(`${realm.node.url}/realms/no-such-realm/connect/register`, 'POST', { json: metadata })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'realm_not_found'])
    expect((await register(metadata, token)).status).toBe(201)
  })

  test('after twenty tries without a token, or that failed, in an hour from one address', async () => {
    const other = await createRealmFor()
    await must(other.call('PUT', '/provisioning', { dcrAnonymousAllowed: true, dcrMaxClients: 3 }), 200)
    const token = await mint({ count: 10 }, other)
    const statuses: number[] = []
    for (let at = 0; at < 20; at++) statuses.push((await register(metadata, at % 2 ? null : 'iat_guess', other)).status)
    expect(statuses).not.toContain(429)
    for (const shown of [null, 'iat_guess', token]) {
      const limited = await register(metadata, shown, other)
      expect([limited.status, limited.body.error]).toEqual([429, 'temporarily_unavailable'])
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(3000)
    }
    const events = await other.events('&type=DCR_REJECTED')
    expect(events.length).toBeLessThanOrEqual(20)
    expect((await register(metadata, await mint())).status).toBe(201)
  })
})

describe('whoever registered', () => {
  test('reads, replaces and deletes the client with its own token, which a replacement renews', async () => {
    const first = await registerOne()
    const token = first.registration_access_token
    const read = await manage('GET', first, token)
    expect([read.status, read.headers['cache-control'], read.body]).toEqual([200, 'no-store', first])

    const next = { ...first, client_name: 'The new shop', redirect_uris: [redirectUri, 'https://app.example.org/more'] }
    const replaced = await manage('PUT', first, token, { ...next, contacts: ['new@example.org'], client_uri: null })
    expect(replaced.status, replaced.text).toBe(200)
    const renewed = replaced.body.registration_access_token
    expect(replaced.body).toEqual({ ...next, contacts: ['new@example.org'], registration_access_token: renewed })
    expect(renewed).not.toBe(token)
    const old = await manage('GET', first, token)
    expect([old.status, old.body.error, old.headers['www-authenticate']]).toEqual([
      ...[401, 'invalid_token', 'Bearer error="invalid_token"'],
    ])
    expect((await manage('GET', first, renewed)).body).toEqual(replaced.body)

    const deleted = await manage('DELETE', first, renewed)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await manage('GET', first, renewed)).status).toBe(401)
    expect((await realm.call('GET', `/clients/${idOf(first)}`)).status).toBe(404)
    const trail = (await realm.events(`&resourceId=${idOf(first)}`)).map(({ type, actor }) => [type, actor])
    const actor = `client:${first.client_id}`
    expect(trail).toEqual([
      ['ADMIN_DELETE', actor],
      ['ADMIN_UPDATE', actor],
      ['DCR_REGISTERED', 'anonymous'],
    ])
  })

  test('names the client it is, and does not choose its secret', async () => {
    const body = await registerOne()
    const token = body.registration_access_token
    for (const wrong of [{ client_id: undefined }, { client_id: 'another' }, { client_secret: 'of-my-own-choice' }]) {
      const answer = await manage('PUT', body, token, { ...body, ...wrong })
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client_metadata'])
      expect(answer.body.error_description).toMatch(/^client_(id|secret): /)
    }
    const other = await api(body.registration_client_uri, 'PATCH', { headers: bearer(token) })
    expect([other.status, other.headers.allow]).toEqual([405, 'GET, PUT, DELETE, HEAD'])
    // Nothing of that used the token up.
    expect((await manage('GET', body, token)).status).toBe(200)
  })

  test('gets a secret when it becomes confidential and loses it when it becomes public', async () => {
    const body = await registerOne({ ...metadata, token_endpoint_auth_method: 'none' })
    expect(body).not.toHaveProperty('client_secret')
    const put = { ...body, token_endpoint_auth_method: 'client_secret_post' }
    const { body: confidential } = await must(manage('PUT', body, body.registration_access_token, put), 200)
    expect(confidential).toMatchObject({ client_secret: expect.any(String), client_secret_expires_at: 0 })
    const { client_secret: _gone, ...back } = { ...confidential, token_endpoint_auth_method: 'none' }
    const { body: again } = await must(manage('PUT', body, confidential.registration_access_token, back), 200)
    expect(again).not.toHaveProperty('client_secret')
  })
})
