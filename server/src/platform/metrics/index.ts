// Metrics of the service in the Prometheus text format, with a bounded number of realm labels.
// Specification part 6 (Metrics), contract 4.23.
// Called by app/main (createMetrics), by every part that counts, and by platform/processes (createProcessSum).
export { type AdminWriteOutcome, createMetrics, type GaugeOptions, type LoginOutcome, type Metrics } from './metrics.ts'
export { otherRealms } from './realm-labels.ts'
export { createProcessSum, type MetricsJson, type ProcessSum } from './sum-processes.ts'
