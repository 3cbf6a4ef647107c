import type { Context } from '../context/index.ts'
import { readMostActive, readRealmActivity, readRealmTotals, readServerCounters } from '../counters/index.ts'
import type { MetricsSummary } from './schema.ts'

// Contract 4.19.
const mostActive = 100

/** Server-wide for administrators of the system realm; anybody else sees their own realm only. */
export async function summarizeMetrics(ctx: Context): Promise<MetricsSummary> {
  const ownRealm = ownRealmOf(ctx)
  const day = new Date(ctx.now).toISOString().slice(0, 10)
  const [counters, realmIds] = await Promise.all([
    ownRealm === null ? readServerCounters(ctx.tx) : readRealmTotals(ctx.tx, ownRealm),
    ownRealm === null ? readMostActive(ctx.tx, day, mostActive) : [ownRealm],
  ])
  const today = await readRealmActivity(ctx.tx, day, realmIds)
  const total = (name: string) => Math.max(0, counters.get(name) ?? 0)
  return {
    generatedAt: ctx.now,
    uptimeSeconds: Math.floor(process.uptime()),
    realms: ownRealm === null ? total('realms') : 1,
    users: total('users'),
    clients: total('clients'),
    agents: total('agents'),
    activeSessions: total('sessions'),
    ...presentActivity(total),
    byRealm: [...today].map(([realmId, figures]) => ({ realmId, ...presentActivity((name) => figures[name] ?? 0) })),
  }
}

function ownRealmOf({ actor, services }: Context): string | null {
  if (actor.kind !== 'USER') return null
  const seesAll = actor.realmId === services.config.bootstrap.realm && actor.permissions.has('realm-admin')
  return seesAll ? null : actor.realmId
}

function presentActivity(count: (name: string) => number) {
  return {
    logins: { success: count('loginSuccess'), failure: count('loginFailure') },
    tokensIssued: count('tokensIssued'),
    mfaChallenges: count('mfaChallenges'),
    adminWrites: { success: count('adminWriteSuccess'), denied: count('adminWriteDenied') },
  }
}
