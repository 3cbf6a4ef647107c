// A worker that does nothing but send messages, as a process of its own: tests kill it in the middle.
import type { Services } from '../../src/domain/context/index.ts'
import { deliveryJobs } from '../../src/domain/messaging/delivery/index.ts'
import { createSnapshots } from '../../src/domain/snapshot/index.ts'
import { loadConfig } from '../../src/platform/config/index.ts'
import { createSealer } from '../../src/platform/crypto/index.ts'
import { createDatabase } from '../../src/platform/db/index.ts'
import { createEgress } from '../../src/platform/egress/index.ts'
import { createJobs } from '../../src/platform/jobs/index.ts'
import { createLog } from '../../src/platform/log/index.ts'
import { systemClock } from '../../src/platform/time/index.ts'

const config = loadConfig(process.env as Record<string, string>)
const log = createLog(config)
const db = createDatabase({ url: config.databaseUrl, poolSize: 4, prepared: config.databasePrepared })
const sealer = createSealer(config.masterKeys)
const snapshots = createSnapshots({
  db,
  sealer,
  clock: systemClock,
  maxBytes: 10_000_000,
  onPollError: () => undefined,
})
const services = {
  ...{ config, db, sealer, log, snapshots, clock: systemClock, contributions: [] },
  egress: createEgress({ allow: config.egressAllow }),
  jobs: createJobs({ url: config.databaseUrl, log }),
  auditSink: { emit: () => undefined, emitAll: () => undefined },
} as unknown as Services

await services.jobs.start(deliveryJobs, services, true)
process.stdout.write('working\n')
