import type { Reservation } from '../../lockout/index.ts'
import { readPendingTotp, startTotp, useTotp } from '../../users/credentials/totp/index.ts'
import { completeAction } from '../actions-store.ts'
import type { StepError } from '../pages.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { recordFactor } from './record-factor.ts'
import { reserveTry } from './second-factor.ts'

type Ctx = Parameters<Step['decide']>[0]

/** Setting up an authenticator app: its first good code makes it count. */
export const configureTotpAction: Step<Reservation | null> = {
  id: 'CONFIGURE_TOTP',
  prepare: async (work) => (work.input.code ? reserveTry(work, 'OTP') : null),
  async decide(ctx, work, reservation) {
    if (!reservation) return show(ctx, work, work.input.code === '' ? 'codeMissing' : null)
    const userId = work.state.userId!
    const code = work.input.code!
    const used = reservation.allowed ? await useTotp(ctx, { userId, code, allow: 'PENDING' }) : null
    if (!used) return show(ctx, work, 'codeWrong')
    await recordFactor(ctx, work, 'totp', used.credentialId)
    await completeAction(ctx.tx, ctx.realmId, userId, 'CONFIGURE_TOTP')
    return { kind: 'PASSED', proof: { method: 'totp', at: ctx.now } }
  },
}

async function show(ctx: Ctx, work: StepWork, error: StepError | null): Promise<StepOutcome> {
  const { state, realm, signInId } = work
  const userId = state.userId!
  const naming = { issuerName: realm.displayName ?? realm.realmId, username: state.username! }
  const pending =
    (await readPendingTotp(ctx, { userId, signInId, ...naming })) ??
    (await startTotp(ctx, { userId, label: null, signInId, ...naming }))
  const { secret, uri } = pending
  return {
    kind: 'PAGE',
    failed: error !== null,
    page: { page: 'CONFIGURE_TOTP', username: state.username!, secret, uri, error, others: work.others },
  }
}
