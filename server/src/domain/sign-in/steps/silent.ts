import type { Step } from '../types.ts'

/** Passes without asking: `allow`, and `consent`, which applications' own requests ask for. */
const passing = (id: string): Step => ({
  id,
  prepare: async () => null,
  decide: async () => ({ kind: 'PASSED' }),
})

export const allowStep = passing('allow')
export const consentStep = passing('consent')
