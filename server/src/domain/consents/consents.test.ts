import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { newId } from '../../platform/ids/index.ts'
import {
  consentsContribution,
  type ConsentGrant,
  listConsents,
  readConsent,
  recordConsent,
  revokeConsent,
} from './index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

/** A client as the database keeps it; its own routes are another folder's. */
async function insertClient(at: TestRealm, clientId: string, name: string | null = null): Promise<string> {
  const id = newId()
  await at.run((ctx) =>
    ctx.tx
      .insertInto('clients')
      .values({ realm_id: ctx.realmId, id, client_id: clientId, name, created_at: 0 })
      .execute(),
  )
  return id
}

const allow = (at: TestRealm, clientUuid: string, members: Partial<ConsentGrant> = {}) =>
  at.run((ctx) =>
    recordConsent(ctx, { userId: at.adminId, clientUuid, scopes: [], claims: [], resources: {}, ...members }),
  )
const read = (at: TestRealm, clientUuid: string) => readConsent(at.node.services.db, at.realmId, at.adminId, clientUuid)

/** A grant and a refresh token of it, as the engine keeps them. */
const insertGrant = (at: TestRealm, clientId: string, userId: string) =>
  at.run(async (ctx) => {
    const of = { realm_id: ctx.realmId, payload: '{}', created_at: 0, expires_at: ctx.now + 60_000 }
    const grant_id = Buffer.from(newId())
    const grant = { ...of, id: grant_id, model: 'Grant', user_id: userId, client_id: clientId }
    await ctx.tx.insertInto('oidc_models').values(grant).execute()
    const token = { ...of, id: Buffer.from(newId()), model: 'RefreshToken', grant_id }
    await ctx.tx.insertInto('oidc_models').values(token).execute()
  })
/** Whose refresh tokens of a client are left. */
const tokenHolders = (at: TestRealm, clientId: string) =>
  at.run(async (ctx) => {
    const rows = await ctx.tx
      .selectFrom('oidc_models as token')
      .innerJoin('oidc_models as grant', (join) =>
        join.onRef('grant.realm_id', '=', 'token.realm_id').onRef('grant.id', '=', 'token.grant_id'),
      )
      .select('grant.user_id')
      .where('token.realm_id', '=', ctx.realmId)
      .where('grant.client_id', '=', clientId)
      .execute()
    return rows.map((row) => row.user_id)
  })

