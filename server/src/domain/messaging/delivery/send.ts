import { isUuid } from '../../../platform/ids/index.ts'
import { runTransaction, type Work } from '../../../platform/db/index.ts'
import { type Context, jobActor, openContext, ownOrigin, type Services } from '../../context/index.ts'
import { recordEvent } from '../../events/index.ts'
import type { Channel } from '../channels.ts'
import type { Outgoing } from '../drivers/index.ts'
import { openProviders, recordOutcome, type UsableProvider } from '../providers/index.ts'
import { markTarget, openPushTarget } from '../push-tokens/index.ts'
import { attemptDelivery, type Outcome } from './attempt.ts'
import { composeMessage } from './compose.ts'
import { type MessageContents, openContents } from './contents.ts'
import { sendJob } from './queue.ts'
import * as store from './store.ts'

export interface SendData {
  realmId: string
  messageId: string
}

// A code is waited for by a person, an outage lasts longer: soon at first, then with more patience.
const retryDelaysSeconds = [2, 8, 30, 120, 300]

/** Another worker handed the message over while this one was about to. */
class AlreadyHandedOver extends Error {}

interface Sending {
  services: Services
  realmId: string
  row: store.MessageRow
  contents: MessageContents
}

/** Sends one queued message, or puts it back for later. Safe to run twice, also at the same time. */
export async function sendMessage(services: Services, { realmId, messageId }: SendData): Promise<void> {
  const row = isUuid(messageId ?? '') ? await store.selectMessage(services.db, realmId, messageId) : null
  if (!row || row.status !== 'QUEUED') return
  const end = (status: 'FAILED' | 'UNCONFIRMED', error: string) => endMessage(services, realmId, row, { status, error })
  // A worker died between the hand-over and the answer. Whether it arrived is not known; that it never arrives twice is.
  if (row.handed_over_at !== null) return end('UNCONFIRMED', 'The worker stopped before the provider answered.')
  const contents = openContents(services, realmId, row.id, row.sealed)
  if (!contents) return end('FAILED', 'The message cannot be read any more.')
  if (services.clock.now() >= row.expires_at) return end('FAILED', 'It could not be sent in time.')
  try {
    await tryProviders({ services, realmId, row, contents })
  } catch (error) {
    if (!(error instanceof AlreadyHandedOver)) throw error
  }
}

async function tryProviders(sending: Sending): Promise<void> {
  const { services, realmId, row, contents } = sending
  const channel = row.channel as Channel
  const composed = await composeMessage(services, realmId, row, contents)
  if (!composed) return endMessage(services, realmId, row, { status: 'FAILED', error: 'The template is disabled.' })
  const device = channel === 'PUSH' ? await openPushTarget(services, realmId, contents.to) : null
  if (channel === 'PUSH' && !device) {
    return endMessage(services, realmId, row, { status: 'FAILED', error: 'The device is no longer registered.' })
  }
  const message: Outgoing = { ...composed, to: device?.address ?? contents.to }
  let error = `The realm has no enabled provider for ${channel}.`
  for (const provider of await openProviders(services, realmId, channel)) {
    if (device && provider.driver !== device.driver) continue
    const outcome = await attemptDelivery(services, {
      channel,
      provider,
      message,
      handOver: () => handOver(sending, provider),
    })
    if (outcome.kind === 'failed') {
      await noteFailure(sending, provider, outcome.error)
      error = outcome.error
      continue
    }
    return finish(sending, provider, outcome)
  }
  await retryOrGiveUp(sending, error)
}

async function handOver({ services, realmId, row }: Sending, provider: UsableProvider): Promise<void> {
  const mark = { now: services.clock.now(), driver: provider.driver }
  if (!(await store.markHandedOver(services.db, realmId, row.id, mark))) throw new AlreadyHandedOver()
}

async function noteFailure(
  { services, realmId, row }: Sending,
  provider: UsableProvider,
  error: string,
): Promise<void> {
  await store.clearHandOver(services.db, realmId, row.id)
  await recordOutcome(services, realmId, provider.id, error)
}

/** The try is over and the message with it, one way or another. */
async function finish(sending: Sending, provider: UsableProvider, outcome: Outcome): Promise<void> {
  const { services, realmId, row, contents } = sending
  if (outcome.kind === 'sent') {
    const { providerId } = outcome
    await store.markSent(services.db, realmId, row.id, { now: services.clock.now(), providerId })
    await recordOutcome(services, realmId, provider.id, null)
    if (row.channel === 'PUSH') await markTarget(services, realmId, contents.to, 'used')
    return
  }
  if (outcome.kind === 'gone') {
    // The provider did what it should; it is the device that is no longer there.
    await markTarget(services, realmId, contents.to, 'gone')
    return endMessage(services, realmId, row, { status: 'FAILED', error: outcome.error })
  }
  await recordOutcome(services, realmId, provider.id, outcome.error)
  await endMessage(services, realmId, row, { status: 'UNCONFIRMED', error: outcome.error })
}

/** The next try is another job in the transaction that counts this one. */
async function retryOrGiveUp({ services, realmId, row }: Sending, error: string): Promise<void> {
  const delay = retryDelaysSeconds[row.tries]
  if (delay === undefined || services.clock.now() + delay * 1000 >= row.expires_at) {
    return endMessage(services, realmId, row, { status: 'FAILED', error })
  }
  await runTransaction(services.db, async (work) => {
    await store.countTry(work.tx, realmId, row.id, error)
    const data: SendData = { realmId, messageId: row.id }
    await services.jobs.enqueue(work.tx, sendJob, data, { startAfterSeconds: delay, group: realmId })
  })
}

/** Written down once, however many workers find it out. */
async function endMessage(
  services: Services,
  realmId: string,
  row: store.MessageRow,
  end: { status: 'FAILED' | 'UNCONFIRMED'; error: string },
): Promise<void> {
  await runTransaction(services.db, async (work) => {
    if (!(await store.markOver(work.tx, realmId, row.id, end))) return
    await recordEvent(contextOf(services, realmId, work), {
      type: 'MESSAGE_FAILED',
      outcome: 'FAILURE',
      resourceType: 'messaging',
      resourceId: row.id,
      detail: JSON.stringify({
        ...{ channel: row.channel, templateKey: row.template_key, userId: row.user_id },
        ...{ status: end.status, error: end.error },
      }),
      detailSubject: row.user_id,
    })
  })
}

function contextOf(services: Services, realmId: string, work: Work): Context {
  return openContext(services, work, { realmId, actor: jobActor, origin: ownOrigin('job') })
}
