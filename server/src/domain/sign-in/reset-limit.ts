import type { Limiter, Limits } from '../../platform/limits/index.ts'
import type { Services } from '../context/index.ts'

// One limiter for each service in the process: its counts live in it.
const resetLimits = new WeakMap<Limits, Limiter>()

/** Mails about a forgotten password to one person, whoever asks for them (contract 5.7). */
export function resetLimit({ limits }: Services): Limiter {
  let limiter = resetLimits.get(limits)
  if (!limiter) {
    limiter = limits.limiter({ name: 'reset-mail', points: 3, durationSeconds: 3600 })
    resetLimits.set(limits, limiter)
  }
  return limiter
}
