import type { Context, Contribution } from '../context/index.ts'
import { sealedPlace } from './places.ts'
import { revokeSecrets } from './revoke.ts'
import { deleteExpiredSecrets } from './store.ts'
import { addressSubject } from './subjects.ts'

// Small enough that nobody who types a code ever waits for the clean-up.
const batch = 1000

/** Also what was asked for at their address before there was an account: a registration holds a name and a password. */
async function eraseSecrets(ctx: Context, userId: string, names: readonly string[]): Promise<void> {
  for (const subject of [userId, ...names.map(addressSubject)]) await revokeSecrets(ctx, subject)
}

/** Whoever may no longer come in does not come in by a link from last week either. */
export const oneTimeSecretsContribution: Contribution = {
  traces: [{ tables: ['one_time_secrets'], eraseFor: eraseSecrets }],
  reactions: {
    userDisabled: (ctx, userId) => revokeSecrets(ctx, userId),
    userLocked: (ctx, userId) => revokeSecrets(ctx, userId),
    userDeleted: (ctx, userId) => revokeSecrets(ctx, userId),
  },
  jobs: [
    {
      name: 'one-time-secrets.forget',
      schedule: '*/10 * * * *',
      async handle(services) {
        while ((await deleteExpiredSecrets(services.db, services.clock.now(), batch)) === batch);
      },
    },
  ],
  sealed: [
    {
      table: 'one_time_secrets',
      column: 'sealed',
      key: ['realm_id', 'id'],
      place: (row) => sealedPlace(String(row.realm_id), String(row.id)),
    },
  ],
}