describe('a consent', () => {
  test('grows with everything that is allowed later and loses nothing', async () => {
    const client = await insertClient(realm, 'shop')
    expect(await read(realm, client)).toBeNull()
    const first = await allow(realm, client, {
      scopes: ['openid', 'email'],
      resources: { 'https://a.example': ['read'] },
    })
    expect(first.scopes).toEqual(['email', 'openid'])
    await allow(realm, client, {
      scopes: ['profile', 'openid'],
      claims: ['birthdate'],
      resources: { 'https://a.example': ['write'], 'https://b.example': ['read'] },
    })
    expect(await read(realm, client)).toEqual({
      scopes: ['email', 'openid', 'profile'],
      claims: ['birthdate'],
      resources: { 'https://a.example': ['read', 'write'], 'https://b.example': ['read'] },
      grantedAt: first.grantedAt,
      updatedAt: expect.any(Number),
    })
  })

  test('adds up when several windows allow something at once', async () => {
    const client = await insertClient(realm, 'shop')
    const scopes = Array.from({ length: 8 }, (_, at) => `scope-${at}`)
    await Promise.all(scopes.map((scope) => allow(realm, client, { scopes: [scope] })))
    expect((await read(realm, client))!.scopes).toEqual(scopes)
  })

  test('does not grow for ever', async () => {
    const client = await insertClient(realm, 'shop')
    const scopes = Array.from({ length: 501 }, (_, at) => `scope-${at}`)
    await expect(allow(realm, client, { scopes })).rejects.toThrow(/at most/)
    expect(await read(realm, client)).toBeNull()
  })

  test('is taken back with the client’s refresh tokens for that person, and nobody else’s', async () => {
    const shop = await insertClient(realm, 'shop')
    const blog = await insertClient(realm, 'blog')
    const { userId } = (await realm.call('POST', '/users', { username: 'ada' })).body
    for (const client of [shop, blog]) await allow(realm, client, { scopes: ['openid'] })
    await allow(realm, shop, { userId, scopes: ['openid'] })
    await insertGrant(realm, 'shop', realm.adminId)
    await insertGrant(realm, 'shop', userId)
    await insertGrant(realm, 'blog', realm.adminId)
    expect(await realm.run((ctx) => revokeConsent(ctx, realm.adminId, shop))).toBe(true)
    expect(await realm.run((ctx) => revokeConsent(ctx, realm.adminId, shop))).toBe(false)
    expect(await read(realm, shop)).toBeNull()
    expect(await read(realm, blog)).not.toBeNull()
    expect(await tokenHolders(realm, 'shop')).toEqual([userId])
    expect(await tokenHolders(realm, 'blog')).toEqual([realm.adminId])
  })

  test('and its end are in the audit trail', async () => {
    const client = await insertClient(realm, 'shop')
    await allow(realm, client, { scopes: ['openid'] })
    await realm.run((ctx) => revokeConsent(ctx, realm.adminId, client))
    const [granted] = await realm.events('&type=CONSENT_GRANTED')
    expect(granted).toMatchObject({ clientId: 'shop', resourceType: 'users', resourceId: realm.adminId })
    expect(JSON.parse(granted.detail)).toMatchObject({ scopes: ['openid'] })
    const [revoked] = await realm.events('&type=CONSENT_REVOKED')
    expect(revoked).toMatchObject({ clientId: 'shop', resourceId: realm.adminId, outcome: 'SUCCESS' })
  })

  test('belongs to one realm, whatever ids another realm brings', async () => {
    const other = await createRealmFor()
    const client = await insertClient(other, 'shop')
    await allow(other, client, { scopes: ['openid'] })
    await expect(allow(realm, client)).rejects.toThrow(/not_found/)
    const db = realm.node.services.db
    expect(await readConsent(db, realm.realmId, other.adminId, client)).toBeNull()
    expect((await listConsents(db, realm.realmId, other.adminId, {})).rows).toEqual([])
    expect(await realm.run((ctx) => revokeConsent(ctx, other.adminId, client))).toBe(false)
    expect(await read(other, client)).not.toBeNull()
  })

  test('is in the export of the person’s data and gone with their erasure or that of the client', async () => {
    const [shop, blog] = [await insertClient(realm, 'shop', 'The Shop'), await insertClient(realm, 'blog')]
    await allow(realm, shop, { scopes: ['openid'] })
    await allow(realm, blog, { scopes: ['email'] })
    const [section] = consentsContribution.dataSubject!
    const exported = await realm.run((ctx) => section!.exportFor(ctx, realm.adminId))
    expect(exported).toMatchObject([{ clientId: 'shop', clientName: 'The Shop' }, { clientId: 'blog' }])
    await realm.run((ctx) =>
      ctx.tx.deleteFrom('clients').where('realm_id', '=', ctx.realmId).where('id', '=', blog).execute(),
    )
    expect(await read(realm, blog)).toBeNull()
    await realm.run((ctx) => section!.eraseFor(ctx, realm.adminId))
    expect(await read(realm, shop)).toBeNull()
  })
})

describe('GET /users/{userId}/gdpr/consents', () => {
  test('shows and pages what a user allowed', async () => {
    for (const clientId of ['one', 'two', 'three']) {
      await allow(realm, await insertClient(realm, clientId, `App ${clientId}`), {
        scopes: ['openid'],
        claims: ['name'],
      })
    }
    const path = `/users/${realm.adminId}/gdpr/consents`
    const { body } = await realm.call('GET', path)
    expect(body[0]).toEqual({
      clientId: 'one',
      clientName: 'App one',
      scopes: ['openid'],
      claims: ['name'],
      grantedAt: expect.any(Number),
      updatedAt: expect.any(Number),
      source: 'USER',
      agentId: null,
    })
    const first = await realm.call('GET', `${path}?size=2`)
    const next = /<\/admin\/realms\/[^/]+([^>]+)>/.exec(String(first.headers.link))![1]!
    const seen = [...first.body, ...(await realm.call('GET', next)).body]
    expect(seen.map((consent) => consent.clientId)).toEqual(['one', 'two', 'three'])
  })

  test('needs view-users, and a user of this realm', async () => {
    const viewer = await realm.signInWith(['view-users'])
    const path = `/users/${realm.adminId}/gdpr/consents`
    expect((await realm.callAs(viewer.browser, 'GET', path)).status).toBe(200)
    const stranger = await realm.signInWith(['view-clients'])
    expect((await realm.callAs(stranger.browser, 'GET', path)).status).toBe(403)
    const other = await createRealmFor()
    expect((await realm.call('GET', `/users/${other.adminId}/gdpr/consents`)).status).toBe(404)
  })
})
