import { hashToken } from '../../../platform/crypto/index.ts'
import { defineLimiter } from '../../../platform/limits/index.ts'
import type { Services } from '../../context/index.ts'
import { canonicalAddress } from '../addresses.ts'
import type { Channel } from '../channels.ts'

// Contract 5.7: what one recipient gets is bounded, whoever asks for it and however often.
const limiterOf = defineLimiter({ name: 'messages', points: 5, durationSeconds: 600 })

/** Counts a message to this recipient and answers whether it may go. The address is kept as a hash only. */
export async function allowMessage(
  services: Pick<Services, 'limits'>,
  realmId: string,
  channel: Channel,
  to: string,
): Promise<{ allowed: boolean; retryAfterSeconds: number }> {
  const key = `${channel}:${hashToken(canonicalAddress(channel, to)).toString('base64url')}`
  const { allowed, retryAfterSeconds } = await limiterOf(services).consume(realmId, key)
  return { allowed, retryAfterSeconds }
}
