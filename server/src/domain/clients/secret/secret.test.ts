import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRealmFor, startTestNode, type TestNode, type TestRealm } from '../../../../test/harness/index.ts'
import { readProtocolClient } from '../index.ts'

let node: TestNode
let realm: TestRealm
let path: string
let first: string
beforeAll(async () => {
  node = await startTestNode()
})
afterAll(() => node.stop())
beforeEach(async () => {
  realm = await createRealmFor({ node })
  const { id, secret } = (await realm.call('POST', '/clients', { clientId: 'shop' })).body
  path = `/clients/${id}`
  first = secret
})

const readClient = async () => (await readProtocolClient(realm.node.services, realm.realmId, 'shop'))!

describe('reveal', () => {
  test('shows the secret, is never kept by a cache, and is recorded', async () => {
    const answer = await realm.call('GET', `${path}/secret`)
    expect(answer.body).toEqual({ clientId: 'shop', secret: first, createdAt: expect.any(Number), expiresAt: null })
    expect(answer.headers['cache-control']).toBe('no-store')
    const events = await realm.events('&type=SECRET_REVEALED')
    expect(events).toMatchObject([
      { category: 'SECURITY', actor: realm.adminId, resourceType: 'clients', outcome: 'SUCCESS' },
    ])
    expect(events[0].resourceId).toBe(path.split('/').at(-1))
    expect(JSON.stringify(events)).not.toContain(first)
  })

  test('is refused where the realm says so; a new secret can still be made', async () => {
    await realm.call('PUT', '/settings', { clientSecretRevealAllowed: false })
    const answer = await realm.call('GET', `${path}/secret`)
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    expect(await realm.events('&type=SECRET_REVEALED')).toEqual([])
    expect((await realm.call('POST', `${path}/secret`)).status).toBe(200)
  })

  test('needs manage-clients: to look is not enough', async () => {
    const { browser } = await realm.signInWith(['view-clients'])
    expect((await realm.callAs(browser, 'GET', path)).status).toBe(200)
    for (const method of ['GET', 'POST']) {
      const answer = await realm.callAs(browser, method, `${path}/secret`)
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    }
  })
})

describe('regeneration', () => {
  test('replaces the secret at once when no grace is asked for', async () => {
    const { body, status } = await realm.call('POST', `${path}/secret`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ clientId: 'shop', expiresAt: null, previousSecretExpiresAt: null })
    expect(body.secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(body.secret).not.toBe(first)
    expect(await readClient()).toMatchObject({ secret: body.secret, previousSecret: null })
    const events = await realm.events('&type=SECRET_REGENERATED')
    expect(events).toMatchObject([{ category: 'SECURITY', actor: realm.adminId, outcome: 'SUCCESS' }])
    expect((await realm.call('GET', '/events?size=500')).text).not.toContain(body.secret)
  })

  test('keeps the old secret valid for the grace, and not a moment longer', async () => {
    const { body } = await realm.call('POST', `${path}/secret`, { graceSeconds: 60 })
    expect(await readClient()).toMatchObject({
      secret: body.secret,
      previousSecret: { secret: first, expiresAt: body.previousSecretExpiresAt },
    })
    expect(body.previousSecretExpiresAt).toBe(body.createdAt + 60_000)
    realm.node.clock.advance(60_001)
    expect(await readClient()).toMatchObject({ secret: body.secret, previousSecret: null })
  })

  test('keeps one old secret, the last', async () => {
    const second = (await realm.call('POST', `${path}/secret`, { graceSeconds: 60 })).body.secret
    const third = (await realm.call('POST', `${path}/secret`, { graceSeconds: 60 })).body.secret
    expect(await readClient()).toMatchObject({ secret: third, previousSecret: { secret: second } })
  })

  test('does not let a secret outlive its end, and the new one has none', async () => {
    const secretExpiresAt = realm.node.clock.now() + 30_000
    await realm.call('PATCH', path, { secretExpiresAt }, { type: 'application/merge-patch+json' })
    expect((await realm.call('GET', `${path}/secret`)).body.expiresAt).toBe(secretExpiresAt)
    const { body } = await realm.call('POST', `${path}/secret`, { graceSeconds: 3600 })
    expect(body).toMatchObject({ previousSecretExpiresAt: secretExpiresAt, expiresAt: null })
    expect((await realm.call('GET', path)).body.secretExpiresAt).toBeNull()
  })

  test('refuses a grace of more than a week', async () => {
    for (const graceSeconds of [604_801, -1, 1.5, '60']) {
      const answer = await realm.call('POST', `${path}/secret`, { graceSeconds })
      expect([answer.status, answer.body.errors[0].field]).toEqual([400, 'graceSeconds'])
    }
    expect((await readClient()).secret).toBe(first)
  })

  test('a client that becomes public loses the old secret, too', async () => {
    await realm.call('POST', `${path}/secret`, { graceSeconds: 60 })
    await realm.call('PATCH', path, { publicClient: true }, { type: 'application/merge-patch+json' })
    expect(await readClient()).toMatchObject({ secret: null, previousSecret: null })
  })

  test('S51: a secret that is moved to another row or column does not open', async () => {
    await realm.call('POST', '/clients', { clientId: 'other' })
    await readClient()
    await realm.run(async (ctx) => {
      const rows = await ctx.tx
        .selectFrom('clients')
        .select(['client_id', 'secret_sealed'])
        .where('realm_id', '=', realm.realmId)
        .execute()
      const sealed = rows.find((row) => row.client_id === 'shop')!.secret_sealed
      await ctx.tx
        .updateTable('clients')
        .set({ secret_sealed: sealed })
        .where('realm_id', '=', realm.realmId)
        .where('client_id', '=', 'other')
        .execute()
      const expires = { previous_secret_sealed: sealed, previous_secret_expires_at: ctx.now + 60_000 }
      await ctx.tx
        .updateTable('clients')
        .set(expires)
        .where('realm_id', '=', realm.realmId)
        .where('client_id', '=', 'shop')
        .execute()
    })
    await expect(readProtocolClient(realm.node.services, realm.realmId, 'other')).rejects.toThrow(/authenticate/)
    await expect(readClient()).rejects.toThrow(/authenticate/)
  })
})
