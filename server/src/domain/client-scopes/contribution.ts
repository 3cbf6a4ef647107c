import type { Contribution } from '../context/index.ts'
import { seedScopes } from './seed.ts'
import { listScopes } from './service.ts'

export const clientScopesContribution: Contribution = {
  // Version 2: realms that were made before there were clients have no scopes.
  seeds: [{ since: 2, apply: seedScopes }],
  transfer: [
    { section: 'clientScopes', exportObjects: async (ctx) => (await listScopes(ctx, { size: '1000' })).scopes },
  ],
}
