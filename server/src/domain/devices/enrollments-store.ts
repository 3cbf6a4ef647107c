import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface EnrollmentRow {
  id: string
  user_id: string
  username: string
  device_name: string | null
  platform: string | null
  challenge: string | null
  expires_at: number
  used_at: number | null
}

export interface EnrollmentInsert {
  realm_id: string
  id: string
  token_hash: Buffer
  user_id: string
  sign_in_id: string | null
  created_at: number
  expires_at: number
}

export async function insertEnrollment(tx: Tx, enrollment: EnrollmentInsert): Promise<void> {
  await tx.insertInto('device_enrollments').values(enrollment).execute()
}

export async function deleteUnused(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('device_enrollments')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteEnrollmentsOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx.deleteFrom('device_enrollments').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
}

export async function selectByToken(db: Executor, realmId: string, tokenHash: Buffer): Promise<EnrollmentRow | null> {
  const row = await db
    .selectFrom('device_enrollments as enrollments')
    .innerJoin('users', (join) =>
      join.onRef('users.realm_id', '=', 'enrollments.realm_id').onRef('users.id', '=', 'enrollments.user_id'),
    )
    .select(['enrollments.id', 'enrollments.user_id', 'users.username'])
    .select(['enrollments.device_name', 'enrollments.platform', 'enrollments.challenge'])
    .select(['enrollments.expires_at', 'enrollments.used_at'])
    .where('enrollments.realm_id', '=', realmId)
    .where('enrollments.token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row ?? null
}

/** A later start takes the place of an earlier one, with its challenge. False when the enrolment ended meanwhile. */
export async function updateStarted(
  tx: Tx,
  realmId: string,
  id: string,
  started: { deviceName: string; platform: string; challenge: string; now: number },
): Promise<boolean> {
  const { deviceName, platform, challenge, now } = started
  const result = await tx
    .updateTable('device_enrollments')
    .set({ device_name: deviceName, platform, challenge, started_at: now })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The one moment an enrolment is used: of many at once one wins, and only with the challenge that was signed. */
export async function takeEnrollment(
  tx: Tx,
  realmId: string,
  id: string,
  taken: { challenge: string; deviceId: string; now: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('device_enrollments')
    .set({ used_at: taken.now, device_id: taken.deviceId })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('challenge', '=', taken.challenge)
    .where('expires_at', '>', taken.now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** The device has to be there still: one that was removed again finishes nothing. */
export async function selectEnrolled(db: Executor, realmId: string, signInId: string): Promise<string | null> {
  const row = await db
    .selectFrom('device_enrollments')
    .innerJoin('device_keys', (join) =>
      join
        .onRef('device_keys.realm_id', '=', 'device_enrollments.realm_id')
        .onRef('device_keys.id', '=', 'device_enrollments.device_id')
        .onRef('device_keys.user_id', '=', 'device_enrollments.user_id'),
    )
    .select('device_keys.id')
    .where('device_enrollments.realm_id', '=', realmId)
    .where('device_enrollments.sign_in_id', '=', signInId)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Not bound to one realm: enrolments past their end are removed in small bites, over the index by expiry. */
export async function deleteExpiredEnrollments(db: Executor, before: number, limit: number): Promise<number> {
  const result = await sql`delete from device_enrollments where (realm_id, id) in (
    select realm_id, id from device_enrollments where expires_at <= ${before} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
