import type { Contribution } from '../../context/index.ts'
import { secretPlace } from './places.ts'

export const credentialsContribution: Contribution = {
  sealed: [
    {
      table: 'credentials',
      column: 'secret_sealed',
      key: ['realm_id', 'id'],
      place: (row) => secretPlace(String(row.realm_id), String(row.id)),
    },
  ],
}
