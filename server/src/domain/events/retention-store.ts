import { sql } from 'kysely'
import type { Database, Executor } from '../../platform/db/index.ts'

/** Not bound to one realm: the job walks only the realms that limit their retention, over an index of just those. */
export async function readRealmsWithRetention(db: Executor, afterRealmId: string, limit: number) {
  const result = await sql<{ realmId: string; days: number }>`
    select realm_id as "realmId", (settings ->> 'eventRetentionDays')::integer as days
    from realm_settings
    where settings ? 'eventRetentionDays' and settings ->> 'eventRetentionDays' is not null and realm_id > ${afterRealmId}
    order by realm_id
    limit ${limit}`.execute(db)
  return result.rows
}

/** Removes the oldest expired events of one realm; the number removed is below `limit` when none is left. */
export async function deleteExpiredEvents(
  adminDb: Database,
  realmId: string,
  beforeId: string,
  limit: number,
): Promise<number> {
  const expired = adminDb
    .selectFrom('audit_events')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('id', '<', beforeId)
    .orderBy('id')
    .limit(limit)
  const result = await adminDb
    .deleteFrom('audit_events')
    .where('realm_id', '=', realmId)
    .where('id', '<', beforeId)
    .where('id', 'in', expired)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deleteExpiredRollups(adminDb: Database, realmId: string, beforeDay: string): Promise<void> {
  await adminDb
    .deleteFrom('audit_rollups')
    .where('realm_id', '=', realmId)
    .where('day', '<', sql<never>`${beforeDay}::date`)
    .execute()
}

export async function deleteAuditKeys(db: Executor, realmId: string, ids: string[]): Promise<void> {
  await db
    .deleteFrom('audit_keys')
    .where('realm_id', '=', realmId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Not bound to one realm: finds the days whose stripes still lie apart, over an index of just those rows. */
export async function readStripedDays(db: Executor, today: string, limit: number) {
  const result = await sql<{ realmId: string; day: string }>`
    select distinct realm_id as "realmId", day::text as day
    from audit_rollups
    where stripe > 0 and day < ${today}::date
    limit ${limit}`.execute(db)
  return result.rows
}

/** Adds the stripes of one day up into one row per type and outcome; a late writer's stripe is merged by the next run. */
export async function mergeStripes(adminDb: Database, realmId: string, day: string): Promise<void> {
  await sql`
    with apart as (
      delete from audit_rollups
      where realm_id = ${realmId} and day = ${day}::date and stripe > 0
      returning type, outcome, category, count
    )
    insert into audit_rollups (realm_id, day, type, outcome, stripe, category, count)
    select ${realmId}, ${day}::date, type, outcome, 0, max(category), sum(count) from apart group by type, outcome
    on conflict (realm_id, day, type, outcome, stripe) do update set count = audit_rollups.count + excluded.count
  `.execute(adminDb)
}
