import { statfs } from 'node:fs/promises'
import type { Config } from '../../platform/config/index.ts'
import type { Services } from '../context/index.ts'
import { aggregate, boundedCheck } from './bounded-check.ts'
import type { HealthResponse, HealthStatus } from './schema.ts'
import { pingDatabase } from './store.ts'

/** What the process knows of itself; the application sets it, the database check keeps `databaseLostSince`. */
export interface ServerState {
  started: boolean
  draining: boolean
  /** Epoch milliseconds of the first failed check in a row. */
  databaseLostSince: number | null
}

export interface HealthAnswer {
  statusCode: 200 | 503
  body: HealthResponse
}

type HealthServices = Pick<Services, 'config' | 'db' | 'clock' | 'limits'>

// A fail-over of the database takes seconds; only after this long may it empty the load balancer (contract 2.105).
const databaseGraceMs = 30_000
// However many probes arrive, the database and Redis are asked once a second.
const networkCheckMs = 1000
// Free space changes slowly.
const diskCheckMs = 10_000
// Below this, standard output redirected to a file and temporary files of uploads fail soon.
const minFreeBytes = 10 * 1024 * 1024

interface Remembered {
  at: number
  status: Promise<HealthStatus>
}

const remembered = new WeakMap<object, Remembered>()

/** Asks once for all who wait, and answers from memory for a while. */
function checkOnce(subject: object, forMs: number, check: () => Promise<HealthStatus>): Promise<HealthStatus> {
  const latest = remembered.get(subject)
  if (latest && performance.now() - latest.at < forMs) return latest.status
  const status = boundedCheck(check)
  remembered.set(subject, { at: performance.now(), status })
  return status
}

const disk = {}

function checkDisk(): Promise<HealthStatus> {
  return checkOnce(disk, diskCheckMs, async () => {
    const { bavail, bsize } = await statfs('.')
    return bavail * bsize >= minFreeBytes ? 'UP' : 'DOWN'
  })
}

/** Null without Redis. */
async function checkRedis({ limits, config }: HealthServices): Promise<HealthStatus | null> {
  if (config.redisUrl === null) return null
  return checkOnce(limits, networkCheckMs, async () => (await limits.health()) ?? 'UNKNOWN')
}

async function checkDatabase(services: HealthServices, state: ServerState): Promise<HealthStatus> {
  const status = await checkOnce(services.db, networkCheckMs, async () => {
    await pingDatabase(services.db)
    return 'UP'
  })
  if (status === 'UP') state.databaseLostSince = null
  else state.databaseLostSince ??= services.clock.now()
  return status
}

function readinessOf(services: HealthServices, state: ServerState): HealthStatus {
  const { started, draining, databaseLostSince } = state
  if (!started || draining) return 'DOWN'
  const isLost = databaseLostSince !== null && services.clock.now() - databaseLostSince >= databaseGraceMs
  return isLost ? 'DOWN' : 'UP'
}

function answer(components: Record<string, HealthStatus>, groups?: string[]): HealthAnswer {
  const status = aggregate(Object.values(components))
  const shown = Object.fromEntries(Object.entries(components).map(([name, value]) => [name, { status: value }]))
  const body = groups ? { status, groups, components: shown } : { status, components: shown }
  return { statusCode: status === 'UP' ? 200 : 503, body }
}

/** Everything together: an optional part that is down makes the whole DOWN, and only that (specification part 2). */
export async function overallHealth(services: HealthServices, state: ServerState): Promise<HealthAnswer> {
  const [db, diskSpace, redis] = await Promise.all([checkDatabase(services, state), checkDisk(), checkRedis(services)])
  return answer(
    {
      db,
      diskSpace,
      livenessState: 'UP',
      ping: 'UP',
      readinessState: readinessOf(services, state),
      ...(redis === null ? {} : { redis }),
      // TLS ends at the proxy in front: there is no certificate here that could have expired.
      ssl: 'UP',
    },
    ['liveness', 'readiness'],
  )
}

/** Gates restarts. A process that can answer at all is alive; restarting it would mend nothing outside of it. */
export function livenessHealth(): HealthAnswer {
  return answer({ livenessState: 'UP' })
}

/** Gates traffic. */
export async function readinessHealth(services: HealthServices, state: ServerState): Promise<HealthAnswer> {
  await checkDatabase(services, state)
  return answer({ readinessState: readinessOf(services, state) })
}

export function renderInfo({ version, commit, buildTime }: Pick<Config, 'version' | 'commit' | 'buildTime'>) {
  return {
    app: { name: 'gatehouse', version },
    build: { version, commit, time: buildTime },
    runtime: { node: process.version },
  }
}
