// The pages behind the `type` of every problem document, /errors/{code}, and their index (contract 7.1, RFC 9457).

import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { renderDocument, Shell } from './shell.tsx'

export interface ErrorReferenceProps {
  locale?: Locale
  code: string
  title: string
  status: number
  explanation: string
  whatToDo: string
}

export interface ErrorReferenceIndexProps {
  locale?: Locale
  codes: { code: string; title: string; status: number }[]
}

export function renderErrorReferencePage(props: ErrorReferenceProps): string {
  return renderDocument(<ErrorReferencePage {...props} />)
}

export function renderErrorReferenceIndexPage(props: ErrorReferenceIndexProps): string {
  return renderDocument(<ErrorReferenceIndexPage {...props} />)
}

function ErrorReferencePage({
  locale = fallbackLocale,
  code,
  title,
  status,
  explanation,
  whatToDo,
}: ErrorReferenceProps) {
  return (
    <Shell page="error-reference" title={title} realm={null} locale={locale} width="wide">
      <article class="gh-card">
        <p class="gh-eyebrow">{translate(locale, 'error.status', { status })}</p>
        <h1 class="gh-title">{title}</h1>
        <p class="gh-text">
          <code class="gh-code">{code}</code>
        </p>
        <section class="gh-section">
          <h2 class="gh-heading">{translate(locale, 'error.explained')}</h2>
          <p class="gh-text">{explanation}</p>
        </section>
        <section class="gh-section">
          <h2 class="gh-heading">{translate(locale, 'error.whatToDo')}</h2>
          <p class="gh-text">{whatToDo}</p>
        </section>
        <p class="gh-text">
          <a class="gh-link" href="/errors">
            {translate(locale, 'error.allCodes')}
          </a>
        </p>
      </article>
    </Shell>
  )
}

function ErrorReferenceIndexPage({ locale = fallbackLocale, codes }: ErrorReferenceIndexProps) {
  return (
    <Shell page="error-index" title={translate(locale, 'error.indexTitle')} realm={null} locale={locale} width="wide">
      <div class="gh-card">
        <h1 class="gh-title">{translate(locale, 'error.indexTitle')}</h1>
        <p class="gh-subtitle">{translate(locale, 'error.indexIntro')}</p>
        <ul class="gh-codes">
          {codes.map(({ code, title, status }) => (
            <li key={code}>
              <a class="gh-code-row" href={`/errors/${encodeURIComponent(code)}`}>
                <span class="gh-code-status">{status}</span>
                <span class="gh-code-title">{title}</span>
                <code class="gh-code">{code}</code>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Shell>
  )
}
