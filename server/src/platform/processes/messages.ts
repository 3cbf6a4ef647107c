// What the supervisor and its serving processes say to each other over the channel node:cluster gives them.
import type { MetricsJson } from '../metrics/index.ts'

export type ToWorker =
  | { gatehouse: 'stop' }
  | { gatehouse: 'report-metrics'; request: number }
  | { gatehouse: 'node-metrics'; request: number; text: string }

export type ToSupervisor =
  | { gatehouse: 'ready' }
  | { gatehouse: 'metrics'; request: number; metrics: MetricsJson }
  | { gatehouse: 'collect-metrics'; request: number; maxRealms: number }

// Not a GATEHOUSE_ name: those are the operator's, and an unknown one stops the start.
export const indexVariable = 'SUPERVISED_PROCESS_INDEX'

export function isOurs(message: unknown): message is { gatehouse: string } {
  return typeof message === 'object' && message !== null && 'gatehouse' in message
}
