import type { FastifyReply } from 'fastify'
import { listConsents } from '../../../domain/consents/index.ts'
import { anonymousCsrf, clearSessionCookie, csrfToken, setCookies, xsrfCookie } from '../../../domain/sessions/index.ts'
import { settingsSection } from '../../../domain/settings/index.ts'
import { findTermsAcceptedAt } from '../../../domain/users/index.ts'
import { type Happening, renderDeletedPage, renderDeleteStep, renderPrivacyPage } from '../../../pages/account/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'
import { listActivity } from '../actions/activity.ts'
import { eraseOwnAccount } from '../actions/erase.ts'
import { askToConfirm, isFresh, pathOf, readRefusal, type Refusal, redirect, send, stepPath } from './answer.ts'
import { type AccountVisit, change, look } from './holder.ts'

const pageSize = 20
// Counted up to this: nobody wants to know it more exactly.
const countedConsents = 100

export async function showPrivacy(account: AccountVisit): Promise<FastifyReply> {
  const { query, frame, holder, visit } = account
  const { selfDeletionAllowed } = await visit.realm.section(settingsSection)
  if (query.step === 'delete' && selfDeletionAllowed) return showDeletion(account)
  const before = typeof query.before === 'string' && isUuid(query.before) ? query.before : null
  const [activity, consents, termsAcceptedAt] = await Promise.all([
    look(account, (ctx) =>
      listActivity(ctx, holder, { size: String(pageSize), ...(before === null ? {} : { before }) }),
    ),
    look(account, (ctx) => listConsents(ctx.tx, ctx.realmId, holder.userId, { size: String(countedConsents) })),
    look(account, (ctx) => findTermsAcceptedAt(ctx.tx, ctx.realmId, holder.userId)),
  ])
  const path = pathOf(account, 'privacy')
  const last = activity.total > activity.items.length ? activity.items.at(-1)?.id : undefined
  const html = renderPrivacyPage({
    ...{ frame, termsAcceptedAt },
    exportHref: `${frame.base}/gdpr/export`,
    consents: Math.min(consents.rows.length, countedConsents),
    activity: activity.items.map(toHappening),
    olderHref: last === undefined ? null : `${path}?before=${last}#activity`,
    newestHref: before === null ? null : `${path}#activity`,
    canDelete: selfDeletionAllowed,
  })
  return send(account, html)
}

type Line = Awaited<ReturnType<typeof listActivity>>['items'][number]

function toHappening({ id, type, ts, outcome, sourceIp, userAgent, clientId }: Line): Happening {
  return { id, type, at: Date.parse(ts), failed: outcome === 'FAILURE', address: sourceIp, userAgent, clientId }
}

async function showDeletion(
  account: AccountVisit,
  { mismatch, refusal }: { mismatch: boolean; refusal?: Refusal } = { mismatch: false },
): Promise<FastifyReply> {
  if (!isFresh(account)) return askToConfirm(account, 'privacy', stepPath(account, 'privacy', 'delete'))
  const html = renderDeleteStep({ frame: account.frame, mismatch, alert: refusal?.alert ?? null })
  return send(account, html, refusal?.status ?? (mismatch ? 400 : 200))
}

export async function changePrivacy(account: AccountVisit): Promise<FastifyReply> {
  const { form, holder } = account
  if (form.action !== 'delete') return redirect(account, pathOf(account, 'privacy'))
  if (!isFresh(account)) return redirect(account, stepPath(account, 'privacy', 'delete'))
  if ((form.confirmation ?? '').trim() !== holder.username) return showDeletion(account, { mismatch: true })
  try {
    await change(account, (ctx) => eraseOwnAccount(ctx, holder))
  } catch (error) {
    const refusal = readRefusal(account, error, 'account.refused.keptData')
    return showDeletion(account, { mismatch: false, refusal })
  }
  return sayGoodbye(account)
}

/** The session went with the account; the browser forgets it, and what it sends next is a stranger's. */
function sayGoodbye({ services, visit, frame }: AccountVisit): Promise<FastifyReply> {
  const { secure } = services.config
  const anonymous = anonymousCsrf(secure, {})
  const cookies = [
    clearSessionCookie(secure, visit.realm.realmId),
    anonymous.cookie!,
    xsrfCookie(secure, csrfToken(anonymous.secret)),
  ]
  setCookies(visit.reply, cookies)
  const { realm, locale } = frame
  return send(
    { visit: { ...visit, browser: { ...visit.browser, cookies } } } as AccountVisit,
    renderDeletedPage({ realm, locale }),
  )
}
