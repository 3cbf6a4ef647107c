import { beforeEach, expect, test } from 'vitest'
import { createRealmFor, type TestRealm } from '../../../test/harness/index.ts'
import { readProtocolClient } from './index.ts'

let realm: TestRealm
beforeEach(async () => {
  realm = await createRealmFor()
})
const read = (clientId: string, realmId = realm.realmId) => readProtocolClient(realm.node.services, realmId, clientId)

test('a client is read with every setting, its secret open, and disabled ones, too', async () => {
  const { body } = await realm.call('POST', '/clients', { clientId: 'shop', enabled: false, consentRequired: true })
  expect(await read('shop')).toEqual({
    ...{ id: body.id, clientId: 'shop', name: null, enabled: false, publicClient: false, version: 1 },
    ...{ grantTypes: ['authorization_code', 'refresh_token'], redirectUris: [], webOrigins: [], scopes: [] },
    serviceAccount: expect.objectContaining({ user_id: null }),
    ...{ allowedResources: [], serviceAccountUserId: null, secret: body.secret, previousSecret: null, mappers: [] },
    createdBy: 'ADMIN',
    settings: expect.objectContaining({
      consentRequired: true,
      requirePkce: true,
      tokenEndpointAuthMethod: 'client_secret_basic',
    }),
  })
  const { settings } = (await read('shop'))!
  for (const [name, value] of Object.entries(settings)) expect(body[name], name).toEqual(value)
})

test('an edit is seen by the next read', async () => {
  const { id } = (await realm.call('POST', '/clients', { clientId: 'shop' })).body
  for (const enabled of [false, true]) {
    await realm.call('PATCH', `/clients/${id}`, { enabled }, { type: 'application/merge-patch+json' })
    expect((await read('shop'))!.enabled).toBe(enabled)
  }
  await realm.call('DELETE', `/clients/${id}`)
  expect(await read('shop')).toBeNull()
})

test('what is no clientId, another realm’s, an id or of another case is not there', async () => {
  const { id } = (await realm.call('POST', '/clients', { clientId: 'shop' })).body
  const other = await createRealmFor()
  for (const clientId of ['Shop', id, 'a\0b', '\ud800', '', 'x'.repeat(10_000), "' or 1=1 --"])
    expect(await read(clientId)).toBeNull()
  expect(await read('shop', other.realmId)).toBeNull()
})

test('S12: the folders that care learn of a client that is disabled or deleted, in the same transaction', async () => {
  const ended: string[] = []
  const { contributions } = realm.node.services
  const listener = { reactions: { clientEnded: async (_ctx: unknown, clientId: string) => void ended.push(clientId) } }
  contributions.push(listener)
  try {
    const { id } = (await realm.call('POST', '/clients', { clientId: 'shop' })).body
    const change = (body: object) =>
      realm.call('PATCH', `/clients/${id}`, body, { type: 'application/merge-patch+json' })
    await change({ name: 'x' })
    expect(ended).toEqual([])
    await change({ enabled: false })
    await change({ name: 'y' })
    expect(ended).toEqual(['shop'])
    await realm.call('DELETE', `/clients/${id}`)
    expect(ended).toEqual(['shop', 'shop'])
  } finally {
    contributions.splice(contributions.indexOf(listener), 1)
  }
})
