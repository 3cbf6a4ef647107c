import { DomainError } from '../../platform/errors/index.ts'
import { originOf } from '../../platform/http/index.ts'
import type { Limiter, Limits } from '../../platform/limits/index.ts'
import type { Visit } from './visit.ts'

const limiters = new WeakMap<Limits, Limiter>()
// More than a family behind one address registers or forgets in ten minutes.
const points = 30
const durationSeconds = 600

/** Registering and asking for mails is free for everybody, so each address may do it a few times only. */
export async function limitSelfService({ services, realm, request }: Visit): Promise<void> {
  let limiter = limiters.get(services.limits)
  if (!limiter) {
    limiter = services.limits.limiter({ name: 'self-service-address', points, durationSeconds })
    limiters.set(services.limits, limiter)
  }
  const { allowed, retryAfterSeconds } = await limiter.consume(realm.realmId, originOf(request).sourceIp ?? 'unknown')
  if (!allowed) throw new DomainError('rate_limited', 'Too many requests. Wait a little.', { retryAfterSeconds })
}
