import { DomainError } from '../../platform/errors/index.ts'
import { networkOf, originOf } from '../../platform/http/index.ts'
import { defineLimiter } from '../../platform/limits/index.ts'
import type { Visit } from './visit.ts'

// More than a family behind one address registers or forgets in ten minutes.
const limiterOf = defineLimiter({ name: 'self-service-address', points: 30, durationSeconds: 600 })

/** Registering and asking for mails is free for everybody, so each address may do it a few times only. */
export async function limitSelfService({ services, realm, request }: Visit): Promise<void> {
  const address = networkOf(originOf(request).sourceIp ?? '')
  const { allowed, retryAfterSeconds } = await limiterOf(services).consume(realm.realmId, address)
  if (!allowed) throw new DomainError('rate_limited', 'Too many requests. Wait a little.', { retryAfterSeconds })
}
