import { currentSeedVersion, type Services } from '../domain/context/index.ts'
import { createActivity } from '../domain/counters/index.ts'
import {
  createAuditSink,
  createEventBatch,
  ensureEventPartitions,
  readForwarderConfig,
  registerEventMetrics,
} from '../domain/events/index.ts'
import { createPasswords } from '../domain/passwords/index.ts'
import { bootstrapSystemRealm, type Bootstrapped, readSystemRealm, upgradeRealm } from '../domain/realms/index.ts'
import { createKeyPool, type KeySource } from '../domain/signing-keys/index.ts'
import { createSnapshots } from '../domain/snapshot/index.ts'
import { addClientActivity } from '../domain/tokens/index.ts'
import type { Config } from '../platform/config/index.ts'
import { createSealer } from '../platform/crypto/index.ts'
import { createDatabase } from '../platform/db/index.ts'
import { createEgress } from '../platform/egress/index.ts'
import { createJobs } from '../platform/jobs/index.ts'
import { createLane } from '../platform/lanes/index.ts'
import { createLimits } from '../platform/limits/index.ts'
import { createLog, type Log } from '../platform/log/index.ts'
import { createMetrics } from '../platform/metrics/index.ts'
import { type Clock, systemClock } from '../platform/time/index.ts'
import { contributions } from './module-list.ts'

/** What tests put in the place of the real thing: time, keys made once, a log that is read. */
export interface ServiceOverrides {
  clock?: Clock
  keySource?: KeySource
  log?: Log
  writeAuditLine?(line: object): void
}

export interface RunningServices {
  services: Services
  bootstrapped: Bootstrapped | null
  stop(): Promise<void>
}

// Keys made ahead: enough for a burst of new realms or rotations, little enough to be made within seconds of a start.
const readyKeys = 8
// Waiting hashes per core: what is behind them is answered 503 rather than after many seconds.
const hashQueuePerCore = 32
// Partitions, retention and purging; they run one at a time.
const adminPoolSize = 2

/** The serving role's connections, and a few of the owning role's. */
function connect(config: Config) {
  const prepared = config.databasePrepared
  return {
    db: createDatabase({ url: config.databaseUrl, poolSize: config.poolSize, prepared }),
    adminDb: createDatabase({
      url: config.databaseAdminUrl,
      poolSize: adminPoolSize,
      prepared: false,
      applicationName: 'gatehouse-admin',
    }),
  }
}

/** Everything the process needs, connected and started; the schema must be there already. */
export async function startServices(config: Config, overrides: ServiceOverrides = {}): Promise<RunningServices> {
  const log = overrides.log ?? createLog(config)
  const clock = overrides.clock ?? systemClock
  const { db, adminDb } = connect(config)
  const sealer = createSealer(config.masterKeys)
  const egress = createEgress({ allow: config.egressAllow })
  const activity = createActivity({ db, clock, log, metrics: createMetrics({ maxRealms: config.metricsMaxRealms }) })
  const { metrics } = activity
  const lane = createLane({
    name: 'hashing',
    width: config.hashConcurrency,
    queue: config.hashConcurrency * hashQueuePerCore,
    retryAfterSeconds: 1,
  })
  const onPollError = (error: unknown) => log.debug({ err: error }, 'realm versions could not be polled')
  const seed = { version: currentSeedVersion(contributions), upgrade: (id: string) => upgradeRealm(services, id) }
  const services: Services = {
    config,
    db,
    adminDb,
    sealer,
    clock,
    log,
    metrics,
    jobs: createJobs({ url: config.databaseUrl, log }),
    egress,
    limits: createLimits({ redisUrl: config.redisUrl, log }),
    passwords: createPasswords({ lane, egress, breachDir: config.breachDir, breachUrl: config.breachUrl }),
    keySource: overrides.keySource ?? createKeyPool(readyKeys),
    snapshots: createSnapshots({ db, sealer, clock, maxBytes: config.snapshotBytes, onPollError, seed }),
    auditSink: { emit: () => undefined, emitAll: () => undefined },
    eventBatch: { add: () => undefined, countToken: () => undefined, flush: async () => undefined },
    activity,
    contributions,
  }
  const auditSink = createAuditSink({
    log,
    metrics,
    egress,
    readConfig: () => readForwarderConfig(services),
    writeLine: overrides.writeAuditLine,
  })
  services.auditSink = auditSink
  const eventBatch = createEventBatch(services, (share) => addClientActivity(db, share))
  services.eventBatch = eventBatch

  await ensureEventPartitions(adminDb, clock.now())
  registerEventMetrics(services)
  const bootstrapped = await bootstrapSystemRealm(services)
  services.config = { ...config, bootstrap: { ...config.bootstrap, realm: await readSystemRealm(services) } }
  metrics.ensureRealm(services.config.bootstrap.realm)
  services.snapshots.start()
  const jobs = contributions.flatMap((contribution) => contribution.jobs ?? [])
  await services.jobs.start(jobs, services, config.worker)

  return {
    services,
    bootstrapped,
    async stop() {
      services.keySource.stop()
      await services.snapshots.stop()
      await services.jobs.stop()
      await eventBatch.stop()
      await activity.stop()
      await auditSink.stop()
      await egress.close()
      services.limits.close()
      await Promise.all([db.destroy(), adminDb.destroy()])
    },
  }
}
