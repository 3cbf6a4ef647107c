import { runRead } from '../../../platform/db/index.ts'
import { foldName } from '../../../platform/text/index.ts'
import { anonymous, asUser, type Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import {
  forgetFailures,
  ledgerSubject,
  recordFailedAttempt,
  reserveAttempt,
  type Reservation,
} from '../../lockout/index.ts'
import { addressLimit, addressOf } from '../address-limit.ts'
import { maySignIn } from '../may-sign-in.ts'
import { findByLoginName, type LoginUser, readLoginUser, replacePasswordHash } from '../store.ts'
import type { StepOutcome, StepWork } from '../types.ts'

export interface Verified {
  name: string
  user: LoginUser | null
  reservation: Reservation | null
  passwordMatches: boolean
  newHash: string | null
  /** Set when this address failed too often; nothing was verified then. */
  retryAfterSeconds: number | null
  limitJustReached: boolean
  missing: 'usernameMissing' | 'passwordMissing' | null
}

// Longer input is not a name and not a password; it is refused before it costs anything (S50).
export const maxNameLength = 255
const maxPasswordBytes = 1024

/**
 * A name with a password, outside the transaction. Unknown, disabled, locked and wrong look and cost the same: the same
 * statements, the same hash, one answer. Somebody who `isKnown` already learns nothing from a quick one.
 */
export async function verifyPassword(work: StepWork, name: string, isKnown = false): Promise<Verified> {
  const password = work.input.password ?? ''
  const nothing = {
    name,
    user: null,
    reservation: null,
    passwordMatches: false,
    newHash: null,
    retryAfterSeconds: null,
    limitJustReached: false,
  }
  if (foldName(name) === '') return { ...nothing, missing: 'usernameMissing' as const }
  if (password === '' || Buffer.byteLength(password) > maxPasswordBytes)
    return { ...nothing, missing: 'passwordMissing' as const }
  // A crowd is refused before it costs a statement, and before a try is counted that nobody looks at (F28).
  const release = work.services.passwords.reserve()
  try {
    return await compare(work, { ...nothing, missing: null }, { password, isKnown }, release)
  } finally {
    release()
  }
}

async function compare(
  { services, realm, settings, origin }: StepWork,
  nothing: Verified,
  { password, isKnown }: { password: string; isKnown: boolean },
  release: () => void,
): Promise<Verified> {
  const perAddress = addressLimit(services)
  const points = settings.bruteForce.perIpMaxPerMinute
  const address = addressOf(origin)
  const limit = await perAddress.peek(realm.realmId, address, { points })
  if (!limit.allowed) return { ...nothing, retryAfterSeconds: limit.retryAfterSeconds }

  const folded = foldName(nothing.name)
  const user = await runRead(() => findByLoginName(services.db, realm.realmId, folded, settings.loginWithEmail))
  const subject = ledgerSubject(user?.id ?? null, folded)
  const reservation = await reserveAttempt(services, settings, realm.realmId, subject, 'PASSWORD')
  if (isKnown && !reservation.allowed) return { ...nothing, user, reservation }
  const usable = user !== null && reservation.allowed && maySignIn(user, services.clock.now())
  const policy = settings.passwordPolicy
  release()
  const { ok, rehash } = await services.passwords.verify(usable ? user.passwordHash : null, password, policy)
  const passwordMatches = ok && usable
  if (!passwordMatches) await perAddress.penalty(realm.realmId, address, { points })
  return {
    ...nothing,
    user,
    reservation,
    passwordMatches,
    // Without a free place for it now, the next sign-in renews the hash.
    newHash: passwordMatches && rehash ? await services.passwords.hash(password, policy).catch(() => null) : null,
    limitJustReached: !passwordMatches && limit.consumed + 1 >= points,
  }
}

/** The decision, in the transaction. Null when the password was right and everything else too: then `user` signs in. */
export async function settlePassword(
  ctx: Context,
  work: StepWork,
  verified: Verified,
): Promise<Extract<StepOutcome, { kind: 'PASSED' }> | null> {
  // Read again under the lock of this transaction: the person may have been disabled while the hash was computed.
  const user = verified.passwordMatches
    ? await readLoginUser(ctx.tx, ctx.realmId, verified.user!.id, [forgetFailures(verified.reservation!)])
    : null
  if (!user || !maySignIn(user, ctx.now) || user.passwordHash !== verified.user!.passwordHash) {
    await recordFailure(ctx, work, verified)
    return null
  }
  if (verified.newHash) await replacePasswordHash(ctx.tx, ctx.realmId, user.id, verified.newHash)
  const proof = { method: 'password', at: ctx.now }
  return { kind: 'PASSED', userId: user.id, username: user.username, proof, user }
}

async function recordFailure(ctx: Context, { settings, services }: StepWork, verified: Verified): Promise<void> {
  const { user, reservation } = verified
  const actor = user ? asUser(ctx.realmId, user) : anonymous(verified.name)
  const failing = { ...ctx, actor }
  await recordEvent(failing, { type: 'LOGIN_FAILURE', outcome: 'FAILURE', resourceType: null, detail: null })
  await recordFailedAttempt(failing, settings, reservation!, user?.id ?? null)
  if (verified.limitJustReached) await recordEvent(failing, { type: 'RATE_LIMITED', outcome: 'FAILURE' })
  ctx.afterCommit(() => services.metrics.login(ctx.realmId, 'failure'))
}
