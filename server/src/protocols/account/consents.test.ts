import { beforeEach, describe, expect, test } from 'vitest'
import { api, createRealmFor, type RequestOptions, type TestRealm } from '../../../test/harness/index.ts'
import { recordConsent } from '../../domain/consents/index.ts'
import type { UserActor } from '../../domain/context/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { createHttpServer } from '../../platform/http/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { registerRoutes } from './route.ts'
import { accountRoutes } from './routes/index.ts'

let realm: TestRealm
let path: string
beforeEach(async () => {
  realm = await createRealmFor()
  path = `/realms/${realm.realmId}/account/gdpr/consents`
})

async function allow(at: TestRealm, userId: string, clientId: string): Promise<string> {
  const id = newId()
  await at.run(async (ctx) => {
    await ctx.tx
      .insertInto('clients')
      .values({ realm_id: ctx.realmId, id, client_id: clientId, name: clientId.toUpperCase(), created_at: 0 })
      .execute()
    await recordConsent(ctx, { userId, clientUuid: id, scopes: ['openid'], claims: [], resources: {} })
  })
  return id
}

const clientIds = async (browser = realm.admin, at = path) =>
  (await browser.get(at)).body.map((consent: { clientId: string }) => consent.clientId)

describe('what I allowed applications', () => {
  test('is listed for me alone, page by page', async () => {
    for (const clientId of ['one', 'two', 'three']) await allow(realm, realm.adminId, clientId)
    const ada = await realm.signInWith([])
    await allow(realm, ada.userId, 'hers')
    const { status, body, headers } = await realm.admin.get(path)
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body[0]).toMatchObject({ clientId: 'one', clientName: 'ONE', scopes: ['openid'], source: 'USER' })
    expect(await clientIds(ada.browser)).toEqual(['hers'])
    const first = await realm.admin.get(`${path}?size=2`)
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))![1]!
    const seen = [
      ...first.body.map((consent: { clientId: string }) => consent.clientId),
      ...(await clientIds(realm.admin, next)),
    ]
    expect(seen).toEqual(['one', 'two', 'three'])
  })

  test('refuses parameters that make no sense, as problem+json', async () => {
    for (const [query, field] of [
      ['size=0', 'size'],
      ['after=x', 'after'],
      ['zz=1', 'zz'],
      ['size=1&size=2', 'size'],
    ]) {
      const answer = await realm.admin.get(`${path}?${query}`)
      expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8'])
      expect(answer.body.errors[0].field).toBe(field)
    }
  })

  test('is taken back by the client’s id or its clientId, once', async () => {
    const one = await allow(realm, realm.adminId, 'one')
    await allow(realm, realm.adminId, 'https://two.example/app')
    expect((await realm.admin.write('DELETE', `${path}/${one}`)).status).toBe(204)
    const encoded = encodeURIComponent('https://two.example/app')
    expect((await realm.admin.write('DELETE', `${path}/${encoded}`)).status).toBe(204)
    expect(await clientIds()).toEqual([])
    for (const name of [one, encoded, 'nothing', newId(), '%00', 'a%00b']) {
      expect((await realm.admin.write('DELETE', `${path}/${name}`)).body.code).toBe('not_found')
    }
    const revoked = await realm.events('&type=CONSENT_REVOKED')
    expect(revoked.map((event) => event.actor)).toEqual([realm.adminId, realm.adminId])
  })

  test('of somebody else or in another realm cannot be taken back', async () => {
    const ada = await realm.signInWith([])
    const hers = await allow(realm, ada.userId, 'hers')
    expect((await realm.admin.write('DELETE', `${path}/${hers}`)).status).toBe(404)
    const other = await createRealmFor()
    const theirs = await allow(other, other.adminId, 'theirs')
    expect((await realm.admin.write('DELETE', `${path}/${theirs}`)).status).toBe(404)
    const answer = await realm.admin.write('DELETE', `/realms/${other.realmId}/account/gdpr/consents/${theirs}`)
    expect(answer.status).toBe(401)
    expect(await clientIds(ada.browser)).toEqual(['hers'])
  })
})

