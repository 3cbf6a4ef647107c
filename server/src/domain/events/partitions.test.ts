import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { firstIdAt } from '../../platform/ids/index.ts'
import { createLog } from '../../platform/log/index.ts'
import { createTestClock } from '../../platform/time/index.ts'
import {
  alarmOnDefaultPartition,
  ensureEventPartitions,
  eventPartition,
  maintainPartitions,
  readEventBounds,
} from './partitions.ts'

let scratch: ScratchDatabase
let adminDb: Database
let db: Database

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true })
  adminDb = createDatabase({ url: scratch.ownerUrl, poolSize: 4, prepared: true })
  db = createDatabase({ url: scratch.appUrl, poolSize: 4, prepared: true })
})

afterAll(async () => {
  await Promise.all([adminDb.destroy(), db.destroy()])
  await scratch.drop()
})

const insertAt = (ms: number) =>
  scratch.run(`insert into audit_events (realm_id, id, category, type, outcome, actor)
    values ('acme', '${firstIdAt(ms)}', 'AUTHN', 'LOGOUT', 'SUCCESS', 'system')`)

const placeOf = async (realm = 'acme') =>
  (
    await scratch.run(
      `select tableoid::regclass::text as place from audit_events where realm_id = '${realm}' order by id`,
    )
  ).rows.map((row) => row.place)

test('names a partition after its month and bounds it by the ids of that month', () => {
  expect(eventPartition(2026, 11)).toEqual({
    name: 'audit_events_2026_12',
    fromId: firstIdAt(Date.parse('2026-12-01T00:00:00Z')),
    untilId: firstIdAt(Date.parse('2027-01-01T00:00:00Z')),
  })
  expect(eventPartition(2026, 12).name).toBe('audit_events_2027_01')
})

test('two nodes that start at once make each month once, and doing it again makes nothing', async () => {
  const now = Date.UTC(2031, 10, 15)
  const made = await Promise.all([ensureEventPartitions(adminDb, now), ensureEventPartitions(adminDb, now)])
  expect(made.flat().sort()).toEqual([
    'audit_events_2031_11',
    'audit_events_2031_12',
    'audit_events_2032_01',
    'audit_events_2032_02',
  ])
  expect(await ensureEventPartitions(adminDb, now)).toEqual([])
})

test('an event that came before its month had a partition is kept, raises the alarm and moves when the month is made', async () => {
  const lines: string[] = []
  const log = createLog({ stream: { write: (line) => void lines.push(line) } })
  const now = Date.UTC(2033, 5, 3)
  await insertAt(now)
  expect(await placeOf()).toEqual(['audit_events_default'])
  expect(await alarmOnDefaultPartition(adminDb, log)).toBe(true)
  expect(lines.join()).toContain('outside every monthly partition')
  expect(await readEventBounds({ db, clock: createTestClock() })).toBeNull()

  await ensureEventPartitions(adminDb, now)
  expect(await placeOf()).toEqual(['audit_events_2033_06'])
  expect(await alarmOnDefaultPartition(adminDb, log)).toBe(false)
})

test('gives way to a long transaction instead of holding up every writer, and fails the job until it worked', async () => {
  const now = Date.UTC(2037, 0, 10)
  const log = createLog({ stream: { write: () => undefined } })
  const clock = { now: () => now }
  await db.transaction().execute(async (tx) => {
    await sql`select 1 from audit_events`.execute(tx)
    await expect(maintainPartitions({ adminDb, clock, log })).rejects.toThrow('audit_events_2037_01')
  })
  await maintainPartitions({ adminDb, clock, log })
  expect(await ensureEventPartitions(adminDb, now)).toEqual([])
}, 30_000)

test('S48 the serving role can neither change nor remove an audit event, also in partitions made later', async () => {
  await ensureEventPartitions(adminDb, Date.UTC(2035, 0, 10))
  await insertAt(Date.UTC(2035, 0, 10))
  const asApp = (statement: string) => sql.raw(statement).execute(db)
  await expect(asApp('select count(*) from audit_events')).resolves.toBeDefined()
  for (const statement of [
    `update audit_events set outcome = 'FAILURE'`,
    'delete from audit_events',
    'truncate audit_events',
    'delete from audit_events_2035_01',
    `update audit_events_2035_01 set actor = 'x'`,
    'truncate audit_events_2035_01',
    'drop table audit_events_2035_01',
    'alter table audit_events detach partition audit_events_2035_01',
    'delete from audit_events_default',
  ]) {
    await expect(asApp(statement), statement).rejects.toThrow(/permission denied|must be owner/)
  }
})
