import type { Database } from '../../platform/db/index.ts'
import { firstIdAt, idTime, newId } from '../../platform/ids/index.ts'
import type { Log } from '../../platform/log/index.ts'
import type { Services } from '../context/index.ts'
import { createPartition, defaultPartition, hasDefaultRows, readPartitions } from './partition-store.ts'

// A job makes them daily: three months ahead give an operator a quarter of a year to notice that it does not run.
const monthsAhead = 3
const namePattern = /^audit_events_(\d{4})_(\d{2})$/

const monthStart = (year: number, month: number) => Date.UTC(year, month, 1)

/** The month's partition: every UUID v7 made within it falls between its bounds. */
export function eventPartition(year: number, month: number) {
  const start = new Date(monthStart(year, month))
  const name = `audit_events_${start.getUTCFullYear()}_${String(start.getUTCMonth() + 1).padStart(2, '0')}`
  return { name, fromId: firstIdAt(start.getTime()), untilId: firstIdAt(monthStart(year, month + 1)) }
}

async function missingPartitions(adminDb: Database, now: number) {
  const today = new Date(now)
  const known = new Set((await readPartitions(adminDb)).map(({ name }) => name))
  return Array.from({ length: monthsAhead + 1 }, (_, ahead) =>
    eventPartition(today.getUTCFullYear(), today.getUTCMonth() + ahead),
  ).filter(({ name }) => !known.has(name))
}

/**
 * Makes the partitions of this month and the next ones where they are missing; several nodes may do it at once. One that
 * somebody's long transaction stands in the way of is left out: events find a place without it, and the daily job tries again.
 */
export async function ensureEventPartitions(adminDb: Database, now: number): Promise<string[]> {
  const made: string[] = []
  for (const partition of await missingPartitions(adminDb, now)) {
    const outcome = await createPartition(adminDb, partition)
    if (outcome === 'MADE') made.push(partition.name)
    if (outcome === 'BUSY') break
  }
  return made
}

/** The daily upkeep: fails when a partition is still missing, so that it is tried again soon. */
export async function maintainPartitions({ adminDb, clock, log }: Pick<Services, 'adminDb' | 'clock' | 'log'>) {
  const made = await ensureEventPartitions(adminDb, clock.now())
  if (made.length > 0) log.info({ partitions: made }, 'made partitions for audit events')
  await alarmOnDefaultPartition(adminDb, log)
  const missing = (await missingPartitions(adminDb, clock.now())).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`partitions for audit events could not be made yet: ${missing.join(', ')}`)
}

/** Says so when events lie where no month holds them: they are found, but they cannot be dropped with their month. */
export async function alarmOnDefaultPartition(adminDb: Database, log: Log): Promise<boolean> {
  const found = await hasDefaultRows(adminDb)
  if (found) log.error({ partition: defaultPartition }, 'audit events lie outside every monthly partition')
  return found
}

export interface EventBounds {
  fromId: string
  untilId: string
}

interface KnownPartitions {
  readAt: number
  /** Null when an event may lie outside the monthly partitions. */
  months: { start: number; end: number } | null
  defaultBytes: number
}

// Partitions come and go with months; a minute is soon enough to notice events in the default partition.
const knownForMs = 60_000
const knownByDatabase = new WeakMap<object, KnownPartitions>()

async function knownPartitions({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<KnownPartitions> {
  const known = knownByDatabase.get(db)
  if (known && Math.abs(clock.now() - known.readAt) < knownForMs) return known
  const partitions = await readPartitions(db)
  const starts = partitions.flatMap(({ name }) => {
    const [, year, month] = namePattern.exec(name) ?? []
    return year && month ? [[Number(year), Number(month) - 1] as const] : []
  })
  const defaultBytes = Number(partitions.find(({ name }) => name === defaultPartition)?.bytes ?? 0)
  const months =
    starts.length > 0 && defaultBytes === 0
      ? {
          start: Math.min(...starts.map(([year, month]) => monthStart(year, month))),
          end: Math.max(...starts.map(([year, month]) => monthStart(year, month + 1))),
        }
      : null
  const fresh = { readAt: clock.now(), months, defaultBytes }
  knownByDatabase.set(db, fresh)
  return fresh
}

/**
 * The ids that the monthly partitions hold, or null when an event may lie elsewhere. Within these bounds PostgreSQL leaves the
 * default partition out and reads the months one after the other, newest first, instead of merging all of them.
 */
export async function readEventBounds(services: Pick<Services, 'db' | 'clock'>): Promise<EventBounds | null> {
  const { months } = await knownPartitions(services)
  // Ids never run backwards in a process, so the newest id tells more than the clock.
  const newest = Math.max(services.clock.now(), idTime(newId()))
  if (!months || newest >= months.end) return null
  return { fromId: firstIdAt(months.start), untilId: firstIdAt(months.end) }
}

/** Bytes of events outside every month; anything but 0 is an alarm. */
export function registerEventMetrics(services: Pick<Services, 'db' | 'clock' | 'metrics'>): void {
  services.metrics.gauge(
    'svc_audit_default_partition_bytes',
    'Size of audit events that no monthly partition holds; more than 0 needs attention',
    async () => (await knownPartitions(services)).defaultBytes,
    { aggregator: 'first' },
  )
}
