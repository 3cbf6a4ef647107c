import { firstIdAt } from '../../platform/ids/index.ts'
import type { Services } from '../context/index.ts'
import { unknownSubjectKeyId } from './audit-keys.ts'
import { announceRemoval, trimChain } from './chain/index.ts'
import {
  deleteAuditKeys,
  deleteExpiredEvents,
  deleteExpiredRollups,
  mergeStripes,
  readRealmsWithRetention,
  readStripedDays,
} from './retention-store.ts'
import { retentionStart } from './service.ts'

// A batch holds its locks for some milliseconds, and a cancelled job loses no more than one.
const batchSize = 2000
const realmsPerPage = 500
const daysPerPage = 500
// Ends a run that others keep feeding; the next day goes on.
const maxPages = 10_000
// How far back the keys of past months are looked for: a job that stood still for two years still destroys them.
const monthsBack = 24

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

type RetentionServices = Pick<Services, 'db' | 'adminDb' | 'sealer' | 'clock' | 'log'>

/** Removes what the realms' own retention has hidden already. */
export async function clearExpiredEvents(services: RetentionServices): Promise<number> {
  const { adminDb, clock } = services
  let cleared = 0
  let after = ''
  for (let page = 0; page < maxPages; page++) {
    const realms = await readRealmsWithRetention(adminDb, after, realmsPerPage)
    for (const { realmId, days } of realms) {
      const start = retentionStart(clock.now(), days)
      cleared += await clearRealm(services, realmId, firstIdAt(start))
      await deleteExpiredRollups(adminDb, realmId, dayOf(start))
      await deleteAuditKeys(adminDb, realmId, expiredMonthKeys(realmId, start))
    }
    if (realms.length < realmsPerPage) break
    after = realms.at(-1)!.realmId
  }
  return cleared
}

async function clearRealm(services: RetentionServices, realmId: string, beforeId: string): Promise<number> {
  if (!(await announceRemoval(services, realmId, beforeId))) return 0
  let cleared = 0
  let removed: number
  do {
    removed = await deleteExpiredEvents(services.adminDb, realmId, beforeId, batchSize)
    cleared += removed
  } while (removed === batchSize)
  await trimChain(services, realmId, beforeId)
  return cleared
}

/** The keys of people nobody knew, for months that lie wholly before the start. */
function expiredMonthKeys(realmId: string, start: number): string[] {
  const first = new Date(start)
  return Array.from({ length: monthsBack }, (_, back) =>
    unknownSubjectKeyId(realmId, Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - 1 - back, 1)),
  )
}

/** Makes past days one row per type and outcome, so that totals over years stay cheap to add up. */
export async function mergePastRollups({ adminDb, clock }: Pick<Services, 'adminDb' | 'clock'>): Promise<number> {
  let merged = 0
  for (let page = 0; page < maxPages; page++) {
    const days = await readStripedDays(adminDb, dayOf(clock.now()), daysPerPage)
    for (const { realmId, day } of days) await mergeStripes(adminDb, realmId, day)
    merged += days.length
    if (days.length < daysPerPage) break
  }
  return merged
}
