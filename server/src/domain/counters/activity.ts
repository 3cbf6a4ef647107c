import { randomInt } from 'node:crypto'
import { type Database, isForeignKeyBroken } from '../../platform/db/index.ts'
import type { Log } from '../../platform/log/index.ts'
import type { Metrics } from '../../platform/metrics/index.ts'
import type { Clock } from '../../platform/time/index.ts'
import { addActivity, addServerActivity, addToCounters, type Figures } from './store.ts'

export const activityNames = [
  ...['loginSuccess', 'loginFailure', 'tokensIssued', 'mfaChallenges'],
  ...['adminWriteSuccess', 'adminWriteDenied'],
] as ActivityName[]

export type ActivityName =
  | 'loginSuccess'
  | 'loginFailure'
  | 'tokensIssued'
  | 'mfaChallenges'
  | 'adminWriteSuccess'
  | 'adminWriteDenied'

export interface Activity {
  /** The given metrics, whose sign-ins, tokens and writes also count as activity. */
  metrics: Metrics
  /** Sessions that began or ended; written with the rest, so that no sign-in waits for a counter. */
  countSessions(realmId: string, by: number): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export interface ActivityOptions {
  db: Database
  clock: Clock
  log: Log
  metrics: Metrics
  flushMs?: number
}

// Soon enough for a dashboard, and one small write per active realm instead of one per sign-in or token.
const defaultFlushMs = 5000
// As many rows as the counters of objects have.
const stripes = 16

/**
 * Adds up in memory what happened in each realm and writes it to the database every few seconds, so that the totals of all
 * nodes can be read without asking them. A killed node loses the seconds since the last write; the audit trail does not.
 */
export function createActivity({ db, clock, log, metrics, flushMs = defaultFlushMs }: ActivityOptions): Activity {
  const stripe = randomInt(stripes)
  let pending = new Map<string, Figures>()
  let sessions = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> = Promise.resolve()
  let stopped = false

  function add(realmId: string, name: ActivityName, count = 1) {
    const figures = pending.get(realmId) ?? {}
    figures[name] = (figures[name] ?? 0) + count
    pending.set(realmId, figures)
  }

  const countSessions = (realmId: string, by: number) => void sessions.set(realmId, (sessions.get(realmId) ?? 0) + by)

  async function writeSessions(): Promise<void> {
    const taken = sessions
    sessions = new Map()
    for (const [realmId, by] of taken) {
      if (by === 0) continue
      try {
        await addToCounters(db, { realmId, name: 'sessions', stripe, by })
      } catch (error) {
        if (!isForeignKeyBroken(error)) countSessions(realmId, by)
      }
    }
  }

  async function writeOut(): Promise<void> {
    await writeSessions()
    const taken = pending
    pending = new Map()
    const server: Figures = {}
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    for (const [realmId, figures] of taken) {
      try {
        await addActivity(db, { realmId, day, stripe, figures })
      } catch (error) {
        // The realm was deleted meanwhile: there is nobody left to count for.
        if (isForeignKeyBroken(error)) continue
        for (const [name, count] of Object.entries(figures)) add(realmId, name as ActivityName, count)
        log.debug({ err: error }, 'activity could not be written and is kept')
        continue
      }
      for (const [name, count] of Object.entries(figures)) server[name] = (server[name] ?? 0) + count
    }
    if (Object.keys(server).length === 0) return
    await addServerActivity(db, stripe, server).catch((error: unknown) =>
      log.warn({ err: error }, 'server-wide activity could not be written'),
    )
  }

  const flush = () => {
    flushing = flushing.then(writeOut)
    return flushing
  }

  const next = () => {
    if (stopped) return
    timer = setTimeout(() => void flush().finally(next), flushMs)
    timer.unref()
  }
  next()

  return {
    metrics: countAlso(metrics, add),
    countSessions,
    flush,
    async stop() {
      stopped = true
      clearTimeout(timer)
      await flush()
    },
  }
}

function countAlso(metrics: Metrics, add: (realmId: string, name: ActivityName) => void): Metrics {
  return {
    ...metrics,
    login(realm, outcome) {
      metrics.login(realm, outcome)
      add(realm, outcome === 'success' ? 'loginSuccess' : 'loginFailure')
    },
    tokenIssued(realm) {
      metrics.tokenIssued(realm)
      add(realm, 'tokensIssued')
    },
    mfaChallenge(realm) {
      metrics.mfaChallenge(realm)
      add(realm, 'mfaChallenges')
    },
    adminWrite(realm, method, outcome) {
      metrics.adminWrite(realm, method, outcome)
      add(realm, outcome === 'success' ? 'adminWriteSuccess' : 'adminWriteDenied')
    },
  }
}
