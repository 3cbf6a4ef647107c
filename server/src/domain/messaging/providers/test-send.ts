import { fieldError, notFound } from '../../../platform/errors/index.ts'
import { isUuid, newId } from '../../../platform/ids/index.ts'
import type { Context } from '../../context/index.ts'
import { isAddress } from '../addresses.ts'
import { type Channel, isChannel } from '../channels.ts'
import { attemptDelivery } from '../delivery/attempt.ts'
import { openPushTarget } from '../push-tokens/index.ts'
import { describeTest } from '../templates/index.ts'
import type { ProviderTestResult } from './schema.ts'
import { noProvider, openProviders } from './service.ts'

/** Sends at once through the provider that would be used first; nothing of it is kept (contract 2.83). */
export async function sendTest(ctx: Context, channelName: string | undefined, to: string): Promise<ProviderTestResult> {
  if (!isChannel(channelName)) throw notFound()
  const channel = channelName
  if (!isAddress(channel, to)) throw fieldError('to', `This is not an address for ${channel}.`)
  const providers = await openProviders(ctx.services, ctx.realmId, channel)
  const target = await findTarget(ctx, channel, to)
  const provider = providers.find(({ driver }) => target.driver === null || driver === target.driver)
  if (!provider) throw noProvider(channel)
  const id = newId(ctx.now)
  const result = { channel, driver: provider.driver, to, durationMs: 0, messageId: null, error: null }
  if (ctx.dryRun) return { ...result, delivered: false }
  const startedAt = performance.now()
  const message = { ...(await describeTest(ctx, channel)), id, to: target.address }
  const outcome = await attemptDelivery(ctx.services, { channel, provider, message, handOver: async () => {} })
  return {
    ...result,
    delivered: outcome.kind === 'sent',
    messageId: outcome.kind === 'sent' ? (outcome.providerId ?? id) : null,
    error: outcome.kind === 'sent' ? null : outcome.error,
    durationMs: Math.round(performance.now() - startedAt),
  }
}

/** A device is named by the id of its registration, or by what the push service calls it. */
async function findTarget(ctx: Context, channel: Channel, to: string) {
  const registered = channel === 'PUSH' && isUuid(to) ? await openPushTarget(ctx.services, ctx.realmId, to) : null
  if (channel === 'PUSH' && isUuid(to) && !registered) throw fieldError('to', 'There is no such device in this realm.')
  return registered ?? { address: to, driver: null }
}
