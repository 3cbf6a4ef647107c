import type { Limiter, Limits } from '../../platform/limits/index.ts'
import { networkOf } from '../../platform/http/index.ts'
import type { Origin, Services } from '../context/index.ts'

// One limiter for each service in the process: its counts live in it.
const addressLimits = new WeakMap<Limits, Limiter>()

/** Failed tries of one address in a realm, whatever it tries (contract 5.7). */
export function addressLimit({ limits }: Services): Limiter {
  let limiter = addressLimits.get(limits)
  if (!limiter) {
    limiter = limits.limiter({ name: 'login-address', points: 60, durationSeconds: 60 })
    addressLimits.set(limits, limiter)
  }
  return limiter
}

/** Whom a try counts for: one address, or the whole network that one subscriber has of IPv6. */
export function addressOf({ sourceIp }: Pick<Origin, 'sourceIp'>): string {
  return sourceIp === null ? 'unknown' : networkOf(sourceIp)
}
