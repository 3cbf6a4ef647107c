import type { Executor } from '../../../platform/db/index.ts'

/** What no record of a user shows: when they accepted the terms, and the roles they hold at applications. */
export async function selectAccount(db: Executor, realmId: string, userId: string, limit: number) {
  const row = await db
    .selectFrom('users')
    .select('terms_accepted_at')
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .executeTakeFirst()
  const clientRoles = await db
    .selectFrom('user_client_roles as held')
    .innerJoin('client_roles', (join) =>
      join.onRef('client_roles.realm_id', '=', 'held.realm_id').onRef('client_roles.id', '=', 'held.client_role_id'),
    )
    .innerJoin('clients', (join) =>
      join.onRef('clients.realm_id', '=', 'held.realm_id').onRef('clients.id', '=', 'client_roles.client_uuid'),
    )
    .select(['clients.client_id as clientId', 'client_roles.name'])
    .where('held.realm_id', '=', realmId)
    .where('held.user_id', '=', userId)
    .orderBy('clients.client_id')
    .orderBy('client_roles.name')
    .limit(limit)
    .execute()
  return { termsAcceptedAt: row?.terms_accepted_at ?? null, clientRoles }
}

export async function selectLoginNames(db: Executor, realmId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('login_names')
    .select('name')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .execute()
  return rows.map(({ name }) => name)
}
