import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { createSealer } from '../../platform/crypto/index.ts'
import { createDatabase, type Database, runTransaction, type Tx } from '../../platform/db/index.ts'
import { firstIdAt, newId } from '../../platform/ids/index.ts'
import { createTestClock } from '../../platform/time/index.ts'
import { type Actor, type AuditLine, anonymous, type Context, type Services } from '../context/index.ts'
import { createSnapshots } from '../snapshot/index.ts'
import { eventsContribution } from './contribution.ts'
import { eventPageQuery } from './list-store.ts'
import { ensureEventPartitions, eventPartition, readEventBounds } from './partitions.ts'
import { recordEvent } from './record.ts'
import { clearExpiredEvents, mergePastRollups } from './retention.ts'
import type { EventQuery } from './schema.ts'
import { listEvents, narrowToDays } from './service.ts'

const dayMs = 86_400_000
const clock = createTestClock()
const sealer = createSealer([{ id: 'k1', key: Buffer.alloc(32, 7) }])
const emitted: AuditLine[] = []
let scratch: ScratchDatabase
let db: Database
let adminDb: Database
let services: Services
let realmId: string
let count = 0

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true })
  db = createDatabase({ url: scratch.appUrl, poolSize: 4, prepared: true })
  adminDb = createDatabase({ url: scratch.ownerUrl, poolSize: 4, prepared: true })
  const snapshots = createSnapshots({ db, sealer, clock, maxBytes: 1 << 20, onPollError: () => undefined })
  const auditSink = { emit: (line: AuditLine) => void emitted.push(line) }
  const config = { bootstrap: { realm: 'master' } }
  services = { config, db, adminDb, sealer, clock, snapshots, auditSink } as unknown as Services
  await scratch.run(`insert into realms (realm_id, system, created_at) values ('master', true, 0)`)
  await ensureEventPartitions(adminDb, clock.now())
  const now = new Date(clock.now())
  // Months of the past, as a realm that has been here for a while has them.
  for (const back of [1, 2]) {
    const { name, fromId, untilId } = eventPartition(now.getUTCFullYear(), now.getUTCMonth() - back)
    await scratch.run(`create table ${name} partition of audit_events for values from ('${fromId}') to ('${untilId}')`)
  }
})

afterAll(async () => {
  await Promise.all([db.destroy(), adminDb.destroy()])
  await scratch.drop()
})

beforeEach(async () => {
  count += 1
  realmId = `realm-${count}`
  await scratch.run(`insert into realms (realm_id, created_at) values ('${realmId}', 0)`)
  emitted.length = 0
})

interface Acting {
  actor?: Actor
  sourceIp?: string
}

async function inTransaction<T>(
  { actor = { kind: 'SYSTEM' }, sourceIp = '203.0.113.7' }: Acting,
  work: (ctx: Context) => Promise<T>,
) {
  return runTransaction(db, ({ tx, afterCommit }) => {
    const origin = { sourceIp, userAgent: 'test agent', traceId: 'trace-1' }
    return work({ services, realmId, actor, tx, now: clock.now(), origin, afterCommit, dryRun: false })
  })
}

const record = (event: Parameters<typeof recordEvent>[1], acting: Acting = {}) =>
  inTransaction(acting, (ctx) => recordEvent(ctx, event))

function list(query: EventQuery = {}) {
  const tx = db as unknown as Tx
  const origin = { sourceIp: null, userAgent: null, traceId: 'trace-2' }
  const actor: Actor = { kind: 'SYSTEM' }
  return listEvents(
    { services, realmId, actor, tx, now: clock.now(), origin, afterCommit: () => undefined, dryRun: false },
    query,
  )
}

const idsOf = async (query: EventQuery) => (await list(query)).items.map((item) => item.id)

async function addUser(username: string, inRealm = realmId): Promise<Extract<Actor, { kind: 'USER' }>> {
  const id = newId()
  await scratch.run(`insert into users (realm_id, id, username, username_folded, created_at)
    values ('${inRealm}', '${id}', '${username}', '${username.toLowerCase()}', 0);
    insert into login_names (realm_id, name, user_id, kind) values ('${inRealm}', '${username.toLowerCase()}', '${id}', 'USERNAME')`)
  const common = { impersonatorId: null, permissions: new Set<string>(), authenticatedAt: 0 }
  return { kind: 'USER', userId: id, username, realmId: inRealm, sessionId: newId(), ...common }
}

