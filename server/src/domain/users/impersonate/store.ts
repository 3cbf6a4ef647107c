import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/index.ts'

/** Null when there is no such client, or it is switched off. */
export async function selectPlaces(db: Executor, realmId: string, clientId: string) {
  const row = await db
    .selectFrom('clients')
    .select(['redirect_uris', 'settings'])
    .where('realm_id', '=', realmId)
    .where('client_id', '=', clientId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (!row) return null
  const { baseUrl = null } = row.settings as { baseUrl?: string | null }
  return { redirectUris: row.redirect_uris, baseUrl }
}

export interface ActingSession {
  realmId: string
  id: string
  userId: string
  impersonatorId: string
}

/** What these people do as somebody else in their own realm. */
export async function selectActedIn(
  db: Executor,
  realmId: string,
  impersonatorIds: string[],
): Promise<ActingSession[]> {
  const { rows } = await sql<ActingSession>`select realm_id as "realmId", id, user_id as "userId",
      impersonator_id as "impersonatorId" from sessions
    where realm_id = ${realmId} and impersonator_id is not null
      and impersonator_id = any(${impersonatorIds}::uuid[])`.execute(db)
  return rows
}

/** Not bound to one realm: impersonated sessions past their end, over an index of just the impersonated ones. */
export async function selectOverdue(db: Executor, now: number, limit: number): Promise<ActingSession[]> {
  const { rows } = await sql<ActingSession>`select realm_id as "realmId", id, user_id as "userId",
      impersonator_id as "impersonatorId" from sessions
    where impersonator_id is not null and (expires_at <= ${now} or last_access_at + idle_seconds::bigint * 1000 <= ${now})
    order by expires_at limit ${limit}`.execute(db)
  return rows
}

/** Not bound to one realm: what an administrator of the system realm acts in, wherever that is. */
export async function selectOfImpersonator(
  db: Executor,
  impersonatorId: string,
  limit: number,
): Promise<ActingSession[]> {
  const { rows } = await sql<ActingSession>`select realm_id as "realmId", id, user_id as "userId",
      impersonator_id as "impersonatorId" from sessions
    where impersonator_id is not null and impersonator_id = ${impersonatorId}::uuid limit ${limit}`.execute(db)
  return rows
}
