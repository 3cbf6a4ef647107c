import { sql } from 'kysely'
import { type Executor, prepareStatement, type Tx } from '../../platform/db/index.ts'

const personById = prepareStatement('token_person', (db, realmId: string, userId: string) =>
  db
    .selectFrom('users')
    .select([
      ...(['id as user_id', 'username', 'email', 'email_verified', 'phone', 'phone_verified', 'locale'] as const),
      ...([
        'attributes',
        'enabled',
        'locked',
        'locked_until',
        'created_at as user_created_at',
        'updated_at as user_updated_at',
      ] as const),
    ])
    .where('realm_id', '=', realmId)
    .where('id', '=', userId),
)

export async function readPersonRow(db: Executor, realmId: string, userId: string) {
  const [row] = await personById(db, realmId, userId)
  return row ?? null
}

/** Effective realm roles by name, and client roles with their client. */
const rolesOfPerson = prepareStatement('token_person_roles', (db, realmId: string, userId: string) =>
  db
    .selectFrom(
      sql<{ client_id: string | null; name: string }>`(
        with recursive held(role_id) as (
          select role_id from user_roles where realm_id = ${realmId} and user_id = ${userId}::uuid
          union
          select c.child_role_id from role_composites c join held on held.role_id = c.role_id where c.realm_id = ${realmId}
        )
        select null::text as client_id, roles.name from held
          join roles on roles.realm_id = ${realmId} and roles.id = held.role_id
        union all
        select clients.client_id, client_roles.name from user_client_roles held_by_client
          join client_roles on client_roles.realm_id = ${realmId} and client_roles.id = held_by_client.client_role_id
          join clients on clients.realm_id = ${realmId} and clients.id = client_roles.client_uuid
          where held_by_client.realm_id = ${realmId} and held_by_client.user_id = ${userId}::uuid
      )`.as('held'),
    )
    .select(['held.client_id', 'held.name'])
    .orderBy('held.name')
    // A token with thousands of roles would not fit into a header any more.
    .limit(1000),
)

export async function readPersonRoles(db: Executor, realmId: string, userId: string) {
  const rows = await rolesOfPerson(db, realmId, userId)
  return {
    realmRoles: rows.filter((row) => row.client_id === null).map((row) => row.name),
    clientRoles: rows
      .filter((row) => row.client_id !== null)
      .map((row) => ({ clientId: row.client_id as string, name: row.name })),
  }
}

// Requests that wait for a person live half an hour at most (protocols/oidc, lifetimes); the rest is a margin.
const longestRequestMs = 3_600_000

/**
 * What names a person and hangs on no grant: sign-ins that applications asked for, requests to approve, codes of devices. Only
 * rows that end soon are looked at, over the index by expiry, so that a realm with millions of tokens is not read through.
 */
export async function deleteRequestsOf(
  tx: Tx,
  realmId: string,
  { userId, names }: { userId: string; names: readonly string[] },
  now: number,
): Promise<void> {
  await sql`delete from oidc_models
    where realm_id = ${realmId} and model <> 'Grant' and expires_at between ${now} and ${now + longestRequestMs}
      and (user_id = ${userId} or payload #>> '{session,accountId}' = ${userId}
        or payload #>> '{result,login,accountId}' = ${userId}
        or payload #>> '{lastSubmission,login,accountId}' = ${userId}
        or lower(normalize(trim(payload #>> '{params,login_hint}'), NFKC)) = any(${[...names]}::text[]))`.execute(tx)
}
