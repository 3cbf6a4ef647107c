import { type Contribution, goesWithThePerson } from '../domain/context/index.ts'
import { answerPlace, deleteOldKeys } from './admin-surface/index.ts'

// Contract 2.7: an idempotency key is remembered for a day.
const keepMs = 86_400_000
const batch = 5000

export const maintenanceContribution: Contribution = {
  // An answer about a person is sealed under their own key, which goes with them.
  traces: [{ tables: ['idempotency_keys'], eraseFor: goesWithThePerson }],
  sealed: [
    {
      table: 'idempotency_keys',
      column: 'response_sealed',
      key: ['realm_id', 'id'],
      place: (key) => answerPlace(String(key.realm_id), key.id as Buffer),
    },
  ],
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
