import type { Egress } from '../../platform/egress/index.ts'
import { type Log, writeAuditLine, writeAuditLines } from '../../platform/log/index.ts'
import type { Metrics } from '../../platform/metrics/index.ts'
import type { AuditSink } from '../context/index.ts'
import { createForwarder, type ForwarderConfig } from './forwarder.ts'

export interface AuditSinkOptions {
  log: Log
  metrics: Pick<Metrics, 'auditForwardDropped'>
  egress: Pick<Egress, 'fetch'>
  readConfig(): Promise<ForwarderConfig | null>
  /** Where lines go instead of standard output. */
  writeLine?(line: object): void
  refreshMs?: number
  retryDelaysMs?: readonly number[]
}

export interface StoppableAuditSink extends AuditSink {
  /** Sends what is still waiting, for a bounded time. */
  stop(): Promise<void>
}

// What a shutdown waits for a collector; the events are on standard output and in the database anyway.
const stopWithinMs = 3000

/** Standard output for every event, and the HTTP collector when one is configured. Neither delays the request. */
export function createAuditSink(options: AuditSinkOptions): StoppableAuditSink {
  const { writeLine = writeAuditLine, metrics, ...others } = options
  const writeLines = options.writeLine ? (lines: object[]) => lines.forEach(writeLine) : writeAuditLines
  const forwarder = createForwarder({ ...others, onDropped: (count) => metrics.auditForwardDropped(count) })
  return {
    emit(line) {
      writeLine(line)
      forwarder.add(line)
    },
    emitAll(lines) {
      writeLines(lines)
      for (const line of lines) forwarder.add(line)
    },
    stop: () => forwarder.stop(stopWithinMs),
  }
}
