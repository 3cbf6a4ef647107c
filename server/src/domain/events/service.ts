import { fieldError } from '../../platform/errors/index.ts'
import { firstIdAt, idTime, isUuid } from '../../platform/ids/index.ts'
import type { Context } from '../context/index.ts'
import { settingsSection } from '../settings/index.ts'
import { resolveFilter } from './filters.ts'
import { countEvents, type EventFilter, type EventPosition, readDailyTotals, readEventPage } from './list-store.ts'
import { openEvents } from './open-events.ts'
import { readEventBounds } from './partitions.ts'
import type { EventPage, EventQuery } from './schema.ts'

// Contract 2.92 and 8.5.
const defaultSize = 50
const maxSize = 500
const maxOffset = 100_000
const maxCounted = 100_000
const dayMs = 86_400_000

/** The day on which a realm's retention begins; older events are hidden at once and removed by a job later. */
export function retentionStart(now: number, retentionDays: number): number {
  return Math.floor((now - retentionDays * dayMs) / dayMs) * dayMs
}

/** A page of the realm's audit trail. */
export async function listEvents(ctx: Context, query: EventQuery): Promise<EventPage> {
  const { page, size, position } = readPosition(query)
  const filter = await resolveFilter(ctx, query)
  if (!filter) return { items: [], total: 0, page, size }
  const visibleFrom = await readVisibleFrom(ctx)
  const fromRollups = isCountedByRollups(filter)
  raiseFrom(filter, visibleFrom === null ? undefined : firstIdAt(visibleFrom))

  if (fromRollups) {
    const fromDay = visibleFrom === null ? null : dayOf(visibleFrom)
    const days = await readDailyTotals(ctx.tx, ctx.realmId, filter, fromDay)
    const total = days.reduce((sum, day) => sum + day.count, 0)
    if (position.offset >= total) return { items: [], total, page, size }
    const range = { ...filter, ...narrowToDays(days, position) }
    return { items: await readItems(ctx, range, position), total, page, size }
  }
  // That an erased person's events came from an address would otherwise still be found by asking for the address, whose hash
  // stays in the row.
  if (filter.ipHash) filter.keysIn = [...new Set([ctx.realmId, ctx.services.config.bootstrap.realm])]
  const [items, counted] = await Promise.all([
    readItems(ctx, filter, position),
    countEvents(ctx.tx, ctx.realmId, await withinPartitions(ctx, filter), maxCounted + 1),
  ])
  if (counted > maxCounted) return { items, total: maxCounted, page, size, totalCapped: true }
  return { items, total: counted, page, size }
}

async function readItems(ctx: Context, filter: EventFilter, position: EventPosition) {
  return openEvents(ctx, await readEventPage(ctx.tx, ctx.realmId, await withinPartitions(ctx, filter), position))
}

function readPosition(query: EventQuery) {
  const page = Number(query.page ?? 0)
  const size = Number(query.size ?? defaultSize)
  if (page < 0) throw fieldError('page', 'page starts at 0')
  if (size < 1 || size > maxSize) throw fieldError('size', `size is between 1 and ${maxSize}`)
  if (page * size > maxOffset)
    throw fieldError('page', `page × size is at most ${maxOffset}; go deeper with before=<id>`)
  const cursor = query.before ?? null
  if (cursor !== null && !isUuid(cursor)) throw fieldError('before', 'before is the id of an event')
  const position: EventPosition = { ascending: query.sort === 'asc', cursor, offset: page * size, limit: size }
  return { page, size, position }
}

/** The time before which the realm's events are hidden; null when it keeps all. */
export async function readVisibleFrom(ctx: Context): Promise<number | null> {
  const snapshot = await ctx.services.snapshots.find(ctx.realmId)
  const days = (await snapshot?.section(settingsSection))?.eventRetentionDays ?? null
  return days === null ? null : retentionStart(ctx.now, days)
}

/** Roll-ups know types, categories and outcomes; any other condition is counted over its index. */
function isCountedByRollups(filter: EventFilter): boolean {
  const { type: _type, category: _category, outcome: _outcome, ...others } = filter
  return Object.values(others).every((value) => value === undefined)
}

function raiseFrom(filter: EventFilter, from: string | undefined): void {
  if (from !== undefined && (filter.from === undefined || filter.from < from)) filter.from = from
}

export async function withinPartitions(ctx: Context, filter: EventFilter): Promise<EventFilter> {
  const bounds = await readEventBounds(ctx.services)
  if (!bounds) return filter
  const from = filter.from === undefined || filter.from < bounds.fromId ? bounds.fromId : filter.from
  const until = filter.until === undefined || filter.until > bounds.untilId ? bounds.untilId : filter.until
  return { ...filter, from, until }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * The days that hold the page, as the roll-ups tell. Without this, a rare combination such as ADMIN with FAILURE would make the
 * database walk over years of the more common half of it.
 */
export function narrowToDays(
  days: { day: string; count: number }[],
  { ascending, cursor, offset, limit }: EventPosition,
): Pick<EventFilter, 'from' | 'until'> {
  const inOrder = ascending ? [...days].reverse() : days
  const cursorDay = cursor === null ? null : dayOf(idTime(cursor))
  let wanted = offset + limit
  for (const { day, count } of inOrder) {
    const isPast = cursorDay !== null && (ascending ? day < cursorDay : day > cursorDay)
    // The cursor's own day is shown in part, so it is not counted on.
    if (isPast || day === cursorDay) continue
    wanted -= count
    if (wanted > 0) continue
    const start = Date.parse(day)
    return ascending ? { until: firstIdAt(start + dayMs) } : { from: firstIdAt(start) }
  }
  return {}
}
