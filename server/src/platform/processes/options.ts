// What a program hands over to be supervised.
import type { Log } from '../log/index.ts'

export interface WorkerPlace {
  // 0 for exactly one process of the node, also after a restart: that one runs the background jobs.
  index: number
  processes: number
}

export interface SuperviseOptions {
  processes: number
  // Resolves once the process serves. `stop` lets requests in flight finish.
  startWorker: (place: WorkerPlace) => Promise<{ stop(): Promise<void> }>
  log: Log
  // Everything `stop` may take, the drain included.
  graceMs: number
}
