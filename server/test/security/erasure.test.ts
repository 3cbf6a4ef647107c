// S48, contract 0.4 and 2.54: of a person who is erased nothing is left that anybody could read, wherever one looks.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { asUser } from '../../src/domain/context/index.ts'
import { chainNewEvents } from '../../src/domain/events/chain/index.ts'
import { recordEvent } from '../../src/domain/events/index.ts'
import { runTransaction } from '../../src/platform/db/index.ts'
import { contextIn } from '../harness/realm.ts'
import {
  api,
  type MailNode,
  must,
  refresh,
  startMailNode,
  startTestNode,
  type TestNode,
  type TestRealm,
} from '../harness/index.ts'
import { type PlantedPerson, plantPerson } from './planted-person.ts'
import { findInLines, findTraces } from './traces-of.ts'

let mails: MailNode
let second: TestNode
beforeAll(async () => {
  mails = await startMailNode({ GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1' })
  const { node } = mails
  second = await startTestNode({
    database: { url: node.databaseUrl, adminUrl: node.adminDatabaseUrl },
    env: { GATEHOUSE_BASE_URL: node.url, GATEHOUSE_WORKER: 'false' },
  })
})
afterAll(async () => {
  await second.stop()
  await mails.stop()
})

const settings = { registrationAllowed: true, selfDeletionAllowed: true }
/** Where something of a living person can be read or guessed as it is; everywhere else it is sealed. */
const keptInPlain = [
  ...['users', 'login_names', 'user_attribute_index', 'credentials', 'sessions', 'sign_ins', 'sign_in_attempts'],
  ...['oidc_models', 'one_time_secrets', 'trusted_devices', 'push_tokens', 'device_keys', 'device_enrollments'],
  ...['device_approvals', 'transactions'],
]
const linesOf = ({ lines, auditLines }: TestNode) => [...lines, ...auditLines.map((line) => JSON.stringify(line))]

/** Another node knows the person: it has their key open, and goes on believing in it for a while. */
async function recordOn(
  node: TestNode,
  realm: TestRealm,
  { userId, username, canaries }: PlantedPerson,
): Promise<void> {
  await runTransaction(node.services.db, (work) => {
    const ctx = contextIn(node, realm.realmId, work)
    const actor = asUser(realm.realmId, { id: userId, username })
    const event = { type: 'LOGOUT', outcome: 'SUCCESS', detail: canaries[0]! } as const
    return recordEvent({ ...ctx, actor, origin: { ...ctx.origin, sourceIp: canaries[1]! } }, event)
  })
}

/** The last mail is sent; until then it waits, sealed. */
async function waitUntilDelivered(realm: TestRealm, email: string): Promise<void> {
  const isTold = () => mails.mailbox.to(email).some(({ text }) => text.includes('Your account was deleted'))
  for (;;) {
    const query = realm.node.services.db.selectFrom('messages').select('id').where('realm_id', '=', realm.realmId)
    if (isTold() && (await query.where('status', '=', 'QUEUED').execute()).length === 0) return
    await sleep(20)
  }
}

/** The members of the specification with their types, and those the contract adds. */
const documentShape = z.strictObject({
  generatedAt: z.int(),
  schema: z.literal('gatehouse.gdpr.export/v1'),
  realmId: z.string(),
  userId: z.string(),
  profile: z.strictObject({
    username: z.string(),
    email: z.string().nullable(),
    enabled: z.boolean(),
    createdAt: z.int(),
  }),
  attributes: z.record(z.string(), z.unknown()),
  roles: z.array(z.string()),
  realmMemberships: z.array(z.strictObject({ realmId: z.string(), joinedAt: z.int().nullable() })).length(1),
  ...Object.fromEntries(
    ['organizations', 'credentials', 'federatedLinks', 'consents', 'loginEvents'].map((name) => [
      name,
      z.array(z.any()),
    ]),
  ),
  ...Object.fromEntries(['devices', 'sessions', 'agents', 'groups'].map((name) => [name, z.array(z.any())])),
  account: z.object({}),
  ...Object.fromEntries(
    ['trustedDevices', 'pushTokens', 'messages', 'approvals', 'transactions'].map((name) => [
      name,
      z.array(z.any()).min(1),
    ]),
  ),
  truncated: z.array(z.string()).length(0),
})

/** Everything of the person, no secret, and nobody else. */
async function expectExport(realm: TestRealm, { userId, shown, secrets }: PlantedPerson): Promise<void> {
  await realm.node.services.eventBatch.flush()
  const { text, body } = await must(realm.call('GET', `/users/${userId}/gdpr/export`), 200)
  expect(documentShape.parse(body)).toBeDefined()
  expect(shown.filter((canary) => findInLines([text], [canary]).length === 0)).toEqual([])
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  expect(text).not.toContain(realm.adminId)
  expect(body.sessions.map((session: { impersonatorId: string | null }) => session.impersonatorId)).toContain(
    'administrator',
  )
}

/** The id is all that is left, and only where the trail names who acted and upon whom; the queue forgets its jobs within the hour. */
async function expectNothingLeft(realm: TestRealm, person: PlantedPerson): Promise<void> {
  const url = realm.node.adminDatabaseUrl
  expect(await findTraces(url, person.canaries)).toEqual([])
  const ids = await findTraces(url, [person.userId, person.userId.replaceAll('-', '')])
  const places = new Set(ids.map(({ place }) => place.replace(/audit_events_\w+/, 'audit_events')))
  expect([...places].toSorted()).toEqual(expect.arrayContaining(['public.audit_events']))
  expect(
    [...places].filter((place) => !['public.audit_events', 'pgboss.job', 'pgboss.job_common'].includes(place)),
  ).toEqual([])
  const waiting = ids.filter(({ place }) => place.startsWith('pgboss.'))
  for (const { row } of waiting) expect(row).toContain('oidc.backchannel-logout')
}

/** Rows are not touched, so every hash over them still holds. */
async function expectWholeChain(realm: TestRealm): Promise<void> {
  await chainNewEvents(realm.node.services)
  const { body } = await must(realm.call('GET', '/events/verify?size=5000'), 200)
  expect(body).toMatchObject({ valid: true, firstBroken: null })
  expect(body.checked).toBeGreaterThan(20)
}

async function expectTrailOf(realm: TestRealm, { userId, username, email, canaries }: PlantedPerson): Promise<void> {
  const events = await realm.events()
  const own = events.filter((event) => event.actor.includes(userId))
  expect(own.length).toBeGreaterThan(5)
  for (const event of own) {
    expect(event).toMatchObject({
      actor: `erased:${userId}`,
      actorName: null,
      sourceIp: null,
      userAgent: null,
      detail: null,
    })
  }
  const about = events.filter((event) => event.resourceId === userId && event.actor === realm.adminId)
  expect(about.length).toBeGreaterThan(3)
  for (const event of about) expect(event.detail).toBeNull()
  // Nobody had the name when it was typed before there was an account.
  const known = events.filter((event) => ![username, email].includes(event.actor))
  expect(events.length - known.length).toBe(2)
  expect(
    findInLines(
      known.map((event) => JSON.stringify(event)),
      canaries,
    ),
  ).toEqual([])
}

async function expectNobodyComesIn(
  realm: TestRealm,
  { browser, client, tokens, offline }: PlantedPerson,
): Promise<void> {
  for (const base of [realm.node.url, second.url]) {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await api(`${base}/realms/${realm.realmId}/userinfo`, 'GET', { headers })).status).toBe(401)
    for (const token of [tokens.refresh_token!, offline.refresh_token!]) {
      expect((await refresh(realm, client, token, base)).status).toBe(400)
    }
  }
  expect((await browser.get(`/realms/${realm.realmId}/account/profile`)).status).toBe(401)
}

