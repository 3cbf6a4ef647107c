import { runTransaction } from '../../platform/db/index.ts'
import { type Context, type Contribution, hiddenImpersonator, maxExportedEntries } from '../context/index.ts'
import { toSession } from './record.ts'
import type { Session } from './schema.ts'
import { endSessions } from './service.ts'
import { deleteExpiredSessions, selectSessions } from './store.ts'

// Small enough that no sign-in ever waits for the clean-up.
const batch = 1000

/** Who acted as the person and where they sat is the administrator's, not theirs. */
async function exportSessions({ tx, realmId, now }: Context, userId: string): Promise<Session[]> {
  const page = { offset: 0, limit: maxExportedEntries, after: null }
  const rows = await selectSessions(tx, { realmId, userId, now, ...page })
  return rows
    .map((row) => toSession(realmId, row))
    .map((session) => (session.impersonatorId === null ? session : { ...session, ...hiddenImpersonator }))
}

/** Whoever may no longer come in is also put out. */
export const sessionsContribution: Contribution = {
  dataSubject: [
    {
      section: 'sessions',
      tables: ['sessions', 'session_participants'],
      exportFor: exportSessions,
      eraseFor: async (ctx, userId) => void (await endSessions(ctx, { userId })),
    },
  ],
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
