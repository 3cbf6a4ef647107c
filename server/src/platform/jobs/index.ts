// Background jobs on pg-boss: put in the queue inside the caller's transaction, run by whichever process works.
// Architecture 1 and 5: side effects of a write are rows in the same transaction.
// Folders define their jobs, app/ starts the worker; handlers must bear being run twice.
import { fromKysely, PgBoss } from 'pg-boss'
import type { Tx } from '../db/index.ts'
import type { Log } from '../log/index.ts'

export interface JobDefinition<Services, Data extends object> {
  name: string
  /** A cron expression in UTC for jobs that run by the clock. */
  schedule?: string
  retryLimit?: number
  /** How long one run may take before another worker takes it over although this one still lives; 15 minutes by default. */
  maxSeconds?: number
  /** How many of them a process runs at once, and how many of those for one group; one at a time by default. */
  concurrency?: { width: number; perGroup: number }
  handle(services: Services, data: Data): Promise<void>
}

// Each definition has its own data type; a list of them can only be typed loosely.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyJob<Services> = JobDefinition<Services, any>

export interface Jobs {
  /** Becomes visible to workers when the transaction commits, and never existed when it rolls back. */
  enqueue<Data extends object>(
    tx: Tx,
    job: { name: string },
    data: Data,
    options?: { startAfterSeconds?: number; singletonKey?: string; group?: string },
  ): Promise<void>
  start<Services>(definitions: AnyJob<Services>[], services: Services, work: boolean): Promise<void>
  stop(): Promise<void>
}

// A worker that dies is noticed when its heartbeat stops; another takes the job over.
const heartbeatSeconds = 10
// How often somebody looks for missed heartbeats; the queue's own minute is longer than a person waits for a code.
const superviseSeconds = 10
const defaultMaxSeconds = 15 * 60
// Jobs a process keeps open connections for: a few, since they wait for the database most of the time.
const poolSize = 3
const pollingIntervalSeconds = 1
// A job's data may name a person by id, or hold their address sealed; the queue keeps it no longer than anybody looks for it.
// Its own default is a week, and once a day for the clean-up.
const finishedKeptSeconds = 3600
const forgetEverySeconds = 900

export function createJobs(options: { url: string; log: Log }): Jobs {
  const { log } = options
  const boss = new PgBoss({
    connectionString: options.url,
    max: poolSize,
    application_name: 'gatehouse-jobs',
    // `gatehouse migrate` installs the schema as the owning role; this one may only use it.
    migrate: false,
    createSchema: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: forgetEverySeconds,
    useListenNotify: false,
    reindex: false,
    monitorVacuum: false,
  } as ConstructorParameters<typeof PgBoss>[0])
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  let started = false

  return {
    async enqueue(tx, job, data, { startAfterSeconds, singletonKey, group } = {}) {
      await boss.send(job.name, data, {
        db: fromKysely(tx as never),
        deleteAfterSeconds: finishedKeptSeconds,
        ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
        ...(singletonKey === undefined ? {} : { singletonKey }),
        ...(group === undefined ? {} : { group: { id: group } }),
      })
    },
    async start(definitions, services, work) {
      await boss.start()
      started = true
      for (const job of definitions) {
        await boss.createQueue(job.name, {
          retryLimit: job.retryLimit ?? 10,
          retryDelay: 1,
          retryBackoff: true,
          retryDelayMax: 3600,
          heartbeatSeconds,
          expireInSeconds: job.maxSeconds ?? defaultMaxSeconds,
        } as Parameters<typeof boss.createQueue>[1])
        if (!work) continue
        await boss.work(
          job.name,
          { pollingIntervalSeconds, batchSize: 1, ...(job.concurrency ? sideBySide(job.concurrency) : {}) },
          async (batch: { id: string; data: unknown }[]) => {
            for (const { id, data } of batch) {
              try {
                await job.handle(services, data as never)
              } catch (error) {
                log.error({ err: error, job: job.name, jobId: id }, 'job failed')
                throw error
              }
            }
          },
        )
        if (job.schedule) await boss.schedule(job.name, job.schedule, {}, { tz: 'UTC' })
      }
    },
    async stop() {
      if (started) await boss.stop({ graceful: true, timeout: 5000 })
    },
  }
}

/** One slow group leaves the others their share; a full queue is worked off without a pause. */
function sideBySide({ width, perGroup }: { width: number; perGroup: number }) {
  return { localConcurrency: width, localGroupConcurrency: perGroup, burstWhenBatchFull: true }
}
