import { newId } from '../../../platform/ids/index.ts'
import type { Context } from '../../context/index.ts'
import { isAddress } from '../addresses.ts'
import type { Channel } from '../channels.ts'
import { hasUsableProvider } from '../providers/index.ts'
import { findPushTargets } from '../push-tokens/index.ts'
import type { TemplateKey } from '../templates/index.ts'
import { sealContents } from './contents.ts'
import { insertMessage } from './store.ts'

export interface NewMessage {
  templateKey: TemplateKey
  channel: Channel
  /** An e-mail address, a telephone number, or the id of a push token. */
  to: string
  userId: string | null
  /** The language of the person, where the sender knows it better than the account. */
  locale?: string | null
  /** What the placeholders stand for: code, link, ttl in minutes. `realm`, `user`, `time` and `user.<attribute>` are added. */
  values: Record<string, string>
  /** After that moment it is not sent any more, because what it says is over. */
  expiresAt?: number
}

/** The job that sends a message; named here so that putting one in the queue needs nothing of the sending. */
export const sendJob = { name: 'messages.send' }

// What says nothing else is a notice, which is of no use after a day.
const defaultLifetimeMs = 24 * 3600_000

/**
 * Writes the message in the caller's transaction; a worker sends it after the commit. False when the realm has nobody to
 * deliver it, the address can be none or the person is gone, and then nothing is written.
 */
export async function queueMessage(ctx: Context, message: NewMessage): Promise<boolean> {
  const { channel, to, templateKey, userId, locale = null, values } = message
  if (!isAddress(channel, to)) return false
  if (!(await hasUsableProvider(ctx.tx, ctx.realmId, channel))) return false
  const id = newId(ctx.now)
  const isWritten = await insertMessage(ctx.tx, ctx.realmId, {
    id,
    channel,
    template_key: templateKey,
    user_id: userId,
    sealed: sealContents(ctx, id, { to, locale, values }),
    created_at: ctx.now,
    expires_at: message.expiresAt ?? ctx.now + defaultLifetimeMs,
  })
  if (!isWritten) return false
  // One realm whose mail server hangs must not hold the messages of the others.
  await ctx.services.jobs.enqueue(ctx.tx, sendJob, { realmId: ctx.realmId, messageId: id }, { group: ctx.realmId })
  return true
}

/** The same to every device of a person. False when there is none, or nobody to deliver it. */
export async function queuePush(ctx: Context, message: Omit<NewMessage, 'channel' | 'to'>): Promise<boolean> {
  if (message.userId === null) return false
  const queued: boolean[] = []
  for (const to of await findPushTargets(ctx, message.userId)) {
    queued.push(await queueMessage(ctx, { ...message, channel: 'PUSH', to }))
  }
  return queued.includes(true)
}
