import { sql } from 'kysely'
import type { Executor, Tx } from '../../../platform/db/index.ts'

export interface PasswordOwnerRow {
  username: string
  email: string | null
  service_account_client_id: string | null
}

export async function selectOwner(db: Executor, realmId: string, userId: string): Promise<PasswordOwnerRow | null> {
  const row = await db
    .selectFrom('users')
    .select(['username', 'email', 'service_account_client_id'])
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/** Hashes of the current password and the ones before it, the newest first. */
export async function selectHashes(db: Executor, realmId: string, userId: string, limit: number): Promise<string[]> {
  if (limit === 0) return []
  const current = await db
    .selectFrom('credentials')
    .select('secret_hash')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', 'password')
    .executeTakeFirst()
  const earlier = await db
    .selectFrom('password_history')
    .select('secret_hash')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return [current, ...earlier].flatMap((row) => row?.secret_hash ?? []).slice(0, limit)
}

/** Removes the current password and returns its hash, or null when there was none. */
export async function takePassword(tx: Tx, realmId: string, userId: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('credentials')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', 'password')
    .returning('secret_hash')
    .executeTakeFirst()
  return row?.secret_hash ?? null
}

export interface PasswordInsert {
  realmId: string
  id: string
  userId: string
  hash: string
  label: string | null
  now: number
}

export async function insertPassword(tx: Tx, password: PasswordInsert): Promise<void> {
  await tx
    .insertInto('credentials')
    .values({
      realm_id: password.realmId,
      id: password.id,
      user_id: password.userId,
      type: 'password',
      label: password.label,
      secret_hash: password.hash,
      created_at: password.now,
    })
    .execute()
}

export async function insertHistory(
  tx: Tx,
  entry: { realmId: string; id: string; userId: string; hash: string; now: number },
): Promise<void> {
  await tx
    .insertInto('password_history')
    .values({
      realm_id: entry.realmId,
      id: entry.id,
      user_id: entry.userId,
      secret_hash: entry.hash,
      created_at: entry.now,
    })
    .execute()
}

/** Forgets all but the newest entries. */
export async function trimHistory(tx: Tx, realmId: string, userId: string, keep: number): Promise<void> {
  await tx
    .deleteFrom('password_history')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('password_history as kept')
        .select('kept.id')
        .where('kept.realm_id', '=', realmId)
        .where('kept.user_id', '=', userId)
        .orderBy('kept.id', 'desc')
        .limit(keep),
    )
    .execute()
}

/** A temporary password must be changed at the next sign-in; any other one has just been. */
export async function markPasswordSet(tx: Tx, realmId: string, userId: string, temporary: boolean): Promise<void> {
  const rest = sql<string[]>`array_remove(required_actions, 'UPDATE_PASSWORD')`
  await tx
    .updateTable('users')
    .set((eb) => ({
      required_actions: temporary ? sql<string[]>`array_append(${rest}, 'UPDATE_PASSWORD')` : rest,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}

/** Lifts a lock and forgets the failures that led to it. True when the account was locked. */
export async function unlockUser(tx: Tx, realmId: string, userId: string): Promise<boolean> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where('realm_id', '=', realmId)
    .where('subject', '=', `user:${userId}`)
    .execute()
  const row = await tx
    .updateTable('users')
    .set({ locked: false, locked_until: null })
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .where('locked', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
