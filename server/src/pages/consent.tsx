// The consent page: which application asks, for what, and the answer in one POST (contract 4.5b, OpenID Connect Core 3.1.2.4).

import {
  Account,
  type AskedResource as ConsentResource,
  type AskedScope as ConsentScope,
  Decision,
  HomePage,
  Message,
  Resources,
  Scopes,
} from './components/index.ts'
import { type AskingClient, clientLabel } from './client-label.ts'
import { type ClientSource, Source } from './client-source.tsx'
import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export type { ConsentResource, ConsentScope }

export interface ConsentPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** Gets `decision` = `allow`, `deny` or `switch` (use another account). */
  action: string
  client: AskingClient & { baseUrl: string | null }
  /** Of an application that came by itself. */
  source?: ClientSource | null
  username: string
  scopes: ConsentScope[]
  resources: ConsentResource[]
}

export function renderConsentPage(props: ConsentPageProps): string {
  return renderDocument(<ConsentPage {...props} />)
}

function ConsentPage(props: ConsentPageProps) {
  const { realm, locale = fallbackLocale, client, source, scopes, resources } = props
  const app = clientLabel(client)
  const asksAgain = scopes.some(({ isNew }) => isNew) && scopes.some(({ isNew }) => !isNew)
  return (
    <Shell page="consent" title={translate(locale, 'consent.title', { app })} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">
          <Message locale={locale} id="consent.title" values={{ app }} />
        </h1>
        {source && <Source locale={locale} source={source} />}
        {/* An application that nobody looked at chose its link itself, and people would take it for checked. */}
        {client.baseUrl && !source && <HomePage address={client.baseUrl} />}
        {asksAgain && (
          <p class="gh-text">
            <Message locale={locale} id="consent.more" values={{ app }} />
          </p>
        )}
        <Scopes locale={locale} scopes={scopes} marksNew={asksAgain} alone={resources.length === 0} />
        {resources.length > 0 && <Resources locale={locale} resources={resources} />}
        <Decision locale={locale} action={props.action} fields={{ _csrf: props.csrf }}>
          <p class="gh-advice">
            <Message locale={locale} id="consent.trust" values={{ app }} />
          </p>
        </Decision>
        <Account locale={locale} action={props.action} fields={{ _csrf: props.csrf }} username={props.username} />
      </div>
    </Shell>
  )
}
