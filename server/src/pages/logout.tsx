// The question before a sign-out that an application asked for (OpenID Connect RP-Initiated Logout 1.0, part 2; S35).

import { HiddenFields, Message } from './components/index.ts'
import { type AskingClient, clientLabel } from './client-label.ts'
import { safeAction } from './links.ts'
import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export interface LogoutPageProps {
  realm: RealmLook
  locale?: Locale
  action: string
  /** Sent back unseen with either answer, such as the engine's `xsrf`. */
  fields: Readonly<Record<string, string>>
  /** Null when the request did not say who asks. */
  client: AskingClient | null
  username?: string | null
}

export function renderLogoutPage(props: LogoutPageProps): string {
  return renderDocument(<LogoutPage {...props} />)
}

function LogoutPage({ realm, locale = fallbackLocale, action, fields, client, username }: LogoutPageProps) {
  const values = { realm: realm.displayName }
  return (
    <Shell page="logout" title={translate(locale, 'logout.title', values)} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">
          <Message locale={locale} id="logout.title" values={values} />
        </h1>
        <p class="gh-text">
          {client ? (
            <Message locale={locale} id="logout.askedBy" values={{ app: clientLabel(client) }} />
          ) : (
            translate(locale, 'logout.asked')
          )}
        </p>
        <p class="gh-subtitle">{translate(locale, 'logout.effect')}</p>
        {username && (
          <p class="gh-account">
            <Message locale={locale} id="logout.account" values={{ username }} />
          </p>
        )}
        <form class="gh-form" method="post" action={safeAction(action)}>
          <HiddenFields values={fields} />
          <div class="gh-choices">
            <button class="gh-button" type="submit" name="logout" value="yes">
              {translate(locale, 'logout.submit')}
            </button>
            {/* Without a name: the engine takes any value of `logout`, even "no", for a yes. */}
            <button class="gh-button gh-button-quiet" type="submit">
              {translate(locale, 'logout.stay')}
            </button>
          </div>
        </form>
      </div>
    </Shell>
  )
}
