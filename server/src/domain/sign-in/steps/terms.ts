import { asUser } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import { acceptTerms } from '../actions-store.ts'
import type { Step } from '../types.ts'

/** The realm's terms, as a step of the flow and as the required action. */
function createTermsStep(id: string): Step<boolean> {
  return {
    id,
    prepare: async ({ input }) => input.accept === 'true',
    async decide(ctx, { state, settings }, accepted) {
      if (!accepted) {
        // A box that is not ticked sends nothing; null is whoever has not seen the page yet.
        const error = accepted === null ? null : ('acceptNeeded' as const)
        const { termsUrl } = settings
        return {
          kind: 'PAGE',
          failed: error !== null,
          page: { page: 'TERMS', username: state.username!, termsUrl, error },
        }
      }
      const acting = { ...ctx, actor: asUser(ctx.realmId, { id: state.userId!, username: state.username! }) }
      await acceptTerms(ctx.tx, ctx.realmId, state.userId!, ctx.now)
      await recordEvent(acting, { type: 'CONSENT_GRANTED', outcome: 'SUCCESS', detail: 'terms and conditions' })
      return { kind: 'PASSED' }
    },
  }
}

export const termsStep = createTermsStep('terms')
export const termsAction = createTermsStep('TERMS_AND_CONDITIONS')
