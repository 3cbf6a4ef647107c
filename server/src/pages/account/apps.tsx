// What somebody allowed applications, in the words of the consent page, and the way to take it back.

import { clientLabel } from '../client-label.ts'
import { Message } from '../components/index.ts'
import { safeHref } from '../links.ts'
import { translate } from '../messages/index.ts'
import { renderDocument } from '../shell.tsx'
import { type AccountFrame, AccountPage, Panel, StepLink, stepHref } from './frame.tsx'
import { Badge, Empty, Item, Items, When } from './items.tsx'
import { StepForm, StepPage } from './step.tsx'

export interface AllowedApp {
  clientId: string
  name: string | null
  /** What was allowed it; null where nobody had to ask. */
  consent: {
    /** What people read: the scope's consent text, else its description, else its name. */
    scopes: string[]
    grantedAt: number
    byAdmin: boolean
  } | null
  isSignedIn: boolean
  /** Whether it may go on acting when the person is signed out. */
  isOffline: boolean
}

export interface AppsProps {
  frame: AccountFrame
  apps: AllowedApp[]
  moreHref: string | null
}

export function renderAppsPage(props: AppsProps): string {
  return renderDocument(<AppsPage {...props} />)
}

function AppsPage({ frame, apps, moreHref }: AppsProps) {
  const { locale } = frame
  return (
    <AccountPage
      frame={frame}
      page="apps"
      title={translate(locale, 'account.apps.title')}
      text={translate(locale, 'account.apps.text')}
    >
      <Panel id="applications" title={translate(locale, 'account.apps.list')}>
        {apps.length === 0 ? (
          <Empty text={translate(locale, 'account.apps.none')} />
        ) : (
          <Items>
            {apps.map((app) => (
              <AppItem key={app.clientId} frame={frame} app={app} />
            ))}
          </Items>
        )}
        {moreHref && (
          <div class="gh-actions">
            <a class="gh-button gh-button-quiet" href={safeHref(moreHref)}>
              {translate(locale, 'account.apps.more')}
            </a>
          </div>
        )}
      </Panel>
    </AccountPage>
  )
}

function AppItem({ frame, app }: { frame: AccountFrame; app: AllowedApp }) {
  const { locale, now } = frame
  const { consent } = app
  const name = clientLabel(app)
  const scopes = consent?.scopes ?? []
  return (
    <Item
      icon="app"
      name={name}
      badge={
        <>
          {app.isSignedIn && <Badge text={translate(locale, 'account.apps.signedIn')} />}
          {app.isOffline && <Badge text={translate(locale, 'account.apps.offline')} />}
          {consent?.byAdmin && <Badge text={translate(locale, 'account.apps.byAdmin')} />}
        </>
      }
      lines={[
        consent ? (
          <When key="since" locale={locale} id="account.apps.since" at={consent.grantedAt} now={now} />
        ) : (
          translate(locale, 'account.apps.own')
        ),
        ...(consent && scopes.length === 0 ? [translate(locale, 'account.apps.nothing')] : []),
        ...scopes.map((text) => (
          <span key={text} class="gh-allowed">
            <bdi>{text}</bdi>
          </span>
        )),
      ]}
    >
      {consent && !frame.readOnly && (
        <StepLink
          frame={frame}
          href={stepHref(frame, 'apps', 'remove', app.clientId)}
          label={translate(locale, 'account.apps.remove')}
          name={translate(locale, 'account.apps.removeNamed', { name })}
          tone="danger"
        />
      )}
    </Item>
  )
}

export interface RemoveAppProps {
  frame: AccountFrame
  app: { clientId: string; name: string | null }
}

export function renderRemoveAppStep({ frame, app: client }: RemoveAppProps): string {
  const { locale } = frame
  const app = clientLabel(client)
  return renderDocument(
    <StepPage
      frame={frame}
      page="apps"
      title={<Message locale={locale} id="account.apps.removeTitle" values={{ app }} />}
      plainTitle={translate(locale, 'account.apps.removeTitle', { app })}
    >
      <p class="gh-text">{translate(locale, 'account.apps.removeText')}</p>
      <StepForm
        frame={frame}
        page="apps"
        action="remove"
        fields={{ id: client.clientId }}
        submit={translate(locale, 'account.apps.remove')}
        danger
      />
    </StepPage>,
  )
}
