import type { Contribution } from '../context/index.ts'
import { deleteActivityBefore } from './store.ts'

// Only today is shown; a week helps an operator who looks into the table after an incident.
const keptDays = 7
const dayMs = 86_400_000

export const countersContribution: Contribution = {
  jobs: [
    {
      name: 'counters.activity',
      schedule: '41 0 * * *',
      async handle({ adminDb, clock }) {
        await deleteActivityBefore(adminDb, new Date(clock.now() - keptDays * dayMs).toISOString().slice(0, 10))
      },
    },
  ],
}
