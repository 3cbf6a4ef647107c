import type { FastifyReply } from 'fastify'
import { isFreshlySignedIn } from '../../../domain/sessions/index.ts'
import { type ActionName, beginOwnAction, sealArrival } from '../../../domain/sign-in/index.ts'
import {
  accountHref,
  type AccountPageName,
  type NoticeKey,
  renderReauthPage,
  stepHref,
} from '../../../pages/account/index.ts'
import { type MessageKey, translate } from '../../../pages/messages/index.ts'
import { answerSignIn, requestOf, sendPage } from '../../../pages/visits/index.ts'
import { DomainError, type FieldError } from '../../../platform/errors/index.ts'
import type { AccountVisit } from './holder.ts'

export function pathOf({ frame }: AccountVisit, page: AccountPageName): string {
  return accountHref(frame, page)
}

export function stepPath({ frame }: AccountVisit, page: AccountPageName, step: string, id?: string): string {
  return stepHref(frame, page, step, id)
}

export function send({ visit }: AccountVisit, html: string, status = 200): Promise<FastifyReply> {
  return sendPage(visit, html, { status })
}

export function redirect({ visit }: AccountVisit, location: string): FastifyReply {
  return visit.reply.code(303).header('location', location).send()
}

/** Back to the page, which says what was done. The key is all that travels: its words are ours. */
export function finish(account: AccountVisit, page: AccountPageName, done: NoticeKey): FastifyReply {
  return redirect(account, `${pathOf(account, page)}?done=${done}`)
}

/** As the routes for programs ask it. */
export function isFresh({ holder, services }: AccountVisit): boolean {
  return isFreshlySignedIn(holder, services.clock.now())
}

/** To the sign-in and back to the same step. Whoever else signs in there is that other person, in their own account. */
export function askToConfirm(account: AccountVisit, page: AccountPageName, path: string): Promise<FastifyReply> {
  const { services, visit, session, frame } = account
  const { realmId } = visit.realm
  const arrival = { path, username: session.username, level: 1, fresh: true } as const
  const signInHref = `/realms/${realmId}/login?arrival=${sealArrival(services, realmId, arrival)}`
  return send(account, renderReauthPage({ frame, page, signInHref }))
}

/** Hands over to the sign-in’s own pages, which come back here when it is done or given up. */
export async function beginAction(
  account: AccountVisit,
  action: ActionName,
  { page, step }: { page: AccountPageName; step: string },
): Promise<FastifyReply> {
  const { services, visit, session } = account
  const back = pathOf(account, page)
  const going = { ...visit, continuation: { kind: 'REDIRECT', path: back, cancelPath: back } as const }
  const result = await beginOwnAction(services, await requestOf(going, {}, null), session, action)
  return result ? answerSignIn(going, result) : redirect(account, step)
}

export interface Refusal {
  errors: FieldError[]
  /** What is wrong with the whole; null where a field says it. */
  alert: string | null
  status: number
}

// What stands in the way, was too much or fails at the moment: said on the form. Everything else has a page of its own.
const shownStatuses: ReadonlySet<number> = new Set([409, 429, 503])
const refusals: Readonly<Record<number, RefusalKey>> = { 429: 'account.refused.often', 503: 'account.refused.now' }

/** What a form was refused for, to be shown on its page; anything else is thrown on. `conflict` says what stands in the way. */
export function readRefusal(
  { frame }: AccountVisit,
  error: unknown,
  conflict: RefusalKey = 'account.refused.now',
): Refusal {
  if (!(error instanceof DomainError)) throw error
  if (error.fields.length > 0) {
    const errors = error.fields.map((field) => ({ ...field, field: field.field.replace(/^attributes\./, '') }))
    return { errors, alert: null, status: error.status }
  }
  if (!shownStatuses.has(error.status)) throw error
  const words = refusals[error.status] ?? conflict
  // The words of the domain are English and may say more than ours.
  const isPlain = frame.locale === 'en' && words === 'account.refused.now'
  return { errors: [], alert: isPlain ? error.detail : translate(frame.locale, words), status: error.status }
}

type RefusalKey = Extract<MessageKey, `account.refused.${string}`>

export function isGone(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'not_found'
}
