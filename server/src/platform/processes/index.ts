// Several serving processes behind one listener on node:cluster: supervised, restarted, stopped gracefully, counted as one.
// Contract 10.1 (GATEHOUSE_PROCESSES) and 4.23; faults F1 and F2.
// Called by app/main (runSupervised) and by the monitoring routes (createMetricsCollector).
import cluster from 'node:cluster'
import type { SuperviseOptions } from './options.ts'
import { serveAlone, serveSupervised } from './serve.ts'
import { supervise } from './supervise.ts'

export { createMetricsCollector } from './collect-metrics.ts'
export type { SuperviseOptions, WorkerPlace } from './options.ts'
export { onShutdown, stopWithin } from './shutdown.ts'

// Resolves with the exit code when this process has nothing left to do; the caller then exits with it.
export function runSupervised(options: SuperviseOptions): Promise<number> {
  if (cluster.isWorker) return serveSupervised(options)
  return options.processes === 1 ? serveAlone(options) : supervise(options)
}
