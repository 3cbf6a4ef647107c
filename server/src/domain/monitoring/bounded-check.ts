import { setTimeout as sleep } from 'node:timers/promises'
import type { HealthStatus } from './schema.ts'

// A probe that hangs is as bad as one that fails: load balancers and orchestrators give up after a second or two.
const checkTimeoutMs = 1000

/** The answer of a check, or DOWN when it fails or takes too long. */
export async function boundedCheck(check: () => Promise<HealthStatus>): Promise<HealthStatus> {
  const timeout = new AbortController()
  try {
    const late = sleep(checkTimeoutMs, 'DOWN' as const, { signal: timeout.signal, ref: false })
    late.catch(() => undefined)
    return await Promise.race([check(), late])
  } catch {
    return 'DOWN'
  } finally {
    timeout.abort()
  }
}

/** The worst component decides; what is not known does not. */
export function aggregate(statuses: HealthStatus[]): HealthStatus {
  const order: HealthStatus[] = ['DOWN', 'OUT_OF_SERVICE', 'UP', 'UNKNOWN']
  return order.find((status) => statuses.includes(status)) ?? 'UNKNOWN'
}
