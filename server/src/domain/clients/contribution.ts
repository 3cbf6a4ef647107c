import type { Contribution } from '../context/index.ts'
import { secretPlace } from './secrets.ts'
import { detachServiceAccount } from './store.ts'

const key = ['realm_id', 'id']
const placeIn = (column: 'secret' | 'previous_secret') => (row: Record<string, string | Buffer>) =>
  secretPlace(String(row.realm_id), String(row.id), column)

export const clientsContribution: Contribution = {
  reactions: { userDeleted: (ctx, userId) => detachServiceAccount(ctx.tx, ctx.realmId, userId) },
  sealed: [
    { table: 'clients', column: 'secret_sealed', key, place: placeIn('secret') },
    { table: 'clients', column: 'previous_secret_sealed', key, place: placeIn('previous_secret') },
  ],
}
