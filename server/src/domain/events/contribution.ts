import type { Contribution } from '../context/index.ts'
import { eventJobs } from './jobs.ts'
import { deleteAuditKeys } from './retention-store.ts'
import { listEvents } from './service.ts'

export const eventsContribution: Contribution = {
  jobs: eventJobs,
  dataSubject: [
    {
      section: 'events',
      exportFor: async (ctx, userId) => (await listEvents(ctx, { actor: userId, size: '500' })).items,
      // The rows and their places stay; what was personal in them can never be opened again (contract 0.4).
      eraseFor: (ctx, userId) => deleteAuditKeys(ctx.tx, ctx.realmId, [userId]),
    },
  ],
}
