// An error that only the developers of an application can mend. People are told that it is not theirs (contract 4.31).

import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export interface ClientErrorPageProps {
  realm: RealmLook | null
  locale?: Locale
  status: number
  /** The OAuth error code, such as `invalid_redirect_uri`. */
  error: string
  title: string
  message: string
  whatToDo: string
  /** What the request said, by parameter name. Never what other clients are registered with. */
  facts: { name: string; value: string }[]
  /** The trace id. */
  reference: string
}

export function renderClientErrorPage(props: ClientErrorPageProps): string {
  return renderDocument(<ClientErrorPage {...props} />)
}

function ClientErrorPage({ locale = fallbackLocale, ...props }: ClientErrorPageProps) {
  const title = translate(locale, 'clientError.title')
  return (
    <Shell page="client-error" title={title} realm={props.realm} locale={locale} width="wide">
      <div class="gh-card">
        <p class="gh-eyebrow">{translate(locale, 'error.status', { status: props.status })}</p>
        <h1 class="gh-title">{title}</h1>
        <p class="gh-text">{translate(locale, 'clientError.reassurance')}</p>
        <p class="gh-text">{translate(locale, 'clientError.advice')}</p>
        <section class="gh-developers" aria-labelledby="developers-title">
          <h2 class="gh-eyebrow" id="developers-title">
            {translate(locale, 'clientError.developers')}
          </h2>
          <h3 class="gh-finding">
            <bdi>{props.title}</bdi>
          </h3>
          <p>
            <code class="gh-code">{props.error}</code>
          </p>
          <p class="gh-text">
            <bdi>{props.message}</bdi>
          </p>
          <h3 class="gh-heading">{translate(locale, 'clientError.whatToDo')}</h3>
          <p class="gh-explained">
            <bdi>{props.whatToDo}</bdi>
          </p>
          <Facts {...props} locale={locale} />
        </section>
      </div>
    </Shell>
  )
}

function Facts({ locale, facts, reference }: ClientErrorPageProps & { locale: Locale }) {
  const rows = [...facts, { name: translate(locale, 'error.reference'), value: reference }]
  return (
    <>
      <h3 class="gh-heading">{translate(locale, 'clientError.facts')}</h3>
      <dl class="gh-facts">
        {rows.map(({ name, value }) => (
          <div key={name} class="gh-fact">
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <code class="gh-code">{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
