import type { Reservation } from '../../lockout/index.ts'
import { useRecoveryCode } from '../../users/credentials/recovery-codes/index.ts'
import type { StepError } from '../pages.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { factorPage, noteChallenge, reserveTry, settleFactor } from './second-factor.ts'

const show = (work: StepWork, error: StepError | null): StepOutcome => ({
  kind: 'PAGE',
  failed: error !== null,
  page: { page: 'RECOVERY_CODE', ...factorPage(work, error) },
})

/** One of the codes kept for the day the other factor is lost. */
export const recoveryCodeStep: Step<Reservation | null> = {
  id: 'recovery-code',
  prepare: async (work) => (work.input.code ? reserveTry(work, 'RECOVERY') : null),
  async decide(ctx, work, reservation) {
    if (!reservation) {
      if (work.input.code === undefined) await noteChallenge(ctx, work, 'recovery-code')
      return show(work, work.input.code === '' ? 'codeMissing' : null)
    }
    const check = async () => (await useRecoveryCode(ctx, work.state.userId!, work.input.code!)) !== null
    return settleFactor(ctx, work, { method: 'recovery-code', reservation, check }, (error) => show(work, error))
  },
}
