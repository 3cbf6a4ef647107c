import type { Services } from '../../context/index.ts'
import type { Channel } from '../channels.ts'
import { DeliveryError, type FailureKind, type HandOver, type Outgoing, senderOf } from '../drivers/index.ts'
import type { UsableProvider } from '../providers/index.ts'

export type Outcome = { kind: 'sent'; providerId: string | null } | { kind: FailureKind; error: string }

export interface Attempt {
  channel: Channel
  provider: UsableProvider
  message: Outgoing
  handOver: HandOver
}

const maxErrorLength = 300

/** One try with one provider. Throws only what is not about the delivery: a mark that could not be set, a broken program. */
export async function attemptDelivery(services: Services, attempt: Attempt): Promise<Outcome> {
  const { channel, provider, message, handOver } = attempt
  const { egress, clock, config } = services
  const tools = { egress, now: () => clock.now(), ownName: new URL(config.baseUrl).hostname }
  try {
    const { providerId } = await senderOf(channel, provider.driver)(tools, provider, message, handOver)
    return { kind: 'sent', providerId }
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    return { kind: error.kind, error: publicText(error.message, attempt) }
  }
}

/** Servers like to repeat what they were told; the address of a person and the secret are taken out again. */
function publicText(text: string, { message, provider }: Attempt): string {
  const known = [message.to, provider.secret, encodeURIComponent(message.to)].filter((entry) => entry !== null)
  const cleaned = known.reduce((said, entry) => (entry.length > 2 ? said.replaceAll(entry, '…') : said), text)
  return cleaned.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, maxErrorLength)
}