/** Puts events into the past, with their roll-ups, as recording them then would have done. */
async function addPast(days: number, members: { type?: string; outcome?: string; category?: string } = {}, stripe = 3) {
  const { type = 'LOGOUT', outcome = 'SUCCESS', category = 'AUTHN' } = members
  const ms = clock.now() - days * dayMs
  const id = firstIdAt(ms + Math.floor(Math.random() * 1000))
  await scratch.run(`insert into audit_events (realm_id, id, category, type, outcome, actor)
      values ('${realmId}', '${id}', '${category}', '${type}', '${outcome}', 'system');
    insert into audit_rollups (realm_id, day, type, outcome, stripe, category, count)
      values ('${realmId}', '${new Date(ms).toISOString().slice(0, 10)}', '${type}', '${outcome}', ${stripe}, '${category}', 1)
      on conflict (realm_id, day, type, outcome, stripe) do update set count = audit_rollups.count + 1`)
  return id
}

test('shows every member of an event, the same as was emitted', async () => {
  const alice = await addUser('Alice')
  await record(
    { type: 'ADMIN_UPDATE', outcome: 'SUCCESS', resourceType: 'users', resourceId: 'u1', detail: '{"enabled":false}' },
    { actor: alice },
  )
  const page = await list()
  expect(page).toEqual({ items: emitted, total: 1, page: 0, size: 50 })
  expect(page.items[0]).toMatchObject({
    kind: 'audit',
    category: 'ADMIN',
    realm: realmId,
    actor: alice.userId,
    actorName: 'Alice',
    sourceIp: '203.0.113.7',
    userAgent: 'test agent',
    sessionId: alice.sessionId,
    detail: '{"enabled":false}',
    traceId: 'trace-1',
    seq: null,
    hash: null,
  })
})

test('keeps names, addresses and details out of the stored row', async () => {
  await record(
    { type: 'LOGIN_FAILURE', outcome: 'FAILURE', detail: 'wrong password of bob' },
    { actor: anonymous('bob@example.com') },
  )
  const { rows } = await scratch.run(
    `select t::text as row, actor_sealed, detail_sealed from audit_events t where realm_id = '${realmId}'`,
  )
  const stored = `${rows[0].row}${rows[0].actor_sealed.toString('latin1')}${rows[0].detail_sealed.toString('latin1')}`
  for (const personal of ['bob', '203.0.113', 'test agent', 'wrong password']) expect(stored).not.toContain(personal)
})

test('emits nothing of a transaction that was rolled back', async () => {
  const failing = inTransaction({}, async (ctx) => {
    await recordEvent(ctx, { type: 'LOGOUT', outcome: 'SUCCESS' })
    throw new Error('undone')
  })
  await expect(failing).rejects.toThrow('undone')
  expect(emitted).toEqual([])
  expect((await list()).total).toBe(0)
})

test('lists newest first, pages, and goes on after a cursor in both orders', async () => {
  for (let at = 0; at < 7; at++) await record({ type: 'LOGOUT', outcome: 'SUCCESS' })
  const all = emitted.map((line) => line.id)
  const newestFirst = all.toReversed()
  expect(await idsOf({})).toEqual(newestFirst)
  expect(await idsOf({ sort: 'asc' })).toEqual(all)
  expect(await idsOf({ page: '1', size: '3' })).toEqual(newestFirst.slice(3, 6))
  expect(await idsOf({ before: newestFirst[2], size: '3' })).toEqual(newestFirst.slice(3, 6))
  expect(await idsOf({ before: all[2], size: '3', sort: 'asc' })).toEqual(all.slice(3, 6))
  expect(await list({ page: '9' })).toEqual({ items: [], total: 7, page: 9, size: 50 })
})

