import type { Services } from '../../domain/context/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { networkOf } from '../../platform/http/index.ts'
import { defineLimiter } from '../../platform/limits/index.ts'

// Tokens cannot be guessed; whoever tries costs a query each time. An app that is being written fails now and then.
const limiterOf = defineLimiter({ name: 'device-enrollment', points: 30, durationSeconds: 900 })

/** Refuses an address from which too many enrolments failed. */
export async function admitTry(services: Services, realmId: string, address: string): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiterOf(services).peek(realmId, networkOf(address))
  if (allowed) return
  throw new DomainError('rate_limited', 'Too many enrollments failed from this address.', { retryAfterSeconds })
}

export async function countFailure(services: Services, realmId: string, address: string): Promise<void> {
  await limiterOf(services).penalty(realmId, networkOf(address))
}
