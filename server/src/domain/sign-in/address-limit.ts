import type { Limiter, Limits } from '../../platform/limits/index.ts'
import type { Services } from '../context/index.ts'

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
