import { sql } from 'kysely'
import type { Executor } from '../../platform/db/index.ts'

/** Conditions on events; what is undefined does not filter. */
export interface EventFilter {
  type?: string | undefined
  category?: string | undefined
  outcome?: string | undefined
  actor?: string | undefined
  resourceType?: string | undefined
  resourceId?: string | undefined
  clientId?: string | undefined
  ipHash?: Buffer | undefined
  /** Only events whose actor's key is still in one of these realms. */
  keysIn?: string[] | undefined
  /** Lowest id that counts. */
  from?: string | undefined
  /** First id that no longer counts. */
  until?: string | undefined
}

export interface EventPosition {
  ascending: boolean
  /** The list goes on after this id. */
  cursor: string | null
  offset: number
  limit: number
}

/**
 * A value the planner cannot see. Knowing that nearly every event has it, it would walk the primary key and throw away what
 * does not match, which goes wrong where the newest events are of another kind; not knowing, it takes the filter's own index.
 */
const unseen = (value: string) => sql<string>`(select ${value}::text)`

function selectEvents(db: Executor, realmId: string, filter: EventFilter) {
  let query = db.selectFrom('audit_events').where('realm_id', '=', realmId)
  if (filter.type !== undefined) query = query.where('type', '=', unseen(filter.type))
  if (filter.category !== undefined) query = query.where('category', '=', unseen(filter.category))
  if (filter.outcome !== undefined) query = query.where('outcome', '=', unseen(filter.outcome))
  if (filter.actor !== undefined) query = query.where('actor', '=', unseen(filter.actor))
  if (filter.resourceType !== undefined) query = query.where('resource_type', '=', unseen(filter.resourceType))
  if (filter.resourceId !== undefined) query = query.where('resource_id', '=', unseen(filter.resourceId))
  if (filter.clientId !== undefined) query = query.where('client_id', '=', unseen(filter.clientId))
  if (filter.ipHash !== undefined) query = query.where('ip_hash', '=', sql<Buffer>`(select ${filter.ipHash}::bytea)`)
  const { keysIn } = filter
  if (keysIn !== undefined) {
    query = query.where(({ exists, or, selectFrom }) =>
      or(
        keysIn.map((keyRealm) =>
          exists(
            selectFrom('audit_keys')
              .select('audit_keys.id')
              .where('audit_keys.realm_id', '=', keyRealm)
              .whereRef('audit_keys.id', '=', 'audit_events.actor_key_id'),
          ),
        ),
      ),
    )
  }
  if (filter.from !== undefined) query = query.where('id', '>=', filter.from)
  if (filter.until !== undefined) query = query.where('id', '<', filter.until)
  return query
}

// Beyond this many skipped events, looking the shown ones up a second time costs less than fetching the rows of all others.
const deepOffset = 1000

/** One page in the order of the id, which every index of the table ends with: no more rows are read than are skipped and shown. */
export function eventPageQuery(db: Executor, realmId: string, filter: EventFilter, position: EventPosition) {
  const direction = position.ascending ? 'asc' : 'desc'
  let matching = selectEvents(db, realmId, filter).orderBy('id', direction)
  if (position.cursor !== null) matching = matching.where('id', position.ascending ? '>' : '<', position.cursor)
  const page = matching.offset(position.offset).limit(position.limit)
  if (position.offset <= deepOffset) return page.selectAll()
  // Ids are skipped in the index alone; the rows of the page are fetched by them.
  return selectEvents(db, realmId, { from: filter.from, until: filter.until })
    .selectAll()
    .where('id', '=', sql<string>`any(array(${page.select('id')}))`)
    .orderBy('id', direction)
}

export async function readEventPage(db: Executor, realmId: string, filter: EventFilter, position: EventPosition) {
  return eventPageQuery(db, realmId, filter, position).execute()
}

export type StoredEvent = Awaited<ReturnType<typeof readEventPage>>[number]

/** How many there are, counting no further than `upTo`. */
export async function countEvents(db: Executor, realmId: string, filter: EventFilter, upTo: number): Promise<number> {
  const found = selectEvents(db, realmId, filter).select('id').limit(upTo)
  const row = await db
    .selectFrom(found.as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** How many events there were on each day, newest day first, from the roll-ups. */
export async function readDailyTotals(
  db: Executor,
  realmId: string,
  filter: Pick<EventFilter, 'type' | 'category' | 'outcome'>,
  fromDay: string | null,
): Promise<{ day: string; count: number }[]> {
  let query = db.selectFrom('audit_rollups').where('realm_id', '=', realmId)
  if (filter.type !== undefined) query = query.where('type', '=', filter.type)
  if (filter.category !== undefined) query = query.where('category', '=', filter.category)
  if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome)
  if (fromDay !== null) query = query.where('day', '>=', sql<never>`${fromDay}::date`)
  const rows = await query
    .select([sql<string>`day::text`.as('day'), sql<string>`sum(count)`.as('count')])
    .groupBy('day')
    .orderBy('day', 'desc')
    .execute()
  return rows.map((row) => ({ day: row.day, count: Number(row.count) }))
}

export async function findUserIdByName(db: Executor, realmId: string, foldedName: string): Promise<string | null> {
  const row = await db
    .selectFrom('login_names')
    .select('user_id')
    .where('realm_id', '=', realmId)
    .where('name', '=', foldedName)
    .executeTakeFirst()
  return row?.user_id ?? null
}

export async function readUsernames(db: Executor, realmId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('realm_id', '=', realmId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row.username]))
}
