import { sql } from 'kysely'
import type { Executor, Tx } from '../../../../platform/db/index.ts'

export type Allowed = 'CONFIRMED' | 'PENDING' | 'ANY'

export interface AppRow {
  id: string
  secret_sealed: Buffer
  pending: boolean
  /** The sign-in it was begun in; null for one that an administrator made. */
  sign_in_id: string | null
}

const isPending = sql<boolean>`(details @> '{"pending": true}')`

/** Those that wait are read last: a code of an app that is in use must not go to one that is not. */
export async function selectApps(db: Executor, realmId: string, userId: string, allow: Allowed): Promise<AppRow[]> {
  let query = db
    .selectFrom('credentials')
    .select(['id', 'secret_sealed', isPending.as('pending'), sql<string | null>`details->>'signInId'`.as('sign_in_id')])
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', 'totp')
    .where('secret_sealed', 'is not', null)
  if (allow !== 'ANY') query = query.where(isPending, '=', allow === 'PENDING')
  return query.orderBy(isPending).orderBy('id').$narrowType<{ secret_sealed: Buffer }>().execute()
}

export async function deletePending(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('type', '=', 'totp')
    .where(isPending)
    .execute()
}

/** False when this step or a later one was used before. The second of two at once waits here, and then sees the first. */
export async function useStep(
  tx: Tx,
  realmId: string,
  userId: string,
  id: string,
  step: number,
  now: number,
): Promise<boolean> {
  const row = await tx
    .updateTable('credentials')
    .set((eb) => ({
      details: sql`(details - 'pending' - 'signInId') || jsonb_build_object('lastStep', ${step}::bigint)`,
      last_used_at: now,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(sql<boolean>`coalesce((details->>'lastStep')::bigint, -1) < ${step}`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
