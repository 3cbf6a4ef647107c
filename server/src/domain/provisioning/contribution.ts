import type { Contribution } from '../context/index.ts'
import { clearTokenCreator, deleteExpiredTokens } from './initial-access-tokens/index.ts'
import { readProvisioning } from './service.ts'

// Small enough that nobody who registers ever waits for the clean-up.
const batch = 1000

export const provisioningContribution: Contribution = {
  traces: [
    {
      tables: ['initial_access_tokens'],
      eraseFor: ({ tx, realmId }, userId) => clearTokenCreator(tx, realmId, userId),
    },
  ],
  transfer: [{ section: 'provisioning', exportObjects: readProvisioning }],
  jobs: [
    {
      name: 'provisioning.forget-tokens',
      schedule: '41 * * * *',
      async handle(services) {
        while ((await deleteExpiredTokens(services.db, services.clock.now(), batch)) === batch);
      },
    },
  ],
}
