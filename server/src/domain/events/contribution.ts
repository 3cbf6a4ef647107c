import type { Contribution } from '../context/index.ts'
import { tokenPlace } from './audit-config/service.ts'
import { auditKeyPlace, destroyAuditKey } from './audit-keys.ts'
import { auditSigningKeyPlace } from './chain/index.ts'
import { eventJobs } from './jobs.ts'
import { readLoginEvents } from './login-events.ts'

export const eventsContribution: Contribution = {
  jobs: eventJobs,
  sealed: [
    {
      table: 'audit_keys',
      column: 'key_sealed',
      key: ['realm_id', 'id'],
      place: (key) => auditKeyPlace(String(key.realm_id), String(key.id)),
    },
    {
      table: 'server_settings',
      column: 'sealed',
      key: ['name'],
      place: ({ name }) => (name === 'audit-key' ? auditSigningKeyPlace : tokenPlace),
    },
  ],
  dataSubject: [
    {
      section: 'loginEvents',
      tables: ['audit_events', 'audit_keys'],
      exportFor: readLoginEvents,
      // The rows and their places stay; what was personal in them can never be opened again (contract 0.4).
      eraseFor: destroyAuditKey,
    },
  ],
}
