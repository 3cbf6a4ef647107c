import { runTransaction } from '../../platform/db/index.ts'
import type { Contribution } from '../context/index.ts'
import { endSessions } from './service.ts'
import { deleteExpiredSessions } from './store.ts'

// Small enough that no sign-in ever waits for the clean-up.
const batch = 1000

/** Whoever may no longer come in is also put out. */
export const sessionsContribution: Contribution = {
  reactions: {
    userDisabled: async (ctx, userId) => void (await endSessions(ctx, { userId })),
    userLocked: async (ctx, userId) => void (await endSessions(ctx, { userId })),
    userDeleted: async (ctx, userId) => void (await endSessions(ctx, { userId })),
  },
  jobs: [
    {
      name: 'sessions.forget',
      schedule: '* * * * *',
      async handle(services) {
        for (;;) {
          const ended = await runTransaction(services.db, async ({ tx, afterCommit }) => {
            const byRealm = await deleteExpiredSessions(tx, services.clock.now(), batch)
            for (const { realmId, count } of byRealm) {
              afterCommit(() => services.activity.countSessions(realmId, -count))
            }
            return byRealm.reduce((sum, entry) => sum + entry.count, 0)
          })
          if (ended < batch) return
        }
      },
    },
  ],
}
