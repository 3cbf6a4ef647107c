import { useTotp } from '../../users/credentials/totp/index.ts'
import type { Reservation } from '../../lockout/index.ts'
import type { StepError } from '../pages.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { factorPage, noteChallenge, reserveTry, settleFactor } from './second-factor.ts'

const show = (work: StepWork, error: StepError | null): StepOutcome => ({
  kind: 'PAGE',
  failed: error !== null,
  page: { page: 'OTP', method: 'totp', sentTo: null, resendSeconds: null, ...factorPage(work, error) },
})

/** The code of an authenticator app. */
export const totpStep: Step<Reservation | null> = {
  id: 'totp',
  prepare: async (work) => (work.input.code ? reserveTry(work, 'OTP') : null),
  async decide(ctx, work, reservation) {
    if (!reservation) {
      if (work.input.code === undefined) await noteChallenge(ctx, work, 'totp')
      return show(work, work.input.code === '' ? 'codeMissing' : null)
    }
    const code = work.input.code!
    const check = async () => (await useTotp(ctx, { userId: work.state.userId!, code, allow: 'CONFIRMED' })) !== null
    return settleFactor(ctx, work, { method: 'totp', reservation, check }, (error) => show(work, error))
  },
}