describe('who may ask', () => {
  test('nobody without a session, and the refusal says where tokens come from', async () => {
    const metadata = `${realm.node.url}/.well-known/oauth-protected-resource/realms/${realm.realmId}`
    for (const [method, url] of [
      ['GET', path],
      ['DELETE', `${path}/x`],
    ] as const) {
      const answer = await api(realm.node.url + url, method)
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
      expect(answer.headers['www-authenticate']).toBe(`Bearer resource_metadata="${metadata}"`)
    }
    const unknown = await api(`${realm.node.url}/realms/no-such-realm/account/gdpr/consents`, 'GET')
    expect([unknown.status, unknown.body.code]).toEqual([404, 'realm_not_found'])
    const method = await realm.admin.write('POST', path)
    expect([method.status, method.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('not with a session that has ended', async () => {
    const ada = await realm.signInWith([])
    await realm.call('DELETE', `/sessions?userId=${ada.userId}`)
    expect((await ada.browser.get(path)).status).toBe(401)
  })

  test('a write needs the CSRF token of this session and no foreign origin; a read puts the token back', async () => {
    const one = await allow(realm, realm.adminId, 'one')
    const token = realm.admin.csrf()
    const attempts: RequestOptions[] = [
      { csrf: null },
      { csrf: 'wrong' },
      { headers: { origin: 'https://evil.example' } },
      { headers: { 'sec-fetch-site': 'cross-site' } },
    ]
    for (const options of attempts) {
      const answer = await realm.admin.write('DELETE', `${path}/${one}`, undefined, options)
      expect([answer.status, answer.body.code]).toEqual([403, 'csrf_invalid'])
    }
    realm.admin.cookies.set('XSRF-TOKEN', 'of-another-realm')
    expect((await realm.admin.write('DELETE', `${path}/${one}`)).status).toBe(403)
    expect(await clientIds()).toEqual(['one'])
    expect(realm.admin.csrf()).toBe(token)
    const sameOrigin = { headers: { origin: realm.node.url, 'sec-fetch-site': 'same-origin' } }
    expect((await realm.admin.write('DELETE', `${path}/${one}`, undefined, sameOrigin)).status).toBe(204)
  })

  test('a bearer token is judged alone: cookies that come along count for nothing', async () => {
    const answer = await realm.admin.get(path, { headers: { authorization: 'Bearer nonsense' } })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer resource_metadata="[^"]+", error="invalid_token"$/)
  })

  test('whoever the issuer finds behind a token may read and write without a CSRF token', async () => {
    const one = await allow(realm, realm.adminId, 'one')
    const { services, url } = realm.node
    const app = createHttpServer({ baseUrl: url, trustedProxies: [], log: services.log, observe: () => undefined })
    const actor: UserActor = {
      kind: 'USER',
      userId: realm.adminId,
      username: 'admin',
      realmId: realm.realmId,
      sessionId: null,
      impersonatorId: null,
      permissions: new Set(),
      authenticatedAt: 0,
    }
    const findOpenRealm = async () => (await services.snapshots.find(realm.realmId))!
    const renderError = async () => {
      throw new DomainError('internal_error', 'not used')
    }
    registerRoutes(app, services, { findOpenRealm, renderError } as never, accountRoutes, {
      bearer: async (request) => (request.headers.authorization === 'Bearer good' ? actor : null),
    })
    const send = (method: 'GET' | 'DELETE', at: string, token: string) =>
      app.inject({ method, url: at, headers: { authorization: `Bearer ${token}` } })
    expect((await send('GET', path, 'good')).json()).toHaveLength(1)
    expect((await send('GET', path, 'bad')).statusCode).toBe(401)
    expect((await send('DELETE', `${path}/${one}`, 'good')).statusCode).toBe(204)
    await app.close()
  })
})

test('the routes are in the API description', async () => {
  const { body } = await api(`${realm.node.url}/v3/api-docs`, 'GET')
  expect(body.paths['/realms/{realm}/account/gdpr/consents'].get.summary).toBeTruthy()
  expect(body.paths['/realms/{realm}/account/gdpr/consents/{clientId}'].delete.responses['204']).toBeDefined()
})
