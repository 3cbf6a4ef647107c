// The lockout ledger: failed proofs counted per person and factor, before they are verified, across all nodes.
// Contract 2.66 and 3.7; S40.
// Called by every step that verifies something guessable; the database decides, so nodes and restarts change nothing.
import { createHash } from 'node:crypto'
import { type Executor, type PartRun, runRead } from '../../platform/db/index.ts'
import type { Context, Contribution, Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import type { RealmSettings } from '../settings/index.ts'
import {
  type Attempt,
  clearEndedLocks,
  countAttempt,
  deleteAttemptsOf,
  deleteOldAttempts,
  forgetPart,
  lockUserRow,
  returnPart,
  writeLock,
} from './store.ts'

/**
 * USER_CODE: codes of devices that a person types. APPROVAL: requests of applications that the person has not said yes to.
 * PUSH: questions of a sign-in to a person's devices, counted when they are asked and forgotten with a yes.
 */
export type Factor = 'PASSWORD' | 'OTP' | 'RECOVERY' | 'USER_CODE' | 'APPROVAL' | 'PUSH'

export interface Reservation {
  attempt: Attempt
  /** False when locked or out of tries: the proof must not be verified. */
  allowed: boolean
  /** 0 when allowed, else at least 1. */
  retryAfterSeconds: number
  failures: number
  locks: number
}

/** The subject of the ledger: a person, or a name nobody has, which is counted alike so that both take the same time. */
export function ledgerSubject(userId: string | null, foldedName: string): string {
  if (userId) return `user:${userId}`
  return `name:${createHash('sha256').update(foldedName).digest('hex').slice(0, 32)}`
}

export async function reserveAttempt(
  services: Services,
  settings: RealmSettings,
  realmId: string,
  subject: string,
  factor: Factor,
): Promise<Reservation> {
  return reserveWith(services.db, services.clock.now(), settings, { realmId, subject, factor })
}

/** For what has no proof that could be tried beside the transaction: the count and what it permits are one change. */
export async function reserveWithin(
  ctx: Context,
  settings: RealmSettings,
  subject: string,
  factor: Factor,
): Promise<Reservation> {
  return reserveWith(ctx.tx, ctx.now, settings, { realmId: ctx.realmId, subject, factor })
}

async function reserveWith(
  executor: Executor,
  now: number,
  settings: RealmSettings,
  { realmId, subject, factor }: { realmId: string; subject: string; factor: Factor },
): Promise<Reservation> {
  const rules = settings.bruteForce
  const attempt: Attempt = {
    realmId,
    subject,
    factor,
    now,
    windowMs: rules.windowSeconds * 1000,
    maxFailures: rules.maxFailures,
  }
  if (!rules.enabled) return { attempt, allowed: true, retryAfterSeconds: 0, failures: 0, locks: 0 }
  const row = await runRead(() => countAttempt(executor, attempt))
  const { failures, locks } = row
  const lockedMs = Math.max(0, (row.locked_until ?? 0) - now)
  const allowed = lockedMs === 0 && failures <= rules.maxFailures
  // Out of tries and not locked yet: somebody else's try of this moment is about to write the lock.
  const waitSeconds = lockedMs > 0 ? Math.ceil(lockedMs / 1000) : rules.lockSeconds
  return { attempt, allowed, retryAfterSeconds: allowed ? 0 : waitSeconds, failures, locks }
}

/** The proof was wrong: the last permitted failure locks the person. */
export async function recordFailedAttempt(
  ctx: Context,
  settings: RealmSettings,
  reservation: Reservation,
  userId: string | null,
): Promise<void> {
  const rules = settings.bruteForce
  if (!rules.enabled || !reservation.allowed || reservation.failures < rules.maxFailures) return
  const permanent = rules.permanentAfter > 0 && reservation.locks + 1 >= rules.permanentAfter
  const seconds = Math.min(rules.maxLockSeconds, rules.lockSeconds * rules.lockMultiplier ** reservation.locks)
  const lockedUntil = ctx.now + seconds * 1000
  await writeLock(ctx.tx, reservation.attempt, lockedUntil)
  if (!userId) return
  await lockUserRow(ctx.tx, ctx.realmId, userId, permanent ? null : lockedUntil)
  await recordEvent(ctx, {
    type: 'USER_LOCKED',
    outcome: 'SUCCESS',
    resourceType: 'users',
    resourceId: userId,
    detail: permanent ? 'until an administrator unlocks' : `for ${seconds} s after ${rules.maxFailures} failures`,
  })
}

/** The proof was right: the counter of this factor starts anew. Other factors keep theirs. */
export function forgetFailures(reservation: Reservation): PartRun {
  return forgetPart(reservation.attempt)
}

/** What was tried was no failure, and proves nothing either: the counter is as it was before. */
export function returnAttempt(reservation: Reservation): PartRun {
  return returnPart(reservation.attempt)
}

/** The same for somebody who proved themselves in another way than by the counted one. */
export function forgetCounter(realmId: string, subject: string, factor: Factor): PartRun {
  return forgetPart({ realmId, subject, factor })
}

const dayMs = 86_400_000
const batch = 5000

/** Also under their names: somebody may have tried those before there was such an account. */
async function eraseAttempts({ tx, realmId }: Context, userId: string, names: readonly string[]): Promise<void> {
  const subjects = [ledgerSubject(userId, ''), ...names.map((name) => ledgerSubject(null, name))]
  await deleteAttemptsOf(tx, realmId, subjects)
}

export const lockoutContribution: Contribution = {
  traces: [{ tables: ['sign_in_attempts'], eraseFor: eraseAttempts }],
  jobs: [
    {
      name: 'lockout.forget',
      schedule: '17 * * * *',
      async handle(services) {
        while ((await deleteOldAttempts(services.db, services.clock.now() - dayMs, batch)) === batch);
      },
    },
    {
      // A lock that is over counts as over at once; lists stay quick because few of their flags are still up.
      name: 'lockout.clear',
      schedule: '*/5 * * * *',
      async handle(services) {
        while ((await clearEndedLocks(services.db, services.clock.now(), batch)) === batch);
      },
    },
  ],
}