test('S48: nothing of a person whom an administrator erases is left, on any node, in any table and in no line of the log', async () => {
  const realm = await mails.openRealm(settings)
  const person = await plantPerson(mails, realm)
  await recordOn(second, realm, person)
  await expectExport(realm, person)
  const before = await findTraces(realm.node.adminDatabaseUrl, person.canaries)
  // The search itself works: what was planted is there, in many places.
  const planted = [...new Set(before.map(({ place }) => place))]
  expect(planted).toEqual(expect.arrayContaining(keptInPlain.map((table) => `public.${table}`)))
  const logged = [realm.node, second].map((node) => linesOf(node).length)

  await expectWholeChain(realm)
  await must(realm.call('DELETE', `/users/${person.userId}/gdpr`), 204)
  await waitUntilDelivered(realm, person.email)
  await expectNothingLeft(realm, person)
  expect(findInLines(linesOf(realm.node).slice(logged[0]), person.canaries)).toEqual([])
  await expectNobodyComesIn(realm, person)
  // Neither by the key that a node still has in its memory, nor by one that is made anew.
  await recordOn(second, realm, person)
  await recordOn(realm.node, realm, person)
  await expectNothingLeft(realm, person)
  await expectTrailOf(realm, person)
  await expectWholeChain(realm)
  expect(await realm.events('&type=USER_ERASED')).toMatchObject([
    { actor: realm.adminId, actorName: 'admin', category: 'SECURITY', resourceId: person.userId, detail: null },
  ])
  const headers = { 'idempotency-key': `${person.username}-made` }
  const repeated = await realm.call('POST', '/users', { username: person.username }, { headers })
  expect(findInLines([repeated.text], person.canaries.slice(1))).toEqual([])
})

test('S48: the same for somebody who erases themself', async () => {
  const realm = await mails.openRealm(settings)
  const person = await plantPerson(mails, realm)
  await recordOn(second, realm, person)
  const logged = linesOf(realm.node).length
  await must(person.browser.write('DELETE', `/realms/${realm.realmId}/account`), 204)
  await waitUntilDelivered(realm, person.email)
  await expectNothingLeft(realm, person)
  expect(findInLines(linesOf(realm.node).slice(logged), person.canaries)).toEqual([])
  await recordOn(second, realm, person)
  await expectNothingLeft(realm, person)
  await expectTrailOf(realm, person)
  expect(await realm.events('&type=USER_ERASED')).toMatchObject([
    { actor: `erased:${person.userId}`, resourceId: person.userId, sourceIp: null, detail: null },
  ])
})
