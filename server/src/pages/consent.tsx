// The consent page: which application asks, for what, and the answer in one POST (contract 4.5b, OpenID Connect Core 3.1.2.4).

import { Avatar, HiddenFields, Message } from './components/index.ts'
import { type AskingClient, clientLabel } from './client-label.ts'
import { safeAction, safeWebAddress } from './links.ts'
import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export interface ConsentScope {
  name: string
  /** What people read: the scope's consent text, else its description, else its name. */
  text: string
  /** True when the person has not granted it to this application before. */
  isNew: boolean
}

/** A protected API the application wants tokens for (RFC 8707). */
export interface ConsentResource {
  resource: string
  scopes: string[]
}

export interface ConsentPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** Gets `decision` = `allow`, `deny` or `switch` (use another account). */
  action: string
  client: AskingClient & { baseUrl: string | null }
  username: string
  scopes: ConsentScope[]
  resources: ConsentResource[]
}

export function renderConsentPage(props: ConsentPageProps): string {
  return renderDocument(<ConsentPage {...props} />)
}

function ConsentPage(props: ConsentPageProps) {
  const { realm, locale = fallbackLocale, client, scopes, resources } = props
  const app = clientLabel(client)
  const asksAgain = scopes.some(({ isNew }) => isNew) && scopes.some(({ isNew }) => !isNew)
  return (
    <Shell page="consent" title={translate(locale, 'consent.title', { app })} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">
          <Message locale={locale} id="consent.title" values={{ app }} />
        </h1>
        {client.baseUrl && <HomePage address={client.baseUrl} />}
        {asksAgain && (
          <p class="gh-text">
            <Message locale={locale} id="consent.more" values={{ app }} />
          </p>
        )}
        <Scopes locale={locale} scopes={scopes} marksNew={asksAgain} alone={resources.length === 0} />
        {resources.length > 0 && <Resources locale={locale} resources={resources} />}
        <Decision {...props} locale={locale} />
        <Account {...props} locale={locale} />
      </div>
    </Shell>
  )
}

/** By its host, as the browser would write it: a look-alike in another script then shows what it is. */
function HomePage({ address }: { address: string }) {
  return (
    <p class="gh-subtitle">
      <a class="gh-link" href={safeWebAddress(address) ?? '#'} rel="noreferrer">
        <bdi>{URL.parse(address)?.host || address}</bdi>
      </a>
    </p>
  )
}

interface ScopesProps {
  locale: Locale
  scopes: ConsentScope[]
  marksNew: boolean
  /** True when nothing else is asked for. */
  alone: boolean
}

function Scopes({ locale, scopes, marksNew, alone }: ScopesProps) {
  if (scopes.length === 0) return alone ? <p class="gh-text">{translate(locale, 'consent.nothing')}</p> : null
  return (
    <section class="gh-section" aria-labelledby="scopes-title">
      <h2 class="gh-heading" id="scopes-title">
        {translate(locale, 'consent.scopes')}
      </h2>
      <ul class="gh-grants">
        {scopes.map(({ name, text, isNew }) => (
          <li key={name} class="gh-grant">
            <bdi>{text}</bdi>
            {marksNew && isNew && <span class="gh-badge">{translate(locale, 'consent.new')}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Resources({ locale, resources }: { locale: Locale; resources: ConsentResource[] }) {
  return (
    <section class="gh-section" aria-labelledby="resources-title">
      <h2 class="gh-heading" id="resources-title">
        {translate(locale, 'consent.resources')}
      </h2>
      <ul class="gh-resources">
        {resources.map(({ resource, scopes }) => (
          <li key={resource}>
            <bdi class="gh-resource">{resource}</bdi>
            {scopes.length > 0 && (
              <span class="gh-resource-scopes">
                {scopes.map((scope) => (
                  <code key={scope} class="gh-code">
                    {scope}
                  </code>
                ))}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Decision({ locale, csrf, action, client }: ConsentPageProps & { locale: Locale }) {
  return (
    <form class="gh-form" method="post" action={safeAction(action)}>
      <HiddenFields values={{ _csrf: csrf }} />
      <p class="gh-advice">
        <Message locale={locale} id="consent.trust" values={{ app: clientLabel(client) }} />
      </p>
      <div class="gh-choices">
        <button class="gh-button" type="submit" name="decision" value="allow">
          {translate(locale, 'consent.allow')}
        </button>
        <button class="gh-button gh-button-quiet" type="submit" name="decision" value="deny">
          {translate(locale, 'consent.deny')}
        </button>
      </div>
    </form>
  )
}

/** A form of its own, so that the two answers stay the only buttons of theirs. */
function Account({ locale, csrf, action, username }: ConsentPageProps & { locale: Locale }) {
  return (
    <form class="gh-whoami" method="post" action={safeAction(action)}>
      <HiddenFields values={{ _csrf: csrf }} />
      <Avatar name={username} />
      <div class="gh-whoami-text">
        <p class="gh-profile-label">{translate(locale, 'consent.signedInAs')}</p>
        <p class="gh-whoami-name">
          <bdi>{username}</bdi>
        </p>
        <button class="gh-link gh-link-button" type="submit" name="decision" value="switch">
          {translate(locale, 'consent.switch')}
        </button>
      </div>
    </form>
  )
}
