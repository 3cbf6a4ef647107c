import { cleanText, readAgent, truncate } from '../../../platform/text/index.ts'
import type { Context } from '../../context/index.ts'
import { queueMessage } from '../../messaging/index.ts'
import { readSettings } from '../../settings/index.ts'
import { type AccountChange, chooseWords, type NoticeWords } from './words.ts'
import { selectReader } from './store.ts'

export type { AccountChange } from './words.ts'

// A name that somebody gave a device or a key stands in a sentence; a longer one was made to say something else.
const maxAboutLength = 60

export interface NoticeOptions {
  /** Where it goes instead of the account's address: of a changed address, the one before. */
  to?: string
  /** What it was, for instance the name of the device. */
  about?: string
}

/**
 * Queues the mail in the transaction of the change. Nothing is queued where the realm has nobody to deliver it or the person has
 * no address. It is no code that anybody asked for, so it does not come out of the allowance of those.
 */
export async function tellOfChange(
  ctx: Context,
  userId: string,
  change: AccountChange,
  options: NoticeOptions = {},
): Promise<void> {
  const reader = await selectReader(ctx.tx, ctx.realmId, userId)
  const to = options.to ?? reader?.email ?? null
  if (!reader || to === null) return
  const { defaultLocale } = await readSettings(ctx)
  const words = chooseWords(reader.locale, defaultLocale)
  const isGone = change === 'ACCOUNT_DELETED'
  await queueMessage(ctx, {
    templateKey: 'account-change-email',
    channel: 'EMAIL',
    to,
    // Messages of somebody who is erased go with them; this last one has to outlive them.
    userId: isGone ? null : userId,
    locale: reader.locale,
    values: {
      change: sentenceOf(words, change, options.about),
      place: placeOf(ctx, userId, words),
      ...(isGone ? { user: reader.firstName || reader.username } : {}),
      link: isGone ? '' : `${ctx.services.config.baseUrl}/realms/${ctx.realmId}/account`,
    },
  })
}

function sentenceOf(words: NoticeWords, change: AccountChange, about: string | undefined): string {
  const name = truncate(cleanText(about ?? ''), maxAboutLength)
  return name === '' ? words.changes[change] : `${words.changes[change]} (${name})`
}

/** Of an administrator or a job nobody learns the address: only that it was not the person. */
function placeOf(ctx: Context, userId: string, words: NoticeWords): string {
  const { actor, origin } = ctx
  if (actor.kind === 'SYSTEM' || actor.kind === 'CLIENT') return words.service
  if (actor.kind === 'USER' && (actor.userId !== userId || actor.impersonatorId !== null)) return words.administrator
  const { browser, system, text } = readAgent(origin.userAgent)
  const agent = browser && system ? words.agent(browser, system) : (browser ?? text)
  const parts = [agent, cleanText(origin.sourceIp ?? '')].filter((part) => part !== '')
  return parts.length === 0 ? words.unknown : parts.join(', ')
}
