import { type Contribution, goesWithThePerson } from '../../context/index.ts'
import { secretPlace } from './places.ts'
import { listCredentials } from './service.ts'

// More than every type's own limit together.
const allOfThem = { size: '1000' }

export const credentialsContribution: Contribution = {
  dataSubject: [
    {
      section: 'credentials',
      tables: ['credentials', 'password_history', 'webauthn_keys', 'recovery_codes'],
      exportFor: async (ctx, userId) => (await listCredentials(ctx, userId, allOfThem)).credentials,
      eraseFor: goesWithThePerson,
    },
  ],
  sealed: [
    {
      table: 'credentials',
      column: 'secret_sealed',
      key: ['realm_id', 'id'],
      place: (row) => secretPlace(String(row.realm_id), String(row.id)),
    },
  ],
}
