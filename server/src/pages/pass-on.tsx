// Pages people see for a moment while the answer goes back to the application: by a form it gets (OAuth 2.0 Form Post
// Response Mode), or by leaving. Both have a button that works without script.

import type { ComponentChildren } from 'preact'
import { HiddenFields, Message } from './components/index.ts'
import { formPostScriptPath } from './assets.ts'
import { type AskingClient, clientLabel } from './client-label.ts'
import { safeAction, safeReturnAddress } from './links.ts'
import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

interface PassOnProps {
  realm: RealmLook
  locale?: Locale
  client: AskingClient | null
}

export interface FormPostPageProps extends PassOnProps {
  /** The redirect URI, or a path of this server. The page is sent with `formPostHeaders` of its full address. */
  action: string
  /** The authorization response: code, state, iss or error. */
  fields: Readonly<Record<string, string>>
}

export interface ContinuePageProps extends PassOnProps {
  /** The redirect URI with the authorization response in its query. */
  continueUrl: string
}

export function renderFormPostPage(props: FormPostPageProps): string {
  return renderDocument(<FormPostPage {...props} />)
}

/** Leaves for an application after a form was posted. A redirect would bring the application's own redirects under our
 * form-action policy (see `PolicyOptions`); this page is the end of the form. */
export function renderContinuePage(props: ContinuePageProps): string {
  return renderDocument(<ContinuePage {...props} />)
}

function FormPostPage({ action, fields, ...props }: FormPostPageProps) {
  const locale = props.locale ?? fallbackLocale
  return (
    <Shell
      page="form-post"
      title={translate(locale, 'passOn.title')}
      realm={props.realm}
      locale={locale}
      script={formPostScriptPath}
    >
      <PassOnCard {...props}>
        <form
          class="gh-form"
          method="post"
          action={action.startsWith('/') ? safeAction(action) : requireAddress(action)}
        >
          <HiddenFields values={fields} />
          <button class="gh-button" type="submit">
            {translate(locale, 'passOn.continue')}
          </button>
        </form>
      </PassOnCard>
    </Shell>
  )
}

function ContinuePage({ continueUrl, ...props }: ContinuePageProps) {
  const locale = props.locale ?? fallbackLocale
  const target = requireAddress(continueUrl)
  return (
    <Shell
      page="continue"
      title={translate(locale, 'passOn.title')}
      realm={props.realm}
      locale={locale}
      goesOnTo={target}
    >
      <PassOnCard {...props}>
        <p class="gh-onward">
          <a class="gh-button" href={target}>
            {translate(locale, 'passOn.continue')}
          </a>
        </p>
      </PassOnCard>
    </Shell>
  )
}

function PassOnCard({ locale = fallbackLocale, client, children }: PassOnProps & { children: ComponentChildren }) {
  return (
    <div class="gh-card">
      <h1 class="gh-title">{translate(locale, 'passOn.title')}</h1>
      <p class="gh-text">
        {client ? (
          <Message locale={locale} id="passOn.text" values={{ app: clientLabel(client) }} />
        ) : (
          translate(locale, 'passOn.textUnnamed')
        )}
      </p>
      <p class="gh-subtitle">{translate(locale, 'passOn.help')}</p>
      {children}
    </div>
  )
}

/** The engine has compared the address with the registered ones by now, so a bad one is a fault of ours. */
function requireAddress(address: string): string {
  const safe = safeReturnAddress(address)
  if (safe === null) throw new TypeError('An authorization response goes to an address of an application.')
  return safe
}
