// The end of a sign-out. Applications with front-channel logout are told by frames nobody sees (Front-Channel Logout 1.0).

import { Message } from './components/index.ts'
import { type AskingClient, clientLabel } from './client-label.ts'
import { realmPath, safeReturnAddress, safeWebAddress } from './links.ts'
import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export interface LoggedOutPageProps {
  realm: RealmLook
  locale?: Locale
  /** Front-channel logout addresses. The page then needs `pageHeaders({ frameSources: frames })`. */
  frames?: string[]
  /** Where the application takes people back: its post-logout redirect URI with `state`. */
  continueUrl?: string | null
  /** The application that address belongs to. */
  client?: AskingClient | null
}

export function renderLoggedOutPage(props: LoggedOutPageProps): string {
  return renderDocument(<LoggedOutPage {...props} />)
}

function LoggedOutPage(props: LoggedOutPageProps) {
  const { realm, locale = fallbackLocale, continueUrl = null } = props
  const frames = (props.frames ?? []).map(safeWebAddress).filter((address) => address !== null)
  const target = continueUrl === null ? null : safeReturnAddress(continueUrl)
  const values = { realm: realm.displayName }
  return (
    <Shell
      page="logged-out"
      title={translate(locale, 'loggedOut.title')}
      realm={realm}
      locale={locale}
      goesOnTo={frames.length > 0 ? target : null}
    >
      <div class="gh-card">
        <h1 class="gh-title">{translate(locale, 'loggedOut.title')}</h1>
        <p class="gh-text">
          <Message locale={locale} id={pickText(frames.length > 0, continueUrl !== null)} values={values} />
        </p>
        <p class="gh-onward">
          {continueUrl === null ? (
            <a class="gh-button gh-button-quiet" href={realmPath(realm.realmId, '/login')}>
              {translate(locale, 'loggedOut.signIn')}
            </a>
          ) : (
            <a class="gh-button" href={target ?? '#'}>
              <ContinueText locale={locale} client={props.client ?? null} />
            </a>
          )}
        </p>
        {frames.map((address) => (
          <LogoutFrame key={address} locale={locale} address={address} />
        ))}
      </div>
    </Shell>
  )
}

function pickText(tellsOthers: boolean, leadsOn: boolean) {
  if (tellsOthers) return 'loggedOut.elsewhere'
  return leadsOn ? 'loggedOut.ended' : 'loggedOut.text'
}

function ContinueText({ locale, client }: { locale: Locale; client: AskingClient | null }) {
  if (!client) return <>{translate(locale, 'loggedOut.continueUnnamed')}</>
  return (
    // One element around the whole, since a button lays out its parts side by side.
    <span>
      <Message locale={locale} id="loggedOut.continue" values={{ app: clientLabel(client) }} />
    </span>
  )
}

/** Its own cookies and script are all an application needs to forget somebody; it may neither open nor leave pages. */
function LogoutFrame({ locale, address }: { locale: Locale; address: string }) {
  return (
    <iframe
      hidden
      title={translate(locale, 'loggedOut.frame')}
      sandbox="allow-same-origin allow-scripts"
      src={address}
    />
  )
}
