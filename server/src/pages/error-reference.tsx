// The pages behind the `type` of every problem document and behind the codes of OAuth: /errors/{code}, and their index
// (contract 4.31 and 7.1, RFC 9457).

import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { renderDocument, Shell } from './shell.tsx'

export interface ErrorReferenceProps {
  locale?: Locale
  code: string
  title: string
  status: number
  explanation: string
  whatToDo: string
  /** What is usually behind it, with what to change. */
  causes?: { cause: string; remedy: string }[]
  /** The paths that answer with it. */
  places?: string[]
  standard?: string
}

export interface ErrorReferenceEntry {
  code: string
  title: string
  status: number
}

export interface ErrorReferenceIndexProps {
  locale?: Locale
  /** Codes of problem documents. */
  codes: ErrorReferenceEntry[]
  /** Codes of OAuth and OpenID Connect. */
  oauthCodes: ErrorReferenceEntry[]
}

export function renderErrorReferencePage(props: ErrorReferenceProps): string {
  return renderDocument(<ErrorReferencePage {...props} />)
}

export function renderErrorReferenceIndexPage(props: ErrorReferenceIndexProps): string {
  return renderDocument(<ErrorReferenceIndexPage {...props} />)
}

function ErrorReferencePage({ locale = fallbackLocale, ...props }: ErrorReferenceProps) {
  const { code, title, status, explanation, whatToDo, causes = [], places = [], standard } = props
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
          <Prose text={explanation} />
        </section>
        <section class="gh-section">
          <h2 class="gh-heading">{translate(locale, 'error.whatToDo')}</h2>
          <Prose text={whatToDo} />
        </section>
        {causes.length > 0 && (
          <section class="gh-section">
            <h2 class="gh-heading">{translate(locale, 'error.causes')}</h2>
            <ul class="gh-causes">
              {causes.map(({ cause, remedy }) => (
                <li key={cause}>
                  <Prose text={cause} />
                  <Prose text={remedy} soft />
                </li>
              ))}
            </ul>
          </section>
        )}
        {standard !== undefined && (
          <section class="gh-section">
            <h2 class="gh-heading">{translate(locale, 'error.answeredAt')}</h2>
            <p class="gh-places">
              {places.map((place) => (
                <code class="gh-code" key={place}>
                  {place}
                </code>
              ))}
            </p>
            <p class="gh-text">{translate(locale, 'error.standard', { standard })}</p>
          </section>
        )}
        <p class="gh-text">
          <a class="gh-link" href="/errors">
            {translate(locale, 'error.allCodes')}
          </a>
        </p>
      </article>
    </Shell>
  )
}

/** A text of ours, in which names of parameters stand between grave accents. */
function Prose({ text, soft = false }: { text: string; soft?: boolean }) {
  const pieces = text.split(/`([^`]+)`/)
  return (
    <p class={soft ? 'gh-text gh-remedy' : 'gh-text'}>
      {pieces.map((piece, at) =>
        at % 2 === 1 ? (
          <code class="gh-code" key={at}>
            {piece}
          </code>
        ) : (
          piece
        ),
      )}
    </p>
  )
}

function ErrorReferenceIndexPage({ locale = fallbackLocale, codes, oauthCodes }: ErrorReferenceIndexProps) {
  const sections = [
    { heading: 'error.indexOauth', intro: 'error.indexOauthIntro', entries: oauthCodes },
    { heading: 'error.indexApi', intro: 'error.indexApiIntro', entries: codes },
  ] as const
  return (
    <Shell page="error-index" title={translate(locale, 'error.indexTitle')} realm={null} locale={locale} width="wide">
      <div class="gh-card">
        <h1 class="gh-title">{translate(locale, 'error.indexTitle')}</h1>
        <p class="gh-subtitle">{translate(locale, 'error.indexIntro')}</p>
        {sections.map(({ heading, intro, entries }) => (
          <section class="gh-section" key={heading}>
            <h2 class="gh-heading">{translate(locale, heading)}</h2>
            <p class="gh-text">{translate(locale, intro)}</p>
            <CodeList entries={entries} />
          </section>
        ))}
      </div>
    </Shell>
  )
}

function CodeList({ entries }: { entries: ErrorReferenceEntry[] }) {
  return (
    <ul class="gh-codes">
      {entries.map(({ code, title, status }) => (
        <li key={code}>
          <a class="gh-code-row" href={`/errors/${encodeURIComponent(code)}`}>
            <span class="gh-code-status">{status}</span>
            <span class="gh-code-title">{title}</span>
            <code class="gh-code">{code}</code>
          </a>
        </li>
      ))}
    </ul>
  )
}
