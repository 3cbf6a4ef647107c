// Where somebody is signed in, which browsers they trust, and the devices that approve sign-ins for them.

import { describeAgent } from '../approvals/describe-agent.ts'
import { cleanText } from '../clean-text.ts'
import { Message } from '../components/index.ts'
import { safeHref } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { renderDocument } from '../shell.tsx'
import { Devices, type OwnDevice } from './devices.tsx'
import { type AccountFrame, AccountPage, ActionForm, Panel } from './frame.tsx'
import { Badge, Empty, Item, Items, When } from './items.tsx'

export interface Place {
  id: string
  userAgent: string | null
  address: string | null
  startedAt: number
  lastAccessAt: number
  applications: string[]
  isCurrent: boolean
  isImpersonated: boolean
}

export interface TrustedBrowser {
  userAgent: string | null
  createdAt: number
  expiresAt: number
}

/** A sign-in that waits for an answer. */
export interface OpenRequest {
  id: string
  href: string
  createdAt: number
  address: string | null
  userAgent: string | null
}

export interface PlacesProps {
  frame: AccountFrame
  requests: OpenRequest[]
  sessions: Place[]
  trusted: TrustedBrowser[]
  devices: OwnDevice[]
  canAddDevice: boolean
}

export function renderPlacesPage(props: PlacesProps): string {
  return renderDocument(<PlacesPage {...props} />)
}

function PlacesPage(props: PlacesProps) {
  const { frame } = props
  return (
    <AccountPage
      frame={frame}
      page="places"
      title={translate(frame.locale, 'account.places.title')}
      text={translate(frame.locale, 'account.places.text')}
    >
      {props.requests.length > 0 && <Requests {...props} />}
      <Sessions {...props} />
      <Trusted {...props} />
      <Devices {...props} />
    </AccountPage>
  )
}

function Requests({ frame, requests }: PlacesProps) {
  const { locale } = frame
  return (
    <Panel id="requests" title={translate(locale, 'account.places.requests')}>
      <Items>
        {requests.map(({ id, href, ...request }) => (
          <Item
            key={id}
            icon="alert"
            name={translate(locale, 'account.places.requestText')}
            lines={[<Origin key="origin" locale={locale} {...request} />]}
          >
            {!frame.readOnly && (
              <a class="gh-button" href={safeHref(href)}>
                {translate(locale, 'account.places.answer')}
              </a>
            )}
          </Item>
        ))}
      </Items>
    </Panel>
  )
}

function Origin({ locale, address, userAgent }: { locale: Locale; address: string | null; userAgent: string | null }) {
  return (
    <>
      <bdi>{describeAgent(locale, userAgent)}</bdi>
      {address !== null && (
        <>
          {' · '}
          <bdi>{cleanText(address)}</bdi>
        </>
      )}
    </>
  )
}

function Sessions({ frame, sessions }: PlacesProps) {
  const { locale } = frame
  return (
    <Panel id="sessions" title={translate(locale, 'account.places.sessions')}>
      <Items>
        {sessions.map((session) => (
          <SessionItem key={session.id} frame={frame} session={session} />
        ))}
      </Items>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <ActionForm frame={frame} page="places" action="end-others" class="gh-actions">
          <button class="gh-button gh-button-quiet" type="submit">
            {translate(locale, 'account.places.endOthers')}
          </button>
        </ActionForm>
      )}
    </Panel>
  )
}

function SessionItem({ frame, session }: { frame: AccountFrame; session: Place }) {
  const { locale, now } = frame
  // Where an administrator sits is none of the person's business, so there is no browser to name.
  const name = session.isImpersonated
    ? translate(locale, 'account.places.impersonated')
    : describeAgent(locale, session.userAgent)
  const names = session.applications.map((application) => cleanText(application)).join(', ')
  return (
    <Item
      icon={session.isImpersonated ? 'alert' : 'browser'}
      name={name}
      badge={session.isCurrent && <Badge text={translate(locale, 'account.places.current')} tone="strong" />}
      lines={[
        <>
          {session.address !== null && (
            <>
              <bdi>{cleanText(session.address)}</bdi>
              {' · '}
            </>
          )}
          <When key="since" locale={locale} id="account.places.since" at={session.startedAt} now={now} />
          {' · '}
          <When key="used" locale={locale} id="account.places.used" at={session.lastAccessAt} now={now} />
        </>,
        ...(names === ''
          ? []
          : [<Message key="names" locale={locale} id="account.places.applications" values={{ names }} />]),
      ]}
    >
      {!session.isCurrent && !frame.readOnly && (
        <ActionForm frame={frame} page="places" action="end" fields={{ id: session.id }} class="gh-inline">
          <button
            class="gh-button gh-button-quiet"
            type="submit"
            aria-label={translate(locale, 'account.places.endNamed', { name })}
          >
            {translate(locale, 'account.places.end')}
          </button>
        </ActionForm>
      )}
    </Item>
  )
}

function Trusted({ frame, trusted }: PlacesProps) {
  const { locale, now } = frame
  return (
    <Panel
      id="trusted"
      title={translate(locale, 'account.places.trusted')}
      text={trusted.length > 0 ? translate(locale, 'account.places.trustedText') : undefined}
    >
      {trusted.length === 0 ? (
        <Empty text={translate(locale, 'account.places.noTrusted')} />
      ) : (
        <>
          <Items>
            {trusted.map((browser) => (
              <Item
                key={`${browser.createdAt} ${browser.userAgent}`}
                icon="browser"
                name={describeAgent(locale, browser.userAgent)}
                lines={[
                  <>
                    <When key="added" locale={locale} id="account.added" at={browser.createdAt} now={now} />
                    {' · '}
                    <When
                      key="until"
                      locale={locale}
                      id="account.places.trustedUntil"
                      at={browser.expiresAt}
                      now={now}
                    />
                  </>,
                ]}
              />
            ))}
          </Items>
          <ActionForm frame={frame} page="places" action="forget" class="gh-actions">
            <button class="gh-button gh-button-quiet" type="submit">
              {translate(locale, 'account.places.forget')}
            </button>
          </ActionForm>
        </>
      )}
    </Panel>
  )
}
