import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerState } from '../domain/monitoring/index.ts'
import type { Config } from '../platform/config/index.ts'
import { migrate, pendingMigrations } from '../platform/db/migrate.ts'
import { createLog, type Log } from '../platform/log/index.ts'
import { createMetricsCollector, runSupervised, type WorkerPlace } from '../platform/processes/index.ts'
import { buildApp, buildMonitoringApp } from './build-app.ts'
import { startServices } from './services.ts'

/** Brings the schema up to date, or refuses to start on an old one (GATEHOUSE_MIGRATE). */
export async function prepareSchema(config: Config, log: Log): Promise<void> {
  if (config.migrate === 'check') {
    const pending = await pendingMigrations({ url: config.databaseUrl })
    if (pending.length > 0) throw new Error(`the schema lacks ${pending.join(', ')}; run "gatehouse migrate" first`)
    return
  }
  const appRole = new URL(config.databaseUrl).username || null
  await migrate({ adminUrl: config.databaseAdminUrl, appRole, log: (line) => log.info(line) })
}

/** One serving process: from its start until `stop`. */
export async function startNode(config: Config, place: WorkerPlace, log: Log) {
  const state: ServerState = { started: false, draining: false, databaseLostSince: null }
  const running = await startServices({ ...config, worker: config.worker && place.index === 0 }, { log })
  const { services, bootstrapped } = running
  if (bootstrapped?.generatedPassword) {
    // Not a log line: logs are kept, this is shown once to whoever starts the service.
    process.stdout.write(
      `\nThe administrator of realm "${bootstrapped.realmId}" is "${config.bootstrap.adminUsername}" with the password ` +
        `${bootstrapped.generatedPassword}\nIt is shown once and must be changed at the first sign-in.\n\n`,
    )
  }
  const metricsText = createMetricsCollector(services.metrics)
  const app = await buildApp({ services, state, metricsText })
  await app.listen({ host: config.host, port: config.port })
  const monitoring = config.monitoringPort === null ? null : await buildMonitoringApp({ services, state, metricsText })
  await monitoring?.listen({ host: config.host, port: config.monitoringPort! })
  state.started = true
  log.info({ baseUrl: config.baseUrl, process: place.index }, 'ready')
  return {
    async stop() {
      // First the load balancer is told, then the listener closes, then requests in flight finish.
      state.draining = true
      if (config.drainMs > 0) await sleep(config.drainMs)
      await app.close()
      await monitoring?.close()
      await running.stop()
    },
  }
}

export async function serve(config: Config): Promise<number> {
  const log = createLog(config)
  return runSupervised({
    processes: config.processes,
    log,
    graceMs: config.drainMs + config.shutdownGraceMs,
    async startWorker(place) {
      if (place.index === 0 || config.migrate === 'check') await prepareSchema(config, log)
      else await prepareSchema({ ...config, migrate: 'auto' }, log)
      return startNode(config, place, log)
    },
  })
}
