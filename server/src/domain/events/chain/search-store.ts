import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/index.ts'

/**
 * Not bound to one realm: the realms that have more or fewer events in a range of ids than places in their chains, by name, with
 * the first of those events. Both sides read a summary index of what was written lately, so the cost follows the events of the
 * range and never the number of realms. Events and places are counted apart and then compared, which a distributed database does
 * shard by shard.
 */
export async function readUnevenRealms(
  db: Executor,
  range: { fromId: string; untilId: string | null },
  afterRealmId: string,
  limit: number,
): Promise<{ realmId: string; firstId: string }[]> {
  const { fromId, untilId } = range
  const below = (column: string) => (untilId === null ? sql`` : sql`and ${sql.ref(column)} < ${untilId}`)
  const result = await sql<{ realmId: string; firstId: string }>`
    select e.realm_id as "realmId", e.first_id as "firstId"
    from (
      select realm_id, min(id::text collate "C") as first_id, count(*) as events from audit_events
      where id >= ${fromId} ${below('id')} group by realm_id
    ) e
    left join (
      select realm_id, count(*) as places from audit_chain
      where event_id >= ${fromId} ${below('event_id')} group by realm_id
    ) c on c.realm_id = e.realm_id
    where c.places is distinct from e.events and e.realm_id > ${afterRealmId}
    order by e.realm_id limit ${limit}`.execute(db)
  return result.rows
}

/** Not bound to one realm: chains whose newest part waits for its seal, over an index of just those. */
export async function readUnsealedRealms(db: Executor, since: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_chain_heads')
    .select('realm_id')
    .where('unsealed_since', '<=', since)
    .orderBy('unsealed_since')
    .limit(limit)
    .execute()
  return rows.map((row) => row.realm_id)
}
