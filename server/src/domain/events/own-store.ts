import { sql } from 'kysely'
import type { Executor } from '../../platform/db/index.ts'
import type { StoredEvent } from './list-store.ts'

/** What somebody is shown of the trail: their own sign-ins, and what concerns the security of their account. */
export interface OwnEvents {
  userId: string
  /** Lowest id that counts, and the first that no longer does. */
  from: string
  until: string
}

/**
 * The newest ids of what they did and of what was done to their account, each by its own index; an event that is both is there
 * once. What an administrator did to others is their work and not their account.
 */
export async function selectOwnIds(
  db: Executor,
  realmId: string,
  { userId, from, until }: OwnEvents,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select id from audit_events where realm_id = ${realmId} and actor = (select ${userId}::text)
      and id >= ${from}::uuid and id < ${until}::uuid
      and (category = 'AUTHN' or category = 'SECURITY' and coalesce(resource_id, ${userId}) = ${userId})
      order by id desc limit ${limit})
    union
    (select id from audit_events where realm_id = ${realmId} and resource_id = (select ${userId}::text)
      and id >= ${from}::uuid and id < ${until}::uuid and category = 'SECURITY' order by id desc limit ${limit})
    order by id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Newest first. The outer ids tell the database which months to open. */
export async function selectEventsById(db: Executor, realmId: string, ids: string[]): Promise<StoredEvent[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('audit_events')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('id', '>=', ids.at(-1)!)
    .where('id', '<=', ids[0]!)
    .orderBy('id', 'desc')
    .execute()
}
