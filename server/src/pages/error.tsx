// The page for anything that went wrong in the browser: plain words, and a reference support can find in the logs.

import { safeHref } from './links.ts'
import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export interface ErrorPageProps {
  /** Null when the realm is unknown: the page then looks the same as for a realm that never existed. */
  realm: RealmLook | null
  locale?: Locale
  status: number
  title: string
  message: string
  /** The trace id. */
  reference: string
  help?: string
  links?: { label: string; href: string }[]
}

export function renderErrorPage(props: ErrorPageProps): string {
  return renderDocument(<ErrorPage {...props} />)
}

function ErrorPage({
  realm,
  locale = fallbackLocale,
  status,
  title,
  message,
  reference,
  help,
  links = [],
}: ErrorPageProps) {
  return (
    <Shell page="error" title={title} realm={realm} locale={locale}>
      <div class="gh-card">
        <p class="gh-eyebrow">{translate(locale, 'error.status', { status })}</p>
        <h1 class="gh-title">
          <bdi>{title}</bdi>
        </h1>
        <p class="gh-text">
          <bdi>{message}</bdi>
        </p>
        {help && (
          <p class="gh-text">
            <bdi>{help}</bdi>
          </p>
        )}
        {links.map(({ label, href }) => (
          <p key={href} class="gh-text">
            <a class="gh-link" href={safeHref(href)}>
              {label}
            </a>
          </p>
        ))}
        <div class="gh-reference">
          <p class="gh-reference-label">{translate(locale, 'error.reference')}</p>
          <code class="gh-code">{reference}</code>
          <p class="gh-reference-help">{translate(locale, 'error.referenceHelp')}</p>
        </div>
      </div>
    </Shell>
  )
}
