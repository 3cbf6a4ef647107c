import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface UserRow {
  id: string
  username: string
  email: string | null
  email_verified: boolean
  phone: string | null
  phone_verified: boolean
  locale: string | null
  enabled: boolean
  locked: boolean
  locked_until: number | null
  attributes: unknown
  required_actions: string[]
  federation_alias: string | null
  service_account_client_id: string | null
  last_login_at: number | null
  created_at: number
  version: number
  role_names: string[]
  password_changed_at: number | null
  /** Types of second factors that could be used, were the realm to allow them. */
  factors: string[]
}

/** Users by id with what a record shows beside the row; in the order of the ids given. */
export async function selectUsers(db: Executor, realmId: string, ids: string[]): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select([
      ...([
        'id',
        'username',
        'email',
        'email_verified',
        'phone',
        'phone_verified',
        'locale',
        'enabled',
        'locked',
      ] as const),
      ...(['locked_until', 'attributes', 'required_actions', 'federation_alias', 'service_account_client_id'] as const),
      ...(['last_login_at', 'created_at', 'version'] as const),
    ])
    .select([
      sql<string[]>`array(select roles.name from user_roles join roles
        on roles.realm_id = user_roles.realm_id and roles.id = user_roles.role_id
        where user_roles.realm_id = users.realm_id and user_roles.user_id = users.id order by roles.name)`.as(
        'role_names',
      ),
      sql<number | null>`(select created_at from credentials where credentials.realm_id = users.realm_id
        and credentials.user_id = users.id and type = 'password')`.as('password_changed_at'),
      // Neither one that waits for its first code nor recovery codes alone are a second factor (contract 2.66).
      sql<string[]>`array(select distinct type from credentials where credentials.realm_id = users.realm_id
        and credentials.user_id = users.id and type in ('totp', 'webauthn', 'device')
        and not (details @> '{"pending": true}'))
        || case when users.email_verified and users.email is not null then array['email'] else '{}' end
        || case when users.phone_verified and users.phone is not null then array['sms'] else '{}' end`.as('factors'),
    ])
    .where('realm_id', '=', realmId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Locks the row until the end of the transaction, so that two writers see one another. */
export async function lockUser(tx: Tx, realmId: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export interface UserValues {
  username: string
  username_folded: string
  email: string | null
  email_folded: string | null
  email_verified: boolean
  phone: string | null
  locale: string | null
  enabled: boolean
  attributes: string
  first_name_folded: string | null
  last_name_folded: string | null
  required_actions: string[]
}

export async function insertUser(
  tx: Tx,
  user: UserValues & { realm_id: string; id: string; created_at: number; service_account_client_id: string | null },
): Promise<void> {
  await tx.insertInto('users').values(user).execute()
}

export async function updateUser(
  tx: Tx,
  realmId: string,
  id: string,
  values: Partial<UserValues> & {
    phone_verified?: boolean
    locked?: boolean
    locked_until?: number | null
    last_login_at?: number
    updated_at?: number
  },
): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteUserRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('users').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

/** Fails on the primary key when a name belongs to somebody else already. */
export async function replaceLoginNames(
  tx: Tx,
  realmId: string,
  userId: string,
  names: { name: string; kind: 'USERNAME' | 'EMAIL' }[],
) {
  await tx.deleteFrom('login_names').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
  await tx
    .insertInto('login_names')
    .values(names.map((entry) => ({ realm_id: realmId, user_id: userId, ...entry })))
    .execute()
}

/** Which of these names belong to another user. */
export async function selectTakenNames(
  tx: Executor,
  realmId: string,
  names: string[],
  exceptUserId: string | null,
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('login_names')
    .select(['name', 'user_id'])
    .where('realm_id', '=', realmId)
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return new Set(rows.filter((row) => row.user_id !== exceptUserId).map((row) => row.name))
}

export async function replaceAttributeIndex(tx: Tx, realmId: string, userId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom('user_attribute_index').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  await tx
    .insertInto('user_attribute_index')
    .values(hashes.map((attribute_hash) => ({ realm_id: realmId, attribute_hash, user_id: userId })))
    .execute()
}

export async function clearAttempts(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where('realm_id', '=', realmId)
    .where('subject', '=', `user:${userId}`)
    .execute()
}

/** Kept from being deleted until the end of the transaction, since the new user is about to refer to it. */
export async function selectDefaultRoleId(tx: Tx, realmId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('roles')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('default_role', '=', true)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id ?? null
}

/** False when the user held the role already. */
export async function insertUserRole(
  tx: Tx,
  realmId: string,
  userId: string,
  roleId: string,
  now: number,
): Promise<boolean> {
  const row = await tx
    .insertInto('user_roles')
    .values({ realm_id: realmId, user_id: userId, role_id: roleId, created_at: now })
    .onConflict((conflict) => conflict.columns(['realm_id', 'user_id', 'role_id']).doNothing())
    .returning('role_id')
    .executeTakeFirst()
  return row !== undefined
}

/** For changes that show in the record but are kept in other tables: roles, credentials. */
export async function raiseUserVersion(tx: Tx, realmId: string, userId: string): Promise<void> {
  await updateUser(tx, realmId, userId, {})
}

export async function selectEmail(db: Executor, realmId: string, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.email ?? null
}

/** When somebody accepted the realm's terms; null for whoever was never asked. */
export async function selectTermsAcceptedAt(db: Executor, realmId: string, id: string): Promise<number | null> {
  const row = await db
    .selectFrom('users')
    .select('terms_accepted_at')
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.terms_accepted_at ?? null
}
