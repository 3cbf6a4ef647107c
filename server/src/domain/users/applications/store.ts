import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/index.ts'

export interface ApplicationRow {
  id: string
  client_id: string
  name: string | null
  scopes: string[] | null
  claims: string[] | null
  source: string | null
  agent_id: string | null
  granted_at: number | null
  updated_at: number | null
  signed_in: boolean
  offline_access: boolean
  last_used_at: string | null
}

// More grants than this of one person come from a program that runs wild; whichever are read name its application.
const maxGrants = 2000

/** What is known of a person in three places, joined by client: consents, live sessions, and grants. */
export async function selectApplications(
  db: Executor,
  realmId: string,
  userId: string,
  page: { offset: number; limit: number; after: string | null; now: number },
): Promise<ApplicationRow[]> {
  const { now, after, limit } = page
  const offset = after === null ? page.offset : 0
  const { rows } = await sql<ApplicationRow>`
    with participating as (
      select p.client_id, max(p.created_at) as at from sessions s
      join session_participants p on p.realm_id = s.realm_id and p.session_id = s.id
      where s.realm_id = ${realmId} and s.user_id = ${userId} and s.expires_at > ${now}
        and s.last_access_at + s.idle_seconds::bigint * 1000 > ${now}
      group by p.client_id),
    granted as (
      select client_id, bool_or(offline) as offline, max(created_at) as at from (
        select client_id, offline, created_at from oidc_models
        where realm_id = ${realmId} and model = 'Grant' and user_id = ${userId} and expires_at > ${now}
        limit ${maxGrants}) some_grants
      group by client_id)
    select c.id, c.client_id, c.name, k.scopes, k.claims, k.source, k.agent_id, k.granted_at, k.updated_at,
      participating.client_id is not null as signed_in, coalesce(granted.offline, false) as offline_access,
      greatest(participating.at, granted.at) as last_used_at
    from clients c
    left join consents k on k.realm_id = c.realm_id and k.user_id = ${userId} and k.client_uuid = c.id
    left join participating on participating.client_id = c.client_id
    left join granted on granted.client_id = c.client_id
    where c.realm_id = ${realmId} and (${after}::uuid is null or c.id > ${after}::uuid)
      and c.id in (
        select client_uuid from consents where realm_id = ${realmId} and user_id = ${userId}
        union select id from clients where realm_id = ${realmId}
          and client_id = any(array(select client_id from participating union select client_id from granted)))
    order by c.id limit ${limit + 1} offset ${offset}`.execute(db)
  return rows
}
