import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addPerson,
  createBrowser,
  createClientIn,
  createRealmFor,
  must,
  signInTo,
  type TestRealm,
} from '../../../../test/harness/index.ts'
import { contextIn } from '../../../../test/harness/realm.ts'
import { runTransaction } from '../../../platform/db/index.ts'
import { asUser, type Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { UserInput, createUser } from '../index.ts'
import { eraseUser, ExportDocument } from './index.ts'

let realm: TestRealm
beforeAll(async () => {
  realm = await createRealmFor()
})

const exportOf = (userId: string) => realm.call('GET', `/users/${userId}/gdpr/export`)
const erase = (userId: string) => realm.call('DELETE', `/users/${userId}/gdpr`)
const codeOf = async (answer: ReturnType<typeof erase>) => {
  const { status, body } = await answer
  return [status, body?.code]
}
let made = 0
const nextName = () => `person-${(made += 1)}`

function keysOf(userId: string) {
  const { db } = realm.node.services
  return db
    .selectFrom('audit_keys')
    .select('id')
    .where('realm_id', '=', realm.realmId)
    .where('id', '=', userId)
    .execute()
}

describe('the export of a person’s data', () => {
  test('has the shape of the specification and everything that is kept, and no secret', async () => {
    const attributes = { firstName: 'Ada', lastName: 'Lovelace' }
    const { userId, username } = await addPerson(realm, nextName(), { attributes, phone: '+41791234567' })
    await must(realm.call('POST', `/users/${userId}/credentials`, { type: 'totp', label: 'Phone' }), 201)
    const client = await createClientIn(realm, { consentRequired: true })
    await signInTo(realm, client, { browser: createBrowser(realm.node.url), username })
    await realm.node.services.eventBatch.flush()
    const { body } = await must(exportOf(userId), 200)
    expect(ExportDocument.parse(body)).toEqual(body)
    expect(body).toMatchObject({
      generatedAt: expect.any(Number),
      schema: 'gatehouse.gdpr.export/v1',
      realmId: realm.realmId,
      userId,
      attributes,
      roles: ['user'],
      ...{ organizations: [], federatedLinks: [], agents: [], groups: [], devices: [], truncated: [] },
      account: { phone: '+41791234567', emailVerified: true, termsAcceptedAt: null, clientRoles: [] },
    })
    const { createdAt } = body.profile
    expect(body.profile).toEqual({ username, email: `${username}@example.org`, enabled: true, createdAt })
    expect(body.realmMemberships).toEqual([{ realmId: realm.realmId, joinedAt: createdAt }])
    expect(body.credentials.map(({ type }: { type: string }) => type).toSorted()).toEqual(['email', 'password', 'totp'])
    expect(body.consents).toMatchObject([{ clientId: client.clientId, scopes: expect.arrayContaining(['openid']) }])
    expect(body.sessions).toMatchObject([{ userId, sourceIp: '127.0.0.1' }])
    expect(body.loginEvents.map(({ type }: { type: string }) => type)).toContain('LOGIN_SUCCESS')
    const { text } = await exportOf(userId)
    expect(text).not.toMatch(/\$argon2|secret_|"secret"|sealed|token_hash|otpauth/)
  })

  test('is an event that names who took it and whose it was, and happens for nobody who may only look', async () => {
    const { userId } = await addPerson(realm, nextName())
    await must(exportOf(userId), 200)
    const [event] = await realm.events(`&type=DATA_EXPORTED&resourceId=${userId}`)
    expect(event).toMatchObject({
      category: 'SECURITY',
      actor: realm.adminId,
      resourceType: 'users',
      resourceId: userId,
    })
    const { browser } = await realm.signInWith(['view-users', 'view-events'])
    expect((await realm.callAs(browser, 'GET', `/users/${userId}/gdpr/export`)).status).toBe(403)
  })

  test('shows the newest ten thousand sign-ins and says that there were more', async () => {
    const { userId, username } = await addPerson(realm, nextName())
    const { eventBatch, clock } = realm.node.services
    const origin = { sourceIp: '203.0.113.9', userAgent: 'test', traceId: 'x' }
    const actor = asUser(realm.realmId, { id: userId, username })
    const first = clock.now() - 20_000
    for (let at = 0; at < 10_001; at++) {
      const event = { type: 'TOKEN_REFRESHED', outcome: 'SUCCESS', detail: String(at) } as const
      eventBatch.add({ realmId: realm.realmId, actor, origin, at: first + at, event })
    }
    while ((await realm.call('GET', `/events?actor=${userId}&size=1`)).body.total < 10_001) await eventBatch.flush()
    const { body } = await must(exportOf(userId), 200)
    expect(body.truncated).toEqual(['loginEvents'])
    expect(body.loginEvents).toHaveLength(10_000)
    expect([body.loginEvents[0].detail, body.loginEvents.at(-1).detail]).toEqual(['10000', '1'])
  })

  test('names every section that it had to cut', async () => {
    const { userId } = await addPerson(realm, nextName())
    const { adminDatabaseUrl } = realm.node
    const client = new pg.Client({ connectionString: adminDatabaseUrl })
    await client.connect()
    const times = `1, 4102444800000`
    await client.query(
      `insert into transactions (realm_id, id, type, title, details, hash, user_id, client_uuid, client_id, created_at, expires_at)
       select $1, gen_random_uuid(), 'payment', 'x', '{}', 'x', $2, id, client_id, ${times}
       from generate_series(1, 2001), (select id, client_id from clients where realm_id = $1 limit 1) client`,
      [realm.realmId, userId],
    )
    await client.query(
      `insert into device_approvals (realm_id, id, kind, sign_in_id, action, user_id, created_at, expires_at)
       select $1, gen_random_uuid(), 'PUSH', gen_random_uuid(), 'LOGIN', $2, ${times} from generate_series(1, 10001)`,
      [realm.realmId, userId],
    )
    await client.end()
    const { body } = await must(exportOf(userId), 200)
    expect(body.truncated.toSorted()).toEqual(['approvals', 'transactions'])
    expect([body.transactions.length, body.approvals.length]).toEqual([2000, 10_000])
    await must(erase(userId), 204)
  })
})

describe('erasing a person', () => {
  test.each(['true', 'TRUE', ' yes', ['false', 'true']])(
    'is refused under a legal hold (%j), as is deleting',
    async (legalHold) => {
      const { userId } = await addPerson(realm, nextName(), { attributes: { legalHold } })
      expect(await codeOf(erase(userId))).toEqual([409, 'legal_hold'])
      expect(await codeOf(realm.call('DELETE', `/users/${userId}`))).toEqual([409, 'legal_hold'])
      expect((await realm.call('GET', `/users/${userId}`)).status).toBe(200)
      await must(realm.call('PATCH', `/users/${userId}`, { attributes: { legalHold: 'false' } }), 200)
      expect((await erase(userId)).status).toBe(204)
      expect(await codeOf(erase(userId))).toEqual([404, 'not_found'])
    },
  )

  test('is refused for oneself, for service accounts and for the last administrator', async () => {
    expect(await codeOf(erase(realm.adminId))).toEqual([409, 'protected'])
    const machine = { clientId: nextName(), grantTypes: ['client_credentials'] }
    const { serviceAccountUserId } = (await must(realm.call('POST', '/clients', machine), 201)).body
    expect(await codeOf(erase(serviceAccountUserId))).toEqual([409, 'protected'])
    await expect(realm.run((ctx) => eraseUser(ctx, realm.adminId))).rejects.toMatchObject({ code: 'last_admin' })
  })

  test('is refused by whoever holds less', async () => {
    const { browser } = await realm.signInWith(['manage-users'])
    const better = await realm.signInWith(['view-events'])
    const answer = realm.callAs(browser, 'DELETE', `/users/${better.userId}/gdpr`)
    expect(await codeOf(answer)).toEqual([403, 'escalation'])
    expect((await realm.call('GET', `/users/${better.userId}`)).status).toBe(200)
  })

  test('frees the name, counts one less, and is an event without a word about the person', async () => {
    const username = nextName()
    const { userId } = await addPerson(realm, username)
    await must(erase(userId), 204)
    const events = await realm.events(`&resourceId=${userId}`)
    const types = events.slice(0, 2).map(({ type }) => type)
    expect(types.toSorted()).toEqual(['ADMIN_DELETE', 'USER_ERASED'])
    for (const event of events) expect(event.detail).toBeNull()
    expect(JSON.stringify(events)).not.toContain(username)
    expect((await addPerson(realm, username)).userId).not.toBe(userId)
  })

  test('also closes the trail of somebody who was only deleted before, and no other key', async () => {
    const { userId, username } = await addPerson(realm, nextName())
    await must(createBrowser(realm.node.url).login(realm.realmId, username, 'wrong-password-47'), 401)
    await must(realm.call('DELETE', `/users/${userId}`), 204)
    expect((await realm.events(`&actor=${userId}`))[0]).toMatchObject({ actor: userId, sourceIp: '127.0.0.1' })
    await must(erase(userId), 204)
    expect((await realm.events(`&actor=${userId}`))[0]).toMatchObject({ actor: `erased:${userId}`, sourceIp: null })
    const { db } = realm.node.services
    const keys = await db.selectFrom('audit_keys').select('id').where('realm_id', '=', realm.realmId).execute()
    const derived = keys.filter(({ id }) => id[14] === '8')
    expect(derived.length).toBeGreaterThan(0)
    for (const { id } of derived) expect(await codeOf(erase(id))).toEqual([404, 'not_found'])
  })

  test('leaves no way to ask from which address the person came', async () => {
    const { userId, username } = await addPerson(realm, nextName())
    await must(createBrowser(realm.node.url).login(realm.realmId, username, 'wrong-password-47'), 401)
    const from = async (more: string) => {
      const { body } = await realm.call('GET', `/events?sourceIp=127.0.0.1&actor=${userId}${more}`)
      return [body.total, body.items.length]
    }
    expect(await from('')).toEqual([1, 1])
    await must(erase(userId), 204)
    expect([await from(''), await from('&size=1&page=9')]).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect((await realm.call('GET', `/events?sourceIp=127.0.0.1&actor=admin`)).body.total).toBeGreaterThan(1)
  })

  test('takes along the answer that an Idempotency-Key was kept for', async () => {
    const username = nextName()
    const input = { username, email: `${username}@example.org` }
    const headers = { 'idempotency-key': username }
    const create = () => realm.call('POST', '/users', input, { headers })
    const { userId } = (await must(create(), 201)).body
    expect((await must(create(), 201)).body.userId).toBe(userId)
    await must(erase(userId), 204)
    const again = await create()
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(again.text).not.toContain(username)
  })
})

describe('an event by a person at the moment they are erased', () => {
  /** Somebody of whom nothing was recorded yet, so that no key exists. */
  const addUnrecorded = () => realm.run((ctx) => createUser(ctx, UserInput.parse({ username: nextName() })))
  const record = (ctx: Context, userId: string) =>
    recordEvent(
      { ...ctx, actor: asUser(realm.realmId, { id: userId, username: 'x' }) },
      { type: 'LOGOUT', outcome: 'SUCCESS', detail: 'hers' },
    )

  /** One transaction that stays open until it is told to end. */
  async function hold(work: (ctx: Context) => Promise<void>) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const ended = runTransaction(realm.node.services.db, async (transaction) => {
      await work(contextIn(realm.node, realm.realmId, transaction))
      begin()
      await released
    })
    await begun
    return { end: () => (release(), ended) }
  }

  test.each(['before', 'after'])('keeps no key when it is written a moment %s', async (order) => {
    const { userId } = await addUnrecorded()
    const [first, then] =
      order === 'before'
        ? [(ctx: Context) => record(ctx, userId), (ctx: Context) => eraseUser(ctx, userId)]
        : [(ctx: Context) => eraseUser(ctx, userId), (ctx: Context) => record(ctx, userId)]
    const held = await hold(first)
    const next = realm.run(then)
    // Long enough to be done, were it not for the lock.
    await Promise.race([next, sleep(150)])
    await held.end()
    await next
    expect(await keysOf(userId)).toEqual([])
    const [event] = await realm.events(`&actor=${userId}`)
    expect(event).toMatchObject({ actor: `erased:${userId}`, sourceIp: null, detail: null })
  })
})

test('a name that folds to other letters leaves no sign-in behind in which it was typed', async () => {
  const { userId } = await addPerson(realm, 'straße-ς', { email: null, emailVerified: false })
  const typed = (typedName: string) => ({
    ...{ realm_id: realm.realmId, id: crypto.randomUUID(), browser_hash: Buffer.alloc(32), flow_alias: 'browser' },
    ...{ flow_version: 'x', state: JSON.stringify({ typedName }), continuation: '{}', created_at: 0 },
    expires_at: Date.now() + 600_000,
  })
  const { db } = realm.node.services
  await db.insertInto('sign_ins').values(['STRASSE-Σ', 'Straße-ς', 'somebody-else'].map(typed)).execute()
  await must(erase(userId), 204)
  const left = await db.selectFrom('sign_ins').select('state').where('realm_id', '=', realm.realmId).execute()
  const names = left.map(({ state }) => (state as { typedName?: string }).typedName).filter(Boolean)
  expect(names).toEqual(['somebody-else'])
})
