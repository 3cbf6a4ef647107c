// Metrics of the whole node, whichever of its processes the scraper happens to reach.
import cluster, { type Worker } from 'node:cluster'
import { createProcessSum, type Metrics, type MetricsJson, type ProcessSum } from '../metrics/index.ts'
import { isOurs, type ToSupervisor, type ToWorker } from './messages.ts'
import { tellSupervisor } from './serve.ts'

// Scrapers give up after ten seconds; a stuck process must not take the figures of the others with it.
const collectTimeoutMs = 2000
// Shorter than the above, so that the supervisor still answers with what it has.
const reportTimeoutMs = 1500

// In a serving process: answers the supervisor's questions and asks it for the sum. Alone, it simply reads its own registry.
export function createMetricsCollector(metrics: Metrics): () => Promise<string> {
  if (!cluster.isWorker) return () => metrics.text()
  const waiting = new Map<number, (text: string) => void>()
  let lastRequest = 0

  process.on('message', (message) => {
    if (!isOurs(message)) return
    const order = message as ToWorker
    if (order.gatehouse === 'node-metrics') waiting.get(order.request)?.(order.text)
    if (order.gatehouse === 'report-metrics') void report(metrics, order.request)
  })

  return async () => {
    const request = ++lastRequest
    const { promise, resolve } = Promise.withResolvers<string | null>()
    waiting.set(request, resolve)
    const timer = setTimeout(() => resolve(null), collectTimeoutMs)
    tellSupervisor({ gatehouse: 'collect-metrics', request, maxRealms: metrics.maxRealms })
    const text = await promise
    clearTimeout(timer)
    waiting.delete(request)
    return text ?? metrics.text()
  }
}

async function report(metrics: Metrics, request: number): Promise<void> {
  const json = (await metrics.registry.getMetricsAsJSON()) as MetricsJson
  tellSupervisor({ gatehouse: 'metrics', request, metrics: json })
}

export interface NodeMetrics {
  handle(worker: Worker, message: ToSupervisor): void
  retire(worker: Worker): void
}

// In the supervisor: asks every serving process and sums what they say. A process that does not answer in time counts with
// what it said last.
export function createNodeMetrics(listWorkers: () => Worker[]): NodeMetrics {
  let sum: ProcessSum | null = null
  let collecting: Promise<string> | null = null
  let lastRequest = 0
  let pending = new Set<number>()
  let finish = (): void => {}

  const collect = async (total: ProcessSum): Promise<string> => {
    const request = ++lastRequest
    const { promise, resolve } = Promise.withResolvers<void>()
    finish = resolve
    const workers = listWorkers().filter((worker) => worker.isConnected())
    pending = new Set(workers.map((worker) => worker.id))
    for (const worker of workers) worker.send({ gatehouse: 'report-metrics', request } satisfies ToWorker, () => {})
    const timer = setTimeout(resolve, reportTimeoutMs)
    await promise
    clearTimeout(timer)
    return total.text()
  }

  const settle = (workerId: number): void => {
    pending.delete(workerId)
    if (pending.size === 0) finish()
  }

  return {
    handle(worker, message) {
      if (message.gatehouse === 'metrics') {
        sum?.update(worker.id, message.metrics)
        if (message.request === lastRequest) settle(worker.id)
      } else if (message.gatehouse === 'collect-metrics') {
        sum ??= createProcessSum({ maxRealms: message.maxRealms })
        const { request } = message
        // Scrapes that arrive together share one round.
        collecting ??= collect(sum).finally(() => {
          collecting = null
        })
        void collecting.then((text) => {
          if (worker.isConnected())
            worker.send({ gatehouse: 'node-metrics', request, text } satisfies ToWorker, () => {})
        })
      }
    },
    retire(worker) {
      sum?.retire(worker.id)
      settle(worker.id)
    },
  }
}
