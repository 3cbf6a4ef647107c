import { sql } from 'kysely'
import type { Executor } from '../../platform/db/index.ts'

export interface AdministratorRow {
  id: string
  emailVerified: boolean
  phoneVerified: boolean
  /** Types of credentials that are ready for use. */
  credentials: string[]
  /** A key that asked its owner for a PIN, finger or face when it was set up: without that it is no first factor. */
  hasPasskey: boolean
  /** Names of realm roles, direct and through composites. */
  roles: string[]
}

/**
 * People who hold realm-admin and may sign in, the given one first: enabled, not locked for good, no service accounts. A lock by
 * failed sign-ins ends by itself and does not count.
 */
export async function selectAdministrators(
  db: Executor,
  realmId: string,
  first: string | null,
  limit: number,
): Promise<AdministratorRow[]> {
  const { rows } = await sql<AdministratorRow>`
    with recursive granting(role_id) as (
      select id from roles where realm_id = ${realmId} and 'realm-admin' = any(permissions)
      union
      select composite.role_id from role_composites composite join granting on granting.role_id = composite.child_role_id
      where composite.realm_id = ${realmId}
    ), administrators as (
      select users.id, users.email is not null and users.email_verified as email_verified,
        users.phone is not null and users.phone_verified as phone_verified
      from users
      where users.realm_id = ${realmId} and users.enabled and users.service_account_client_id is null
        and not (users.locked and users.locked_until is null)
        and users.id in (select user_roles.user_id from user_roles join granting on granting.role_id = user_roles.role_id
          where user_roles.realm_id = ${realmId})
      order by users.id is not distinct from ${first}::uuid desc, users.id
      limit ${limit}
    ), held(user_id, role_id) as (
      select administrators.id, user_roles.role_id from administrators
      join user_roles on user_roles.realm_id = ${realmId} and user_roles.user_id = administrators.id
      union
      select held.user_id, composite.child_role_id from held
      join role_composites composite on composite.realm_id = ${realmId} and composite.role_id = held.role_id
    )
    select administrators.id, administrators.email_verified as "emailVerified",
      administrators.phone_verified as "phoneVerified",
      array(select distinct credentials.type from credentials
        where credentials.realm_id = ${realmId} and credentials.user_id = administrators.id
          and not coalesce((credentials.details ->> 'pending')::boolean, false)) as credentials,
      exists(select 1 from credentials where credentials.realm_id = ${realmId} and credentials.type = 'webauthn'
        and credentials.user_id = administrators.id
        and coalesce((credentials.details ->> 'userVerified')::boolean, false)) as "hasPasskey",
      array(select roles.name from roles join held on held.role_id = roles.id
        where roles.realm_id = ${realmId} and held.user_id = administrators.id) as roles
    from administrators order by administrators.id is not distinct from ${first}::uuid desc, administrators.id`.execute(
    db,
  )
  return rows
}

/** The channels by which the realm can send messages. */
export async function selectChannels(db: Executor, realmId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('messaging_providers')
    .select('channel')
    .distinct()
    .where('realm_id', '=', realmId)
    .where('enabled', '=', true)
    .execute()
  return rows.map((row) => row.channel)
}
