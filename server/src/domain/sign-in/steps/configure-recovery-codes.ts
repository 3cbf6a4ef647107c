import { makeRecoveryCodes, storeRecoveryCodes } from '../../users/credentials/recovery-codes/index.ts'
import type { StepError } from '../pages.ts'
import { completeAction } from '../actions-store.ts'
import type { Step, StepOutcome, StepWork } from '../types.ts'
import { recordFactor } from './record-factor.ts'

const place = ({ realm, signInId }: StepWork) => `recovery-codes:${realm.realmId}:${signInId}`

/** Recovery codes, shown until the person says that they are kept; only then do they replace earlier ones. */
export const configureRecoveryCodesAction: Step<boolean> = {
  id: 'CONFIGURE_RECOVERY_CODES',
  prepare: async ({ input }) => input.saved === 'true',
  async decide(ctx, work, saved) {
    const codes = readCodes(work)
    // A box that is not ticked sends nothing; null is whoever has not seen the page yet.
    if (!saved || !codes) return show(work, codes, saved === null ? null : 'saveNeeded')
    const userId = work.state.userId!
    const id = await storeRecoveryCodes(ctx, userId, codes)
    delete work.state.recoveryCodes
    await recordFactor(ctx, work, 'recovery-codes', id)
    await completeAction(ctx.tx, ctx.realmId, userId, 'CONFIGURE_RECOVERY_CODES')
    return { kind: 'PASSED' }
  },
}

function readCodes(work: StepWork): string[] | null {
  const sealed = work.state.recoveryCodes
  if (!sealed) return null
  return JSON.parse(work.services.sealer.open(Buffer.from(sealed, 'base64url'), place(work)).toString()) as string[]
}

function show(work: StepWork, known: string[] | null, error: StepError | null): StepOutcome {
  const codes = known ?? makeRecoveryCodes()
  work.state.recoveryCodes = work.services.sealer.seal(JSON.stringify(codes), place(work)).toString('base64url')
  return {
    kind: 'PAGE',
    failed: error !== null,
    page: { page: 'CONFIGURE_RECOVERY_CODES', username: work.state.username!, codes, error },
  }
}
