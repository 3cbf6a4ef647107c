import { sql } from 'kysely'
import { definePart, type Executor, prepareRecordStatement, type Tx } from '../../platform/db/index.ts'

export interface Attempt extends Record<string, unknown> {
  realmId: string
  subject: string
  factor: string
  now: number
  windowMs: number
  maxFailures: number
}

const attemptFields = ['realmId', 'subject', 'factor', 'now', 'windowMs', 'maxFailures'] as const

const insertAttempt = prepareRecordStatement('count_attempt', attemptFields, (db, attempt: Attempt) => {
  const { now } = attempt
  return db
    .insertInto('sign_in_attempts')
    .values({
      realm_id: attempt.realmId,
      subject: attempt.subject,
      factor: attempt.factor,
      failures: 1,
      window_started_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['realm_id', 'subject', 'factor']).doUpdateSet({
        failures: sql<number>`case when sign_in_attempts.locked_until > ${now} then sign_in_attempts.failures
          when sign_in_attempts.window_started_at + ${attempt.windowMs} <= ${now} then 1
          else least(sign_in_attempts.failures, ${attempt.maxFailures}) + 1 end`,
        window_started_at: sql<number>`case when sign_in_attempts.locked_until > ${now} then sign_in_attempts.window_started_at
          when sign_in_attempts.window_started_at + ${attempt.windowMs} <= ${now} then ${now}
          else sign_in_attempts.window_started_at end`,
      }),
    )
    .returning(['failures', 'window_started_at', 'locked_until', 'locks'])
})

/**
 * Counts an attempt before it is verified, in one statement, so that parallel tries cannot overrun the limit. While locked
 * nothing is counted and the lock is not extended.
 */
export async function countAttempt(db: Executor, attempt: Attempt) {
  const [row] = await insertAttempt(db, attempt)
  return row!
}

export async function writeLock(tx: Tx, attempt: Attempt, lockedUntil: number | null): Promise<void> {
  await tx
    .updateTable('sign_in_attempts')
    .set((eb) => ({
      failures: 0,
      window_started_at: attempt.now,
      locked_until: lockedUntil,
      locks: eb('locks', '+', 1),
    }))
    .where('realm_id', '=', attempt.realmId)
    .where('subject', '=', attempt.subject)
    .where('factor', '=', attempt.factor)
    .execute()
}

interface Counter {
  realmId: string
  subject: string
  factor: string
}

export const forgetPart = definePart('forget', ['realmId', 'subject', 'factor'], (db, counter: Counter) =>
  db
    .deleteFrom('sign_in_attempts')
    .where('realm_id', '=', counter.realmId)
    .where('subject', '=', counter.subject)
    .where('factor', '=', counter.factor),
)

export const returnPart = definePart('return_attempt', ['realmId', 'subject', 'factor'], (db, counter: Counter) =>
  db
    .updateTable('sign_in_attempts')
    .set((eb) => ({ failures: eb.fn<number>('greatest', [eb('failures', '-', 1), eb.lit(0)]) }))
    .where('realm_id', '=', counter.realmId)
    .where('subject', '=', counter.subject)
    .where('factor', '=', counter.factor),
)

export async function lockUserRow(tx: Tx, realmId: string, userId: string, lockedUntil: number | null): Promise<void> {
  await tx
    .updateTable('users')
    .set((eb) => ({ locked: true, locked_until: lockedUntil, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', userId)
    .execute()
}

export async function deleteAttemptsOf(tx: Tx, realmId: string, subjects: string[]): Promise<void> {
  await tx
    .deleteFrom('sign_in_attempts')
    .where('realm_id', '=', realmId)
    .where('subject', '=', sql<string>`any(${subjects}::text[])`)
    .execute()
}

/** Not bound to one realm: forgets counters nobody touched for a day, in small bites. */
export async function deleteOldAttempts(db: Executor, before: number, limit: number): Promise<number> {
  const result = await sql`delete from sign_in_attempts where (realm_id, subject, factor) in (
    select realm_id, subject, factor from sign_in_attempts
    where window_started_at < ${before} and (locked_until is null or locked_until < ${before}) limit ${limit})`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}

/** Not bound to one realm: takes the flag down where a lock has ended by itself, in small bites, over an index of just those. */
export async function clearEndedLocks(db: Executor, now: number, limit: number): Promise<number> {
  const result = await sql`update users set locked = false, locked_until = null
    where locked and locked_until <= ${now} and (realm_id, id) in (
      select realm_id, id from users where locked and locked_until <= ${now} limit ${limit} for update skip locked)`.execute(
    db,
  )
  return Number(result.numAffectedRows ?? 0)
}
