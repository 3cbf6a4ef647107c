import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { createDatabase, type Database } from '../../platform/db/index.ts'
import { createLog } from '../../platform/log/index.ts'
import { createMetrics } from '../../platform/metrics/index.ts'
import { systemClock } from '../../platform/time/index.ts'
import { createActivity, readMostActive, readRealmActivity, readRealmTotals, readServerCounters } from './index.ts'

const day = new Date().toISOString().slice(0, 10)
const log = createLog({ stream: { write: () => undefined } })
let scratch: ScratchDatabase
let db: Database

beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true })
  db = createDatabase({ url: scratch.appUrl, poolSize: 4, prepared: true })
  await scratch.run(`insert into realms (realm_id, created_at) values ('acme', 0), ('busy', 0), ('quiet', 0)`)
})

afterAll(async () => {
  await db.destroy()
  await scratch.drop()
})

test('what the metrics count reaches the totals of realm and server, once, from several nodes, and orders the realms', async () => {
  const nodes = Array.from({ length: 2 }, () =>
    createActivity({ db, clock: systemClock, log, metrics: createMetrics({ maxRealms: 10 }) }),
  )
  for (const node of nodes) {
    const { metrics } = node
    metrics.login('acme', 'success')
    metrics.login('acme', 'failure')
    metrics.adminWrite('acme', 'PUT', 'denied')
    for (let count = 0; count < 50; count++) metrics.tokenIssued('busy')
    // A realm that was deleted meanwhile must not keep the others from being counted.
    metrics.mfaChallenge('gone')
    metrics.mfaChallenge('quiet')
  }
  await Promise.all(nodes.map((node) => node.flush()))
  await Promise.all(nodes.map((node) => node.stop()))

  expect(await readMostActive(db, day, 10)).toEqual(['busy', 'acme', 'quiet'])
  expect(await readMostActive(db, day, 1)).toEqual(['busy'])
  expect((await readRealmActivity(db, day, ['acme'])).get('acme')).toEqual({
    all: 6,
    loginSuccess: 2,
    loginFailure: 2,
    adminWriteDenied: 2,
  })
  expect(Object.fromEntries(await readRealmTotals(db, 'busy'))).toEqual({ tokensIssued: 100 })
  expect(Object.fromEntries(await readServerCounters(db))).toMatchObject({
    tokensIssued: 100,
    loginSuccess: 2,
    mfaChallenges: 2,
  })
})

test('keeps what could not be written until the database is back', async () => {
  const broken = createDatabase({ url: scratch.appUrl, poolSize: 1, prepared: true })
  const activity = createActivity({ db: broken, clock: systemClock, log, metrics: createMetrics({ maxRealms: 10 }) })
  activity.metrics.tokenIssued('acme')
  await scratch.run('alter table realm_activity rename to realm_activity_away')
  await activity.flush()
  await scratch.run('alter table realm_activity_away rename to realm_activity')
  await activity.stop()
  await broken.destroy()
  expect((await readRealmTotals(db, 'acme')).get('tokensIssued')).toBe(1)
})
