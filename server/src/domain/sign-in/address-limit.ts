import { networkOf } from '../../platform/http/index.ts'
import { defineLimiter } from '../../platform/limits/index.ts'
import type { Origin } from '../context/index.ts'

/** Failed tries of one address in a realm, whatever it tries (contract 5.7). */
export const addressLimit = defineLimiter({ name: 'login-address', points: 60, durationSeconds: 60 })

/** Whom a try counts for: one address, or the whole network that one subscriber has of IPv6. */
export function addressOf({ sourceIp }: Pick<Origin, 'sourceIp'>): string {
  return sourceIp === null ? 'unknown' : networkOf(sourceIp)
}
