import type { Contribution } from '../context/index.ts'
import { tokenPlace } from './audit-config/service.ts'
import { auditKeyPlace } from './audit-keys.ts'
import { eventJobs } from './jobs.ts'
import { deleteAuditKeys } from './retention-store.ts'
import { listEvents } from './service.ts'

export const eventsContribution: Contribution = {
  jobs: eventJobs,
  sealed: [
    {
      table: 'audit_keys',
      column: 'key_sealed',
      key: ['realm_id', 'id'],
      place: (key) => auditKeyPlace(String(key.realm_id), String(key.id)),
    },
    { table: 'server_settings', column: 'sealed', key: ['name'], place: () => tokenPlace },
  ],
  dataSubject: [
    {
      section: 'events',
      exportFor: async (ctx, userId) => (await listEvents(ctx, { actor: userId, size: '500' })).items,
      // The rows and their places stay; what was personal in them can never be opened again (contract 0.4).
      eraseFor: (ctx, userId) => deleteAuditKeys(ctx.tx, ctx.realmId, [userId]),
    },
  ],
}
