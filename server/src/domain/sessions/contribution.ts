import { runTransaction } from '../../platform/db/index.ts'
import { type Contribution, jobActor } from '../context/index.ts'
import { adjustCounter } from '../counters/index.ts'
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
            const now = services.clock.now()
            const byRealm = await deleteExpiredSessions(tx, now, batch)
            for (const { realmId, count } of byRealm) {
              const origin = { sourceIp: null, userAgent: null, traceId: 'job' }
              await adjustCounter(
                { services, realmId, actor: jobActor, tx, now, origin, afterCommit, dryRun: false },
                'sessions',
                -count,
              )
            }
            return byRealm.reduce((sum, entry) => sum + entry.count, 0)
          })
          if (ended < batch) return
        }
      },
    },
  ],
}
