import type { Contribution } from '../context/index.ts'
import { listClaims } from './service.ts'

export const claimsContribution: Contribution = {
  transfer: [{ section: 'claims', exportObjects: async (ctx) => (await listClaims(ctx, { size: '1000' })).claims }],
}
