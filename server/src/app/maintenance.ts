import type { Contribution } from '../domain/context/index.ts'
import { deleteOldKeys } from './admin-surface/index.ts'

// Contract 2.7: an idempotency key is remembered for a day.
const keepMs = 86_400_000
const batch = 5000

export const maintenanceContribution: Contribution = {
  jobs: [
    {
      name: 'idempotency.forget',
      schedule: '23 * * * *',
      async handle(services) {
        while ((await deleteOldKeys(services.db, services.clock.now() - keepMs, batch)) === batch);
      },
    },
  ],
}
