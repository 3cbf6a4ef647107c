import { runTogether } from '../../platform/db/index.ts'
import { asUser, type Context, type Origin, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import {
  forgetFailures,
  ledgerSubject,
  recordFailedAttempt,
  reserveAttempt,
  type Reservation,
  returnAttempt,
} from '../lockout/index.ts'
import type { Proof } from '../sessions/index.ts'
import { type RealmSettings, settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { addressLimit, addressOf } from './address-limit.ts'
import { isLocked, maySignIn } from './may-sign-in.ts'
import { newState } from './position.ts'
import { maxNameLength, settlePassword, verifyPassword } from './steps/verify-password.ts'
import { type LoginUser, readLoginUser } from './store.ts'
import type { StepWork } from './types.ts'

/** Somebody who is known already and shows once more that it is them. */
export interface ConfirmingPerson {
  realm: RealmSnapshot
  origin: Origin
  person: { id: string; username: string }
}

export type ShownProof =
  | { method: 'password'; password: string }
  /** `look` runs once the try is counted, without a transaction; what it returns uses the proof up in one. */
  | { method: 'totp' | 'passkey' | 'device-key'; look(): Promise<(ctx: Context) => Promise<boolean>> }

export type Confirmation =
  | { kind: 'PROVED'; proof: Proof }
  | { kind: 'WRONG' }
  | { kind: 'LIMITED'; retryAfterSeconds: number }

/** To be called in the transaction of what is confirmed; a wrong proof is counted there, so that transaction must commit. */
export type SettleConfirmation = (ctx: Context) => Promise<Confirmation>

/**
 * A proof outside any sign-in, for a single act of somebody who is signed in: it counts, hashes, limits and records as the
 * sign-in does, and no session comes of it (S40).
 */
export async function prepareConfirmation(
  services: Services,
  who: ConfirmingPerson,
  shown: ShownProof,
): Promise<SettleConfirmation> {
  const settings = await who.realm.section(settingsSection)
  if ('password' in shown) return preparePassword(services, settings, who, shown.password)
  const subject = ledgerSubject(who.person.id, '')
  const reservation = await reserveAttempt(services, settings, who.realm.realmId, subject, 'OTP')
  if (!reservation.allowed) return limited(reservation.retryAfterSeconds)
  const check = await shown.look()
  return (ctx) => settleFactor(ctx, settings, who, { method: shown.method, reservation, check })
}

const limited =
  (retryAfterSeconds: number): SettleConfirmation =>
  async () => ({ kind: 'LIMITED', retryAfterSeconds })

async function preparePassword(
  services: Services,
  settings: RealmSettings,
  { realm, origin, person }: ConfirmingPerson,
  password: string,
): Promise<SettleConfirmation> {
  const work: StepWork = {
    ...{ services, realm, settings, origin, state: newState('BROWSER'), input: { password } },
    ...{ signInId: '', browserSecret: '', flowStep: null, others: [], user: null, clientId: null },
  }
  const verified = await verifyPassword(work, person.username.slice(0, maxNameLength), true)
  const { user, reservation, retryAfterSeconds } = verified
  if (retryAfterSeconds !== null) return limited(retryAfterSeconds)
  if (reservation && !reservation.allowed) return limited(reservation.retryAfterSeconds)
  return async (ctx) => {
    const wait = user?.id === person.id ? waitOf(user, ctx.now) : null
    // Nobody looked at it: somebody who is locked for another factor is told so, and has not failed at this one.
    if (wait !== null && reservation) {
      await runTogether(ctx.tx, [returnAttempt(reservation)])
      return { kind: 'LIMITED', retryAfterSeconds: wait }
    }
    // A name that went to somebody else meanwhile proves nothing about this person.
    const passed = user?.id === person.id ? await settlePassword(ctx, work, verified) : null
    return passed?.proof ? { kind: 'PROVED', proof: passed.proof } : { kind: 'WRONG' }
  }
}

/** Seconds until a lock for failed tries ends; null where there is none. An administrator’s has no end, and says nothing here. */
function waitOf(user: LoginUser, now: number): number | null {
  if (!isLocked(user, now) || user.lockedUntil === null) return null
  return Math.ceil((user.lockedUntil - now) / 1000)
}

interface TriedFactor {
  method: string
  reservation: Reservation
  check(ctx: Context): Promise<boolean>
}

async function settleFactor(
  ctx: Context,
  settings: RealmSettings,
  { origin, person }: ConfirmingPerson,
  { method, reservation, check }: TriedFactor,
): Promise<Confirmation> {
  const acting = { ...ctx, actor: asUser(ctx.realmId, person) }
  const user = await readLoginUser(ctx.tx, ctx.realmId, person.id)
  const wait = user && waitOf(user, ctx.now)
  if (wait !== null) {
    await runTogether(ctx.tx, [returnAttempt(reservation)])
    return { kind: 'LIMITED', retryAfterSeconds: wait }
  }
  if (user && maySignIn(user, ctx.now) && (await check(ctx))) {
    await recordEvent(acting, { type: 'MFA_SUCCESS', outcome: 'SUCCESS', detail: method })
    await runTogether(ctx.tx, [forgetFailures(reservation)])
    return { kind: 'PROVED', proof: { method, at: ctx.now } }
  }
  await recordEvent(acting, { type: 'MFA_FAILURE', outcome: 'FAILURE', detail: method })
  await recordFailedAttempt(acting, settings, reservation, person.id)
  ctx.afterCommit(() => {
    const points = settings.bruteForce.perIpMaxPerMinute
    void addressLimit(ctx.services).penalty(ctx.realmId, addressOf(origin), { points })
  })
  return { kind: 'WRONG' }
}