test('answers each filter with exactly its events', async () => {
  const alice = await addUser('Alice')
  await record(
    { type: 'LOGIN_SUCCESS', outcome: 'SUCCESS', clientId: 'shop' },
    { actor: alice, sourceIp: '198.51.100.1' },
  )
  await record({ type: 'LOGIN_FAILURE', outcome: 'FAILURE' }, { actor: anonymous('Ghost') })
  await record({ type: 'ADMIN_DELETE', outcome: 'SUCCESS', resourceType: 'flows', resourceId: 'browser' })
  const [login, failure, deletion] = emitted.map((line) => line.id)
  const expectations: [EventQuery, (string | undefined)[]][] = [
    [{ type: 'LOGIN_FAILURE' }, [failure]],
    [{ category: 'AUTHN' }, [failure, login]],
    [{ outcome: 'SUCCESS' }, [deletion, login]],
    [{ category: 'AUTHN', outcome: 'FAILURE' }, [failure]],
    [{ actor: alice.userId }, [login]],
    [{ actor: 'ALICE' }, [login]],
    [{ actor: 'ghost' }, [failure]],
    [{ actor: 'system' }, [deletion]],
    [{ actor: 'nobody' }, []],
    [{ sourceIp: '198.51.100.1' }, [login]],
    [{ clientId: 'shop' }, [login]],
    [{ resourceType: 'flows' }, [deletion]],
    [{ resourceId: 'browser' }, [deletion]],
    [{ resourceType: 'flows', outcome: 'FAILURE' }, []],
    [{ type: 'NO_SUCH_TYPE' }, []],
    [{ category: 'NO_SUCH_CATEGORY' }, []],
    [{ from: String(clock.now() + 1000) }, []],
    [
      { from: new Date(clock.now() - 60_000).toISOString(), to: new Date().toISOString().slice(0, 10) },
      [deletion, failure, login],
    ],
    [{ to: '2020-01-01' }, []],
  ]
  for (const [query, ids] of expectations) {
    const page = await list(query)
    expect(
      page.items.map((item) => item.id),
      JSON.stringify(query),
    ).toEqual(ids)
    expect(page.total, JSON.stringify(query)).toBe(ids.length)
  }
})

test.each([
  ['page', { page: '-1' }],
  ['size', { size: '0' }],
  ['size', { size: '501' }],
  ['page', { page: '201', size: '500' }],
  ['before', { before: 'x' }],
  ['from', { from: 'yesterday' }],
  ['to', { to: '2026-13-45' }],
] as [string, EventQuery][])('refuses an impossible %s: %j', async (field, query) => {
  await expect(list(query)).rejects.toMatchObject({ code: 'validation_failed', fields: [{ field }] })
})

test('finds the name of an administrator of the system realm who acted here', async () => {
  const root = await addUser(`root-${count}`, 'master')
  await record({ type: 'ADMIN_ACTION', outcome: 'SUCCESS', detail: 'd' }, { actor: root })
  const [item] = (await list({ actor: root.username })).items
  expect(item).toMatchObject({ actor: root.userId, actorName: root.username, detail: 'd', sourceIp: '203.0.113.7' })
})

test('shows nothing personal of a person whose key was destroyed, also after a new key was made for them', async () => {
  const alice = await addUser('Alice')
  await record({ type: 'PASSWORD_CHANGED', outcome: 'SUCCESS', detail: 'hers' }, { actor: alice })
  await record({ type: 'ADMIN_UPDATE', outcome: 'SUCCESS', detail: 'about her', detailSubject: alice.userId })
  await inTransaction({}, (ctx) => eventsContribution.dataSubject![0]!.eraseFor(ctx, alice.userId))
  const erased = { actor: `erased:${alice.userId}`, actorName: null, sourceIp: null, userAgent: null, detail: null }
  expect((await list()).items).toMatchObject([{ actor: 'system', detail: null }, erased])

  await scratch.run(`insert into audit_keys (realm_id, id, key_sealed, created_at) values ('${realmId}', '${alice.userId}',
    '\\x${sealer.seal(Buffer.alloc(32, 1), `audit_keys:${realmId}:${alice.userId}:key`).toString('hex')}', 0)`)
  expect((await list({ actor: alice.userId })).items).toMatchObject([erased])
})

test('retention hides older days at once, in totals too; the job then removes them and nothing else', async () => {
  const kept = await addPast(3)
  await addPast(4)
  await addPast(40)
  expect((await list()).total).toBe(3)
  await scratch.run(
    `insert into realm_settings (realm_id, settings) values ('${realmId}', '{"eventRetentionDays": 3}')`,
  )
  services.snapshots.drop(realmId)
  for (const query of [{}, { type: 'LOGOUT' }, { actor: 'system' }]) {
    const page = await list(query)
    expect([page.total, page.items.map((item) => item.id)]).toEqual([1, [kept]])
  }
  expect(await clearExpiredEvents(services)).toBe(2)
  const left = await scratch.run(`select id from audit_events where realm_id = '${realmId}'`)
  expect(left.rows).toEqual([{ id: kept }])
  expect((await scratch.run(`select sum(count) from audit_rollups where realm_id = '${realmId}'`)).rows[0].sum).toBe(
    '1',
  )
})

