import type { Limiter, LimiterOptions, Limits } from './limits.ts'

/** A limiter that a service makes when it first needs it and then keeps: its counts live in it. */
export function defineLimiter(options: LimiterOptions): (services: { limits: Limits }) => Limiter {
  const made = new WeakMap<Limits, Limiter>()
  return ({ limits }) => {
    let limiter = made.get(limits)
    if (!limiter) made.set(limits, (limiter = limits.limiter(options)))
    return limiter
  }
}
