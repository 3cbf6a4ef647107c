// The supervisor: forks the serving processes, brings back those that die, and stops them all when asked to.
import cluster, { type Worker } from 'node:cluster'
import { createNodeMetrics } from './collect-metrics.ts'
import { handBackLostConnections } from './hand-back.ts'
import { indexVariable, isOurs, type ToSupervisor, type ToWorker } from './messages.ts'
import type { SuperviseOptions } from './options.ts'
import { planRestartDelayMs, stableAfterMs } from './restart-delay.ts'
import { onShutdown } from './shutdown.ts'

// What a process may still need to end after it gave up on its own.
const killSlackMs = 2000

interface Slot {
  // Kept over restarts: index 0 runs the background jobs.
  index: number
  worker: Worker | null
  wasReady: boolean
  startedAt: number
  deathsInARow: number
  restart: NodeJS.Timeout | null
}

export function supervise({ processes, log, graceMs }: SuperviseOptions): Promise<number> {
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  const slots = Array.from({ length: processes }, (_, index) => createSlot(index))
  const nodeMetrics = createNodeMetrics(() => slots.flatMap((slot) => slot.worker ?? []))
  let exitCode: number | null = null

  const endWhenEmpty = (): void => {
    if (exitCode !== null && slots.every((slot) => slot.worker === null)) end(exitCode)
  }

  const stopAll = (code: number): void => {
    if (exitCode !== null) return
    exitCode = code
    for (const slot of slots) {
      if (slot.restart !== null) clearTimeout(slot.restart)
      if (slot.worker?.isConnected()) slot.worker.send({ gatehouse: 'stop' } satisfies ToWorker, () => {})
    }
    setTimeout(() => {
      for (const { worker, index } of slots) {
        if (worker === null) continue
        log.error({ index, pid: worker.process.pid }, 'A serving process did not stop and is killed')
        worker.process.kill('SIGKILL')
      }
    }, graceMs + killSlackMs).unref()
    endWhenEmpty()
  }

  const handleDeath = (slot: Slot, how: object): void => {
    if (slot.worker === null) return
    nodeMetrics.retire(slot.worker)
    slot.worker = null
    if (exitCode !== null) {
      endWhenEmpty()
    } else if (!slot.wasReady) {
      // What fails at the very first start (a fault in the configuration, a taken port) fails again: the operator must see it.
      log.fatal({ index: slot.index, ...how }, 'A serving process could not start at all')
      stopAll(1)
    } else {
      slot.deathsInARow = performance.now() - slot.startedAt > stableAfterMs ? 1 : slot.deathsInARow + 1
      const delayMs = planRestartDelayMs(slot.deathsInARow)
      log.error({ index: slot.index, delayMs, ...how }, 'A serving process died and is started again')
      slot.restart = setTimeout(() => fork(slot), delayMs)
    }
  }

  const fork = (slot: Slot): void => {
    const worker = cluster.fork({ [indexVariable]: String(slot.index) })
    handBackLostConnections(worker)
    slot.worker = worker
    slot.restart = null
    slot.startedAt = performance.now()
    worker.on('message', (message: unknown) => {
      if (!isOurs(message)) return
      const said = message as ToSupervisor
      if (said.gatehouse === 'ready') slot.wasReady = true
      else nodeMetrics.handle(worker, said)
    })
    // A fork that failed has an error and no exit; a running process may have both.
    worker.on('error', (err) => {
      if (worker.process.pid === undefined) handleDeath(slot, { err })
    })
    worker.on('exit', (status: number | null, signal: string | null) => {
      if (slot.worker === worker) handleDeath(slot, { pid: worker.process.pid, status, signal })
    })
  }

  const release = onShutdown((signal) => {
    log.info({ signal }, 'Stopping all serving processes')
    stopAll(0)
  })
  for (const slot of slots) fork(slot)
  return ended.finally(release)
}

function createSlot(index: number): Slot {
  return { index, worker: null, wasReady: false, startedAt: 0, deathsInARow: 0, restart: null }
}
