// What every page of the sign-in has in common: the card, the form, the account it is about, ways to go another way.

import type { ComponentChildren } from 'preact'
import type { StepError, StepPage } from '../../domain/sign-in/index.ts'
import { Alert, HiddenFields, Message } from '../components/index.ts'
import { safeAction, safeHref } from '../links.ts'
import { formatWait, type Locale, translate } from '../messages/index.ts'
import { describeMethod } from '../names.ts'
import { type RealmLook, Shell } from '../shell.tsx'

export interface StepFrame {
  realm: RealmLook
  locale: Locale
  csrf: string
  /** Path of this server every form posts to, and where a sign-in begins anew. */
  action: string
  /** Opaque; where the sign-in goes when it is done. */
  continuation: string | null
  /** Null before the first POST: a GET starts no sign-in. */
  signInId: string | null
  rememberMe: { offered: boolean; checked?: boolean }
  resetPasswordAllowed: boolean
  registrationAllowed: boolean
  loginWithEmail: boolean
  /** The way back for somebody who began this by themselves. */
  cancelHref?: string | null
  retryAfterSeconds?: number
  /** How often a page that waits for another device looks. */
  pollSeconds?: number
}

/** The properties of one page of the sign-in. */
export interface StepProps<Page extends StepPage['page']> {
  frame: StepFrame
  page: Extract<StepPage, { page: Page }>
}

interface StepCardProps {
  frame: StepFrame
  /** Names the page for a realm's CSS: `gh-page-…`. */
  name: string
  title: string
  script?: string
  children: ComponentChildren
}

export function StepCard({ frame, name, title, script, children }: StepCardProps) {
  return (
    <Shell page={name} title={title} realm={frame.realm} locale={frame.locale} script={script}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        {children}
        {frame.cancelHref && (
          <p class="gh-aside">
            <a class="gh-link" href={safeHref(frame.cancelHref)}>
              {translate(frame.locale, 'account.cancel')}
            </a>
          </p>
        )}
      </div>
    </Shell>
  )
}

/** Whose sign-in this is, and the way out for anybody else. */
export function Account({ frame, username }: { frame: StepFrame; username: string }) {
  return (
    <div class="gh-account">
      <span>
        <Message locale={frame.locale} id="step.account" values={{ username }} />
      </span>
      <a class="gh-link" href={safeAction(frame.action)}>
        {translate(frame.locale, 'login.notYou')}
      </a>
    </div>
  )
}

export function StepAlert({ message }: { message: string | null }) {
  return message === null ? null : <Alert id="form-error" message={message} />
}

interface StepFormProps {
  frame: StepFrame
  class?: string
  /** Attributes for the script of passkeys. */
  data?: Readonly<Record<`data-${string}`, string>>
  children: ComponentChildren
}

export function StepForm({ frame, class: name = 'gh-form', data = {}, children }: StepFormProps) {
  const { csrf, continuation, signInId } = frame
  return (
    <form class={name} method="post" action={safeAction(frame.action)} {...data}>
      <HiddenFields values={{ _csrf: csrf, continuation, signIn: signInId }} />
      {children}
    </form>
  )
}

/** A form of its own: the Enter key in the code field must never choose another way. */
export function OtherMethods({ frame, others }: { frame: StepFrame; others: string[] }) {
  if (others.length === 0) return null
  return (
    <section class="gh-others" aria-labelledby="others-title">
      <h2 class="gh-heading" id="others-title">
        {translate(frame.locale, 'step.others')}
      </h2>
      <StepForm frame={frame} class="gh-others-form">
        {others.map((id) => (
          <button key={id} class="gh-button gh-button-quiet" type="submit" name="method" value={id}>
            <bdi>{describeMethod(frame.locale, id)}</bdi>
          </button>
        ))}
      </StepForm>
    </section>
  )
}

interface ResendProps {
  frame: StepFrame
  label: string
  /** How long another message has to wait. The button works without script, so the text says when to press it. */
  seconds: number
}

export function Resend({ frame, label, seconds }: ResendProps) {
  const waits = seconds > 0
  return (
    <StepForm frame={frame} class="gh-resend">
      <button
        class={waits ? 'gh-link gh-link-button gh-link-waits' : 'gh-link gh-link-button'}
        type="submit"
        name="resend"
        value="true"
        aria-describedby={waits ? 'resend-wait' : undefined}
      >
        {label}
      </button>
      {waits && (
        <span class="gh-resend-wait" id="resend-wait">
          {translate(frame.locale, 'resend.wait', { wait: formatWait(frame.locale, seconds) })}
        </span>
      )}
    </StepForm>
  )
}

/** Half a minute when the caller knows no better: long enough for a full hashing queue to drain. */
const defaultWaitSeconds = 30

export function describeError(
  { locale, retryAfterSeconds = defaultWaitSeconds }: Pick<StepFrame, 'locale' | 'retryAfterSeconds'>,
  error: StepError | null,
): string | null {
  if (error === null) return null
  if (error === 'rateLimited')
    return translate(locale, 'error.rateLimited', { wait: formatWait(locale, retryAfterSeconds) })
  return translate(locale, `error.${error}`)
}
