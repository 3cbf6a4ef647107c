import { runTransaction } from '../../../platform/db/index.ts'
import type { JobDefinition } from '../../../platform/jobs/index.ts'
import { type Context, type Contribution, jobActor, openContext, type Services } from '../../context/index.ts'
import { endSessions, mayStillActFor } from '../../sessions/index.ts'
import { recordEnd } from './record-end.ts'
import { type ActingSession, selectActedIn, selectOfImpersonator, selectOverdue } from './store.ts'

// Far more than are ever open at once; the rest waits for the next turn.
const batch = 500
// Sessions of the system realm that end together; of more, each use of what they left open is refused all the same.
const maxDepartures = 100

/** What somebody of the system realm did as others, in whatever realm, ends where they may no longer do it. */
const departureJob: JobDefinition<Services, { impersonatorId: string }> = {
  name: 'impersonation.depart',
  retryLimit: 5,
  maxSeconds: 60,
  async handle(services, { impersonatorId }) {
    for (const session of await selectOfImpersonator(services.db, impersonatorId, batch)) {
      if (!(await mayStillActFor(services, session.realmId, session))) await end(services, session)
    }
  },
}

async function end(services: Services, { realmId, id }: ActingSession): Promise<void> {
  await runTransaction(services.db, async (work) => {
    const origin = { sourceIp: null, userAgent: null, traceId: '' }
    await endSessions(openContext(services, work, { realmId, actor: jobActor, origin }), { id })
  })
}

/**
 * Ends what these people may no longer do as others. Every use of such a session is refused already (`mayStillActFor`); this
 * tells the applications in it and the audit trail.
 */
async function endUnentitled(ctx: Context, impersonatorIds: string[]): Promise<void> {
  for (const session of await selectActedIn(ctx.tx, ctx.realmId, impersonatorIds)) {
    const isEntitled = await mayStillActFor(ctx.services, ctx.realmId, session, ctx.tx)
    if (!isEntitled) await endSessions(ctx, { id: session.id })
  }
  if (ctx.realmId !== ctx.services.config.bootstrap.realm) return
  for (const impersonatorId of impersonatorIds.slice(0, maxDepartures)) {
    await ctx.services.jobs.enqueue(ctx.tx, departureJob, { impersonatorId })
  }
}

/** Whoever may no longer come in acts as nobody either. */
async function endDeparted(ctx: Context, userId: string): Promise<void> {
  await endSessions(ctx, { impersonatorId: userId })
  await endUnentitled(ctx, [userId])
}

export const impersonateContribution: Contribution = {
  reactions: {
    userDisabled: endDeparted,
    userLocked: endDeparted,
    userDeleted: endDeparted,
    userLostRole: (ctx, userId) => endUnentitled(ctx, [userId]),
    async sessionEnded(ctx, sessions) {
      const own = new Set<string>()
      for (const { id, userId, impersonatorId } of sessions) {
        if (impersonatorId === null) own.add(userId)
        else await recordEnd(ctx, { id, userId, impersonatorId })
      }
      // Whoever signs out everywhere stops acting as others, too.
      if (own.size > 0) await endUnentitled(ctx, [...own])
    },
  },
  jobs: [
    {
      name: 'impersonation.expire',
      schedule: '* * * * *',
      async handle(services) {
        for (const session of await selectOverdue(services.db, services.clock.now(), batch))
          await end(services, session)
      },
    },
    departureJob,
  ],
}
