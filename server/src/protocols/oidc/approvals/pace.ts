import type { Services } from '../../../domain/context/index.ts'
import { defineLimiter } from '../../../platform/limits/index.ts'
import { errors } from '../internals.ts'
import { pollIntervalSeconds } from './models.ts'

// A little less than the interval that programs are told: their clock and the network's jitter are not their fault.
const limiterOf = defineLimiter({ name: 'polling', points: 1, durationSeconds: pollIntervalSeconds - 1 })

/** True when the program waited as long as it was told since it last asked for this answer (RFC 8628 section 3.5). */
export async function mayPoll(services: Services, realmId: string, key: string): Promise<boolean> {
  return (await limiterOf(services).consume(realmId, key)).allowed
}

export async function keepPace(services: Services, realmId: string, key: string): Promise<void> {
  if (!(await mayPoll(services, realmId, key))) {
    throw new errors.SlowDown()
  }
}
