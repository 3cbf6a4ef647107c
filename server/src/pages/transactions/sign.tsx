// The page where a person reads what an application wants signed, and signs or rejects it. It shows all that is hashed.

import { passkeyScriptPath } from '../assets.ts'
import { cleanText } from '../clean-text.ts'
import { type AskingClient, clientLabel } from '../client-label.ts'
import { Alert, Message } from '../components/index.ts'
import { safeHref } from '../links.ts'
import { fallbackLocale, formatMoment, formatWait, type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'
import { Details } from './details.tsx'
import { SignForms } from './sign-forms.tsx'
import { visibleText } from './visible-text.ts'

export type PageMethod = 'WEBAUTHN' | 'TOTP' | 'PASSWORD'

export interface SignPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** Gets `decision`, and with APPROVE `method` and its proof. */
  action: string
  client: AskingClient
  username: string
  transaction: {
    type: string
    title: string
    details: Record<string, unknown>
    hash: string
    /** Milliseconds since 1970, as `now` is. */
    expiresAt: number
  }
  now: number
  /** How this person can sign here, the best way first. */
  methods: PageMethod[]
  passkeyOptions: object | null
  problem: SignProblem | null
  /** Where a stronger sign-in begins; null unless the application asks for more than any method here gives. */
  strongerHref: string | null
}

export type SignProblem =
  | { kind: 'wrong' | 'missing'; method: PageMethod }
  | { kind: 'limited'; retryAfterSeconds: number }

export function renderSignPage(props: SignPageProps): string {
  return renderDocument(<SignPage {...props} />)
}

function SignPage({ locale = fallbackLocale, ...rest }: SignPageProps) {
  const props = { ...rest, locale }
  const app = clientLabel(props.client)
  const script = props.passkeyOptions === null ? {} : { script: passkeyScriptPath }
  return (
    <Shell
      page="transaction"
      title={translate(locale, 'tx.title', { app })}
      realm={props.realm}
      locale={locale}
      {...script}
    >
      <div class="gh-card">
        <h1 class="gh-title">
          <Message locale={locale} id="tx.title" values={{ app }} />
        </h1>
        <p class="gh-subtitle">
          <Message locale={locale} id="step.account" values={{ username: props.username }} />
        </p>
        <Limited {...props} />
        <Content {...props} />
        <Facts {...props} app={app} />
        <p class="gh-caution">
          <span>{translate(locale, 'tx.caution')}</span>
        </p>
        <Stronger {...props} />
        <SignForms {...props} />
      </div>
    </Shell>
  )
}

type WithLocale = SignPageProps & { locale: Locale }

function Limited({ locale, problem }: WithLocale) {
  if (problem?.kind !== 'limited') return null
  const wait = formatWait(locale, problem.retryAfterSeconds)
  return <Alert id="form-error" message={translate(locale, 'error.rateLimited', { wait })} />
}

function Content({ locale, transaction }: WithLocale) {
  return (
    <section class="gh-section" aria-labelledby="content-title">
      <h2 class="gh-heading" id="content-title">
        {translate(locale, 'tx.content')}
      </h2>
      <div class="gh-signed-content">
        <p class="gh-signed-title">
          <bdi>{visibleText(transaction.title)}</bdi>
        </p>
        <p>
          <code class="gh-code">{visibleText(transaction.type)}</code>
        </p>
        <Details value={transaction.details} />
      </div>
    </section>
  )
}

// Enough to compare by eye with what an application shows; the whole is in the title.
const shortHashLength = 12

function Facts({ locale, transaction, now, app, client }: WithLocale & { app: string }) {
  const { hash, expiresAt } = transaction
  const end = new Date(expiresAt)
  return (
    <dl class="gh-facts gh-origin gh-signed-facts">
      <div class="gh-fact">
        <dt>{translate(locale, 'tx.application')}</dt>
        <dd>
          <bdi>{app}</bdi> <code class="gh-code">{cleanText(client.clientId)}</code>
        </dd>
      </div>
      <div class="gh-fact">
        <dt>{translate(locale, 'tx.until')}</dt>
        <dd>
          <time datetime={end.toISOString()}>{formatMoment(locale, end)} UTC</time> (
          {formatWait(locale, Math.max(1, Math.floor((expiresAt - now) / 1000)))})
        </dd>
      </div>
      <div class="gh-fact">
        <dt>{translate(locale, 'tx.hash')}</dt>
        <dd>
          <code class="gh-code" title={hash}>
            {hash.slice(0, shortHashLength)}…
          </code>
        </dd>
      </div>
    </dl>
  )
}

function Stronger({ locale, strongerHref }: WithLocale) {
  if (strongerHref === null) return null
  return (
    <div class="gh-section">
      <p class="gh-text">{translate(locale, 'tx.tooWeak')}</p>
      <p class="gh-signed-stronger">
        <a class="gh-button" href={safeHref(strongerHref)}>
          {translate(locale, 'tx.stronger')}
        </a>
      </p>
    </div>
  )
}
