import { setTimeout as sleep } from 'node:timers/promises'
import type { Egress } from '../../platform/egress/index.ts'
import type { Log } from '../../platform/log/index.ts'
import type { AuditLine } from '../context/index.ts'

/** Where to forward what, as it counts now. */
export interface ForwarderConfig {
  httpUrl: string
  token: string | null
  categories: readonly string[]
  timeoutMs: number
}

export interface ForwarderOptions {
  egress: Pick<Egress, 'fetch'>
  log: Log
  /** Null when nothing is to be forwarded. */
  readConfig(): Promise<ForwarderConfig | null>
  onDropped(count: number): void
  /** How long a configuration is used before it is read again. */
  refreshMs?: number
  /** Pauses between the tries of one batch. */
  retryDelaysMs?: readonly number[]
}

// About 10 MB of events at most; beyond, the newest are dropped and counted rather than the process made to swell.
const maxQueued = 10_000
// One request stays well below the body limits of usual collectors.
const maxBatch = 500
// Events of one moment travel together.
const lingerMs = 50
const defaultRefreshMs = 5000
// Contract 2.93: three tries. The pauses bridge a restart of the collector, not an outage.
const defaultRetryDelaysMs = [250, 1000]
// Answers of a collector are not read further than this.
const maxAnswerBytes = 16 * 1024

export interface Forwarder {
  add(line: AuditLine): void
  /** Sends what is waiting, for at most `withinMs`, and then takes no more. */
  stop(withinMs: number): Promise<void>
}

export function createForwarder(options: ForwarderOptions): Forwarder {
  const { log, onDropped, refreshMs = defaultRefreshMs } = options
  const queue: AuditLine[] = []
  let known: { config: ForwarderConfig | null; readAt: number } | null = null
  let running: Promise<void> | null = null
  let stopped = false
  // Events that found the queue full before it was known whether there is a collector at all.
  let overflowed = 0

  const isFresh = () => known !== null && performance.now() - known.readAt < refreshMs

  async function currentConfig(): Promise<ForwarderConfig | null> {
    if (!isFresh()) {
      try {
        known = { config: await options.readConfig(), readAt: performance.now() }
      } catch (error) {
        // Without the database the last known configuration goes on; before the first one there is nowhere to send to.
        log.warn({ err: error }, 'cannot read the audit configuration')
        known = { config: known?.config ?? null, readAt: performance.now() }
      }
    }
    return known?.config ?? null
  }

  async function run(): Promise<void> {
    await sleep(lingerMs)
    while (queue.length > 0) {
      const config = await currentConfig()
      if (config && overflowed > 0) onDropped(overflowed)
      overflowed = 0
      const batch = queue.splice(0, maxBatch).filter((line) => config?.categories.includes(line.category))
      if (!config || batch.length === 0) continue
      if (!(await sendBatch(options, config, batch))) onDropped(batch.length)
    }
  }

  return {
    add(line) {
      if (stopped || (isFresh() && known?.config === null)) return
      if (queue.length >= maxQueued) {
        if (known?.config) onDropped(1)
        else overflowed += 1
        return
      }
      queue.push(line)
      running ??= run().finally(() => {
        running = null
      })
    },
    async stop(withinMs) {
      stopped = true
      if (running) await Promise.race([running, sleep(withinMs, undefined, { ref: false })])
      if (queue.length > 0) onDropped(queue.length)
      queue.length = 0
    },
  }
}

/** One event per line (contract 2.93). Returns false when every try failed. */
async function sendBatch(options: ForwarderOptions, config: ForwarderConfig, batch: AuditLine[]): Promise<boolean> {
  const body = `${batch.map((line) => JSON.stringify(line)).join('\n')}\n`
  const headers: Record<string, string> = { 'content-type': 'application/x-ndjson' }
  if (config.token) headers.authorization = `Bearer ${config.token}`
  const pauses = options.retryDelaysMs ?? defaultRetryDelaysMs
  let failure: unknown
  for (let attempt = 0; attempt <= pauses.length; attempt++) {
    if (attempt > 0) await sleep(pauses[attempt - 1])
    try {
      const answer = await options.egress.fetch(config.httpUrl, {
        method: 'POST',
        headers,
        body,
        timeoutMs: config.timeoutMs,
        maxBytes: maxAnswerBytes,
      })
      if (answer.status >= 200 && answer.status < 300) return true
      failure = new Error(`the collector answered ${answer.status}`)
    } catch (error) {
      failure = error
    }
  }
  options.log.warn({ err: failure, events: batch.length }, 'audit events could not be forwarded')
  return false
}
