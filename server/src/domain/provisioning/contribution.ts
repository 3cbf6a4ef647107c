import type { Contribution } from '../context/index.ts'
import { deleteExpiredTokens } from './initial-access-tokens/index.ts'
import { readProvisioning } from './service.ts'

// Small enough that nobody who registers ever waits for the clean-up.
const batch = 1000

export const provisioningContribution: Contribution = {
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
