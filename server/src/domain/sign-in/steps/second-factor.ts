import { asUser, type Context } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import {
  type Factor,
  forgetFailures,
  ledgerSubject,
  recordFailedAttempt,
  reserveAttempt,
  type Reservation,
} from '../../lockout/index.ts'
import { runTogether } from '../../../platform/db/index.ts'
import { addressLimit, addressOf } from '../address-limit.ts'
import { mayPass } from '../may-sign-in.ts'
import type { StepError } from '../pages.ts'
import { type LoginUser, readLoginUser } from '../store.ts'
import type { StepOutcome, StepWork } from '../types.ts'

/** What every page of a second factor shows. */
export function factorPage(work: StepWork, error: StepError | null) {
  return {
    username: work.state.username ?? '',
    error,
    others: work.others,
    trustDays: work.settings.mfaPolicy.trustedDeviceDays,
  }
}

/** A try is counted before it is looked at, for each factor by itself (S40). */
export function reserveTry(work: StepWork, factor: Factor): Promise<Reservation> {
  const { services, settings, realm, state } = work
  return reserveAttempt(services, settings, realm.realmId, ledgerSubject(state.userId, ''), factor)
}

/** Tells that a person is asked for a second factor, once for each page that is new to them. */
export async function noteChallenge(ctx: Context, work: StepWork, method: string): Promise<void> {
  const acting = { ...ctx, actor: asUser(ctx.realmId, person(work)) }
  await recordEvent(acting, { type: 'MFA_CHALLENGE', outcome: 'SUCCESS', detail: method })
  ctx.afterCommit(() => ctx.services.metrics.mfaChallenge(ctx.realmId))
}

const person = ({ state }: StepWork) => ({ id: state.userId!, username: state.username! })

/**
 * Ends the try of a second factor. `check` uses the proof up, in this transaction, and is asked only when the person may still
 * sign in; a wrong one is counted and told.
 */
export async function settleFactor(
  ctx: Context,
  work: StepWork,
  tried: { method: string; reservation: Reservation; check(user: LoginUser): Promise<boolean> },
  refuse: (error: StepError) => StepOutcome | Promise<StepOutcome>,
): Promise<StepOutcome> {
  const { method, reservation } = tried
  const acting = { ...ctx, actor: asUser(ctx.realmId, person(work)) }
  const user = reservation.allowed ? await readLoginUser(ctx.tx, ctx.realmId, work.state.userId!) : null
  if (user && mayPass(user, ctx.now, work.state.flowType) && (await tried.check(user))) {
    await recordEvent(acting, { type: 'MFA_SUCCESS', outcome: 'SUCCESS', detail: method })
    await runTogether(ctx.tx, [forgetFailures(reservation)])
    if (work.input.trustDevice === 'true') work.state.trustDevice = true
    return { kind: 'PASSED', proof: { method, at: ctx.now }, user }
  }
  await recordEvent(acting, { type: 'MFA_FAILURE', outcome: 'FAILURE', detail: method })
  await recordFailedAttempt(acting, work.settings, reservation, work.state.userId)
  ctx.afterCommit(() => {
    ctx.services.metrics.login(ctx.realmId, 'failure')
    // An address that fails at many people's second factors is kept from the next password, too.
    const points = work.settings.bruteForce.perIpMaxPerMinute
    void addressLimit(ctx.services).penalty(ctx.realmId, addressOf(ctx.origin), { points })
  })
  return refuse(method === 'webauthn' ? 'passkeyFailed' : 'codeWrong')
}
