import type { Context } from '../../context/index.ts'
import type { Reservation } from '../../lockout/index.ts'
import {
  applyAssertion,
  createAuthenticationOptions,
  type VerifiedAssertion,
  verifyAssertion,
  webauthnRealm,
} from '../../users/credentials/webauthn/index.ts'
import type { StepError } from '../pages.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { readAssertion } from './read-assertion.ts'
import { factorPage, noteChallenge, reserveTry, settleFactor } from './second-factor.ts'

interface Checked {
  reservation: Reservation
  verified: VerifiedAssertion | null
}

async function show(ctx: Context, work: StepWork, error: StepError | null): Promise<StepOutcome> {
  const { services, realm, settings, state } = work
  const user = { realmId: realm.realmId, userId: state.userId! }
  const options = await createAuthenticationOptions(ctx, webauthnRealm(services, realm, settings), user, 'SECOND')
  state.challenge = (options as { challenge: string }).challenge
  const prompt = { options, challenge: null }
  return { kind: 'PAGE', failed: error !== null, page: { page: 'WEBAUTHN', prompt, ...factorPage(work, error) } }
}

/** A security key or passkey after the first factor. The challenge is kept with the sign-in and is good for one answer. */
export const webauthnStep: Step<Checked | null> = {
  id: 'webauthn',
  async prepare(work) {
    const { services, realm, settings, state, input } = work
    const response = readAssertion(input.assertion)
    if (!response || !state.challenge) return null
    const reservation = await reserveTry(work, 'OTP')
    const asked = { realmId: realm.realmId, challenge: state.challenge, response, userId: state.userId }
    const verified = reservation.allowed
      ? await verifyAssertion(services, webauthnRealm(services, realm, settings), { ...asked, purpose: 'SECOND' })
      : null
    return { reservation, verified }
  },
  async decide(ctx, work, checked) {
    if (!checked) {
      if (work.input.assertion === undefined) await noteChallenge(ctx, work, 'webauthn')
      return show(ctx, work, work.input.assertion === undefined ? null : 'passkeyFailed')
    }
    delete work.state.challenge
    const { reservation, verified } = checked
    const check = async () => verified !== null && (await applyAssertion(ctx, verified))
    return settleFactor(ctx, work, { method: 'webauthn', reservation, check }, (error) => show(ctx, work, error))
  },
}