test('merging the stripes of past days keeps every total', async () => {
  for (const stripe of [0, 1, 2, 15]) await addPast(5, {}, stripe)
  await addPast(5, { outcome: 'FAILURE' }, 4)
  await record({ type: 'LOGOUT', outcome: 'SUCCESS' })
  await mergePastRollups(services)
  const rows = await scratch.run(
    `select outcome, stripe, count from audit_rollups where realm_id = '${realmId}' and day < current_date order by outcome`,
  )
  expect(rows.rows).toEqual([
    { outcome: 'FAILURE', stripe: 0, count: '1' },
    { outcome: 'SUCCESS', stripe: 0, count: '4' },
  ])
  expect((await list({ outcome: 'SUCCESS' })).total).toBe(5)
  expect(await mergePastRollups(services)).toBe(0)
})

test('narrows a page to the days that hold it', () => {
  const days = [
    { day: '2026-03-03', count: 2 },
    { day: '2026-02-01', count: 5 },
    { day: '2026-01-01', count: 9 },
  ]
  const position = { ascending: false, cursor: null, offset: 0, limit: 3 }
  const start = (day: string) => firstIdAt(Date.parse(day))
  expect(narrowToDays(days, position)).toEqual({ from: start('2026-02-01') })
  expect(narrowToDays(days, { ...position, offset: 20 })).toEqual({})
  expect(narrowToDays(days, { ...position, ascending: true })).toEqual({ until: start('2026-01-02') })
  expect(narrowToDays(days, { ...position, cursor: start('2026-02-01') })).toEqual({ from: start('2026-01-01') })
})

test('every filter is answered by its index in the order of the id and reads no more than offset and page', async () => {
  const fill = `
    insert into audit_events (realm_id, id, category, type, outcome, actor, resource_type, resource_id, client_id, ip_hash)
    select '${realmId}', (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid,
      case i % 3 when 0 then 'AUTHN' when 1 then 'ADMIN' else 'SECURITY' end,
      case i % 50 when 0 then 'LOGOUT' else 'LOGIN_SUCCESS' end, case i % 20 when 0 then 'FAILURE' else 'SUCCESS' end,
      'actor-' || i % 40, 'type-' || i % 10, 'id-' || i % 50, 'client-' || i % 30, decode(lpad(to_hex(i % 45), 8, '0'), 'hex')
    from (select i, lpad(to_hex(${clock.now()} - i::bigint * 150000), 12, '0') as h from generate_series(0, 29999) i) n`
  await scratch.run(fill)
  await scratch.run('analyze audit_events')
  const bounds = await readEventBounds(services)
  expect(bounds).not.toBeNull()
  const filters = [
    {},
    ...[
      { type: 'LOGOUT' },
      { type: 'LOGIN_SUCCESS' },
      { category: 'ADMIN' },
      { outcome: 'FAILURE' },
      { outcome: 'SUCCESS' },
    ],
    ...[{ actor: 'actor-7' }, { resourceType: 'type-3' }, { resourceId: 'id-9' }, { clientId: 'client-4' }],
    { ipHash: Buffer.from('00000005', 'hex') },
  ]
  for (const filter of filters) {
    const range = { ...filter, from: bounds!.fromId, until: bounds!.untilId }
    for (const ascending of [false, true]) {
      const position = { ascending, cursor: null, offset: 100, limit: 50 }
      const query = eventPageQuery(db, realmId, range, position).compile()
      const explained = await db.executeQuery<{ 'QUERY PLAN': unknown }>({
        ...query,
        sql: `explain (analyze, format json) ${query.sql}`,
        query: sql`select 1`.toOperationNode(),
      } as never)
      const read = scansOf((explained.rows[0]!['QUERY PLAN'] as { Plan: PlanNode }[])[0]!.Plan)
      const label = `${JSON.stringify(filter)} ${ascending}`
      expect(
        read.types.every((type) => type.startsWith('Index')),
        `${label} ${read.types}`,
      ).toBe(true)
      expect(read.rows, label).toBeLessThanOrEqual(150)
    }
  }
})

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** The scans below a node with the rows they read, those they threw away included. */
function scansOf(node: PlanNode): { types: string[]; rows: number } {
  if (node.Plans) {
    const below = node.Plans.map(scansOf)
    return { types: below.flatMap(({ types }) => types), rows: below.reduce((sum, { rows }) => sum + rows, 0) }
  }
  // A Result only holds a filter's value.
  if (node['Actual Loops'] === 0 || node['Node Type'] === 'Result') return { types: [], rows: 0 }
  return {
    types: [node['Node Type']],
    rows: (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
  }
}
