import type { Context } from '../../context/index.ts'
import {
  createRegistrationOptions,
  storeRegistration,
  type VerifiedRegistration,
  verifyRegistration,
  webauthnRealm,
} from '../../users/credentials/webauthn/index.ts'
import type { StepError } from '../pages.ts'
import { completeAction } from '../actions-store.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { readAssertion } from './read-assertion.ts'
import { recordFactor } from './record-factor.ts'

async function show(ctx: Context, work: StepWork, error: StepError | null): Promise<StepOutcome> {
  const { services, realm, settings, state, others } = work
  const user = { realmId: realm.realmId, userId: state.userId!, username: state.username! }
  const options = await createRegistrationOptions(ctx, webauthnRealm(services, realm, settings), user)
  state.challenge = (options as { challenge: string }).challenge
  const prompt = { options, challenge: null }
  return {
    kind: 'PAGE',
    failed: error !== null,
    page: { page: 'REGISTER_WEBAUTHN', username: user.username, prompt, error, others },
  }
}

/** A new passkey or security key, made while the person is present. */
export const registerWebauthnAction: Step<VerifiedRegistration | null> = {
  id: 'REGISTER_WEBAUTHN',
  async prepare({ services, realm, settings, state, input }) {
    const response = readAssertion(input.assertion)
    if (!response || !state.challenge) return null
    const { challenge } = state
    return verifyRegistration(services, webauthnRealm(services, realm, settings), { challenge, response })
  },
  async decide(ctx, work, verified) {
    const userId = work.state.userId!
    delete work.state.challenge
    const id = verified ? await storeRegistration(ctx, userId, verified, null) : null
    if (!id) return show(ctx, work, work.input.assertion === undefined ? null : 'passkeyFailed')
    await recordFactor(ctx, work, 'webauthn', id)
    await completeAction(ctx.tx, ctx.realmId, userId, 'REGISTER_WEBAUTHN')
    return { kind: 'PASSED', proof: { method: 'webauthn', at: ctx.now } }
  },
}
