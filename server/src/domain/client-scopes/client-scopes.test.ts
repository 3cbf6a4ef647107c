import { beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { findUnknownScopes, type RealmScopes, scopesSection } from './index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})

const standard = [
  ...['account', 'address', 'email', 'groups', 'offline_access', 'openid', 'organization', 'phone', 'profile', 'roles'],
]

async function create(name: string, members: object = {}) {
  const answer = await realm.call('POST', '/client-scopes', { name, ...members })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function scopeNamed(name: string) {
  const { body } = await realm.call('GET', '/client-scopes')
  return body.find((scope: { name: string }) => scope.name === name)
}

async function readSection(): Promise<RealmScopes> {
  const snapshot = await realm.node.services.snapshots.find(realm.realmId)
  return snapshot!.section(scopesSection)
}

/** Clients as the database keeps them; their own routes are another folder's. */
async function insertClients(scopes: string[], count = 1): Promise<string[]> {
  const rows = Array.from({ length: count }, () => newId())
  await realm.run((ctx) =>
    ctx.tx
      .insertInto('clients')
      .values(rows.map((id) => ({ realm_id: ctx.realmId, id, client_id: `client-${id}`, scopes, created_at: 0 })))
      .execute(),
  )
  return rows
}

const clientScopesOf = (id: string) =>
  realm.run((ctx) =>
    ctx.tx
      .selectFrom('clients')
      .select(['scopes', 'version'])
      .where('realm_id', '=', ctx.realmId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )

describe('the record', () => {
  test('a fresh realm has the standard scopes, of which four are default', async () => {
    const { body } = await realm.call('GET', '/client-scopes')
    expect(body.map((scope: { name: string }) => scope.name)).toEqual(standard)
    const defaults = body.filter((scope: { defaultScope: boolean }) => scope.defaultScope)
    expect(defaults.map((scope: { name: string }) => scope.name)).toEqual(['email', 'openid', 'profile', 'roles'])
    expect(body[2]).toEqual({
      realmId: realm.realmId,
      scopeId: expect.any(String),
      name: 'email',
      description: expect.any(String),
      consentText: expect.any(String),
      defaultScope: true,
      includeInTokenScope: true,
      claimIds: [expect.any(String), expect.any(String)],
      createdAt: expect.any(Number),
    })
  })

  test('is created, read, replaced as a whole and deleted', async () => {
    const made = await realm.call('POST', '/client-scopes', { name: 'invoices', consentText: 'See your invoices' })
    expect(made.headers.location).toBe(`/admin/realms/${realm.realmId}/client-scopes/${made.body.scopeId}`)
    const path = `/client-scopes/${made.body.scopeId}`
    const read = await realm.call('GET', path)
    expect(read.body).toEqual(made.body)
    const replaced = await realm.call('PUT', path, { ...read.body, defaultScope: true, consentText: null })
    expect(replaced.body).toEqual({ ...made.body, defaultScope: true, consentText: null })
    const stale = await realm.call('PUT', path, {}, { headers: { 'if-match': String(read.headers.etag) } })
    expect(stale.status).toBe(412)
    expect((await realm.call('DELETE', path)).status).toBe(204)
    expect((await realm.call('GET', path)).status).toBe(404)
  })

  test('keeps its name, refuses one that is taken and one that RFC 6749 does not allow', async () => {
    const scope = await create('invoices')
    const renamed = await realm.call('PUT', `/client-scopes/${scope.scopeId}`, { name: 'bills' })
    expect([renamed.status, renamed.body.errors[0].field]).toEqual([400, 'name'])
    const taken = await realm.call('POST', '/client-scopes', { name: 'openid' })
    expect([taken.status, taken.body.errors[0].field]).toEqual([409, 'name'])
    for (const name of ['two words', 'quote"', 'back\\slash', 'é', '']) {
      const answer = await realm.call('POST', '/client-scopes', { name })
      expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'name'])
    }
  })

  test('of another realm is not there', async () => {
    const other = await createRealmFor()
    const foreign = (await other.call('POST', '/client-scopes', { name: 'theirs' })).body
    const claim = (await realm.call('GET', '/claims?size=1')).body[0]
    const path = `/client-scopes/${foreign.scopeId}`
    for (const [method, url] of [
      ['GET', path],
      ['PUT', path],
      ['DELETE', path],
      ['PUT', `${path}/claims/${claim.claimId}`],
      ['DELETE', `${path}/claims/${claim.claimId}`],
    ] as const) {
      expect((await realm.call(method, url, method === 'PUT' && url === path ? {} : undefined)).status).toBe(404)
    }
    const own = await create('ours')
    const theirClaim = (await other.call('GET', '/claims?size=1')).body[0]
    const attached = await realm.call('PUT', `/client-scopes/${own.scopeId}/claims/${theirClaim.claimId}`)
    expect(attached.status).toBe(404)
    expect((await other.call('GET', path)).body).toEqual(foreign)
  })
})

describe('claim mappers of a scope', () => {
  test('are attached and detached, once and again, and the ETag follows', async () => {
    const scope = await create('invoices')
    const [claim] = (await realm.call('GET', '/claims?size=1')).body
    const path = `/client-scopes/${scope.scopeId}`
    const before = await realm.call('GET', path)
    expect((await realm.call('PUT', `${path}/claims/${claim.claimId}`)).status).toBe(204)
    expect((await realm.call('PUT', `${path}/claims/${claim.claimId}`)).status).toBe(204)
    const after = await realm.call('GET', path)
    expect(after.body.claimIds).toEqual([claim.claimId])
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect((await realm.call('DELETE', `${path}/claims/${claim.claimId}`)).status).toBe(204)
    expect((await realm.call('DELETE', `${path}/claims/${claim.claimId}`)).status).toBe(404)
    expect((await realm.call('GET', path)).body.claimIds).toEqual([])
  })

  test('leave with the mapper when that is deleted', async () => {
    const email = await scopeNamed('email')
    const before = await realm.call('GET', `/client-scopes/${email.scopeId}`)
    expect((await realm.call('DELETE', `/claims/${email.claimIds[0]}`)).status).toBe(204)
    const after = await realm.call('GET', `/client-scopes/${email.scopeId}`)
    expect(after.body.claimIds).toEqual([email.claimIds[1]])
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect((await readSection()).get('email')!.claims.map(({ claim }) => claim)).toEqual(['email_verified'])
  })
})

describe('a scope that clients list', () => {
  test('cannot be deleted, except by force, which takes it from them', async () => {
    const scope = await create('invoices')
    const [client] = await insertClients(['invoices', 'groups'])
    const path = `/client-scopes/${scope.scopeId}`
    const refused = await realm.call('DELETE', path)
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect((await realm.call('DELETE', `${path}?force=true`)).status).toBe(204)
    expect(await clientScopesOf(client!)).toEqual({ scopes: ['groups'], version: 2 })
  })

  test('is taken from more clients than fit in one batch, and from no other', async () => {
    const scope = await create('invoices')
    const clients = await insertClients(['invoices'], 1203)
    const [untouched] = await insertClients(['groups'])
    expect((await realm.call('DELETE', `/client-scopes/${scope.scopeId}?force=true`)).status).toBe(204)
    for (const id of [clients[0]!, clients[499]!, clients[500]!, clients.at(-1)!]) {
      expect(await clientScopesOf(id)).toEqual({ scopes: [], version: 2 })
    }
    expect(await clientScopesOf(untouched!)).toEqual({ scopes: ['groups'], version: 1 })
    const [event] = await realm.events('&type=ADMIN_DELETE')
    expect(JSON.parse(event.detail)).toEqual({ name: 'invoices', clientsChanged: 1203 })
  })

  test('stays in the clients of other realms', async () => {
    const other = await createRealmFor()
    const theirs = (await other.call('POST', '/client-scopes', { name: 'invoices' })).body
    await insertClients(['invoices'])
    expect((await other.call('DELETE', `/client-scopes/${theirs.scopeId}`)).status).toBe(204)
    const own = await create('invoices')
    expect((await realm.call('DELETE', `/client-scopes/${own.scopeId}`)).status).toBe(409)
  })

  test('cannot vanish while a client that names it is being written', async () => {
    const scope = await create('invoices')
    let deleted: Promise<{ status: number }> | undefined
    await realm.run(async (ctx) => {
      expect(await findUnknownScopes(ctx.tx, ctx.realmId, ['invoices', 'nothing', 'openid'])).toEqual(['nothing'])
      deleted = realm.call('DELETE', `/client-scopes/${scope.scopeId}`)
      await new Promise((resolve) => setTimeout(resolve, 150))
      const values = { realm_id: ctx.realmId, id: newId(), client_id: 'late', scopes: ['invoices'], created_at: 0 }
      await ctx.tx.insertInto('clients').values(values).execute()
    })
    expect((await deleted!).status).toBe(409)
  })

  test('openid cannot be deleted at all', async () => {
    const answer = await realm.call('DELETE', `/client-scopes/${(await scopeNamed('openid')).scopeId}?force=true`)
    expect([answer.status, answer.body.code]).toEqual([409, 'protected'])
  })
})

describe('the snapshot', () => {
  test('has every scope with its mappers and follows each change at once', async () => {
    const before = await readSection()
    expect([...before.keys()]).toEqual(standard)
    expect(before.get('phone')!.claims.map(({ claim }) => claim)).toEqual(['phone_number', 'phone_number_verified'])
    expect(scopesSection.sizeOf(before)).toBeGreaterThan(10_000)
    const scope = await create('invoices', { consentText: 'See your invoices', includeInTokenScope: false })
    expect((await readSection()).get('invoices')).toMatchObject({
      scopeId: scope.scopeId,
      consentText: 'See your invoices',
      defaultScope: false,
      includeInTokenScope: false,
      claims: [],
    })
    const claim = { name: 'number', claim: 'invoice_number', source: 'ATTRIBUTE', sourceKey: 'invoice' }
    const { claimId } = (await realm.call('POST', '/claims', claim)).body
    await realm.call('PUT', `/client-scopes/${scope.scopeId}/claims/${claimId}`)
    expect((await readSection()).get('invoices')!.claims).toMatchObject([claim])
    await realm.call('PUT', `/claims/${claimId}`, { ...claim, type: 'NUMBER' })
    expect((await readSection()).get('invoices')!.claims).toMatchObject([{ type: 'NUMBER' }])
    await realm.call('DELETE', `/client-scopes/${scope.scopeId}`)
    expect((await readSection()).has('invoices')).toBe(false)
  })
})
