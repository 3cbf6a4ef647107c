import type { Services } from '../../domain/context/index.ts'
import { networkOf } from '../../platform/http/index.ts'
import { defineLimiter, type LimitAnswer } from '../../platform/limits/index.ts'

// Contract 5.7: without a token every try counts, with one only those that fail.
const limiterOf = defineLimiter({ name: 'client-registration', points: 20, durationSeconds: 3600 })

/** Whether somebody at this address may still try. Whoever shows nothing is counted at once. */
export function admitTry(
  services: Services,
  realmId: string,
  address: string,
  anonymous: boolean,
): Promise<LimitAnswer> {
  const limiter = limiterOf(services)
  const network = networkOf(address)
  return anonymous ? limiter.consume(realmId, network) : limiter.peek(realmId, network)
}

export async function countFailure(services: Services, realmId: string, address: string): Promise<void> {
  await limiterOf(services).penalty(realmId, networkOf(address))
}
