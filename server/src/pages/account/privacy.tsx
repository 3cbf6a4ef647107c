// What is kept about somebody: a copy of it all, what happened lately, and the end of the account (contract 2.55).

import { describeAgent } from '../approvals/describe-agent.ts'
import { cleanText } from '../clean-text.ts'
import { Field } from '../components/index.ts'
import { safeHref } from '../links.ts'
import { isMessage, type Locale, type MessageKey, translate, translateCount } from '../messages/index.ts'
import { renderDocument, Shell } from '../shell.tsx'
import type { RealmLook } from '../shell.tsx'
import { type AccountFrame, AccountPage, accountHref, Panel, StepLink, stepHref } from './frame.tsx'
import { Badge, Empty, Item, Items, Moment, When } from './items.tsx'
import { StepForm, StepPage } from './step.tsx'

export interface Happening {
  id: string
  type: string
  at: number
  failed: boolean
  address: string | null
  userAgent: string | null
  /** The application it was about. */
  clientId: string | null
}

export interface PrivacyProps {
  frame: AccountFrame
  exportHref: string
  termsAcceptedAt: number | null
  consents: number
  activity: Happening[]
  olderHref: string | null
  newestHref: string | null
  canDelete: boolean
}

export function renderPrivacyPage(props: PrivacyProps): string {
  return renderDocument(<PrivacyPage {...props} />)
}

function PrivacyPage(props: PrivacyProps) {
  const { frame } = props
  const { locale } = frame
  return (
    <AccountPage
      frame={frame}
      page="privacy"
      title={translate(locale, 'account.privacy.title')}
      text={translate(locale, 'account.privacy.text')}
    >
      <Panel
        id="data"
        title={translate(locale, 'account.privacy.data')}
        text={translate(locale, 'account.privacy.dataText')}
        aside={
          !frame.readOnly && (
            <a class="gh-button gh-button-quiet" href={safeHref(props.exportHref)} download="account.json">
              {translate(locale, 'account.privacy.download')}
            </a>
          )
        }
      />
      <Agreements {...props} />
      <Activity {...props} />
      {props.canDelete && (
        <Panel
          id="delete"
          title={translate(locale, 'account.privacy.delete')}
          text={translate(locale, 'account.privacy.deleteText')}
          aside={
            <StepLink
              frame={frame}
              href={stepHref(frame, 'privacy', 'delete')}
              label={translate(locale, 'account.privacy.deleteButton')}
              tone="danger"
            />
          }
        />
      )}
    </AccountPage>
  )
}

function Agreements({ frame, termsAcceptedAt, consents }: PrivacyProps) {
  const { locale, now } = frame
  return (
    <Panel
      id="terms"
      title={translate(locale, 'account.privacy.terms')}
      text={
        <>
          {termsAcceptedAt === null ? (
            translate(locale, 'account.privacy.termsNone')
          ) : (
            <When locale={locale} id="account.privacy.termsAccepted" at={termsAcceptedAt} now={now} />
          )}{' '}
          {translateCount(locale, 'account.privacy.consents', consents)}
        </>
      }
      aside={
        <a class="gh-button gh-button-quiet" href={safeHref(accountHref(frame, 'apps'))}>
          {translate(locale, 'account.privacy.consentsLink')}
        </a>
      }
    />
  )
}

function Activity({ frame, activity, olderHref, newestHref }: PrivacyProps) {
  const { locale } = frame
  return (
    <Panel
      id="activity"
      title={translate(locale, 'account.privacy.activity')}
      text={translate(locale, 'account.privacy.activityText')}
    >
      {activity.length === 0 ? (
        <Empty text={translate(locale, 'account.privacy.noActivity')} />
      ) : (
        <Items>
          {activity.map((happening) => (
            <HappeningItem key={happening.id} frame={frame} happening={happening} />
          ))}
        </Items>
      )}
      {(olderHref || newestHref) && (
        <nav class="gh-actions" aria-label={translate(locale, 'account.privacy.activity')}>
          {newestHref && (
            <a class="gh-button gh-button-quiet" href={safeHref(newestHref)}>
              {translate(locale, 'account.privacy.newest')}
            </a>
          )}
          {olderHref && (
            <a class="gh-button gh-button-quiet" href={safeHref(olderHref)}>
              {translate(locale, 'account.privacy.older')}
            </a>
          )}
        </nav>
      )}
    </Panel>
  )
}

function HappeningItem({ frame, happening }: { frame: AccountFrame; happening: Happening }) {
  const { locale, now } = frame
  const { type, at, address, userAgent, clientId, failed } = happening
  const about = [
    ...(userAgent === null ? [] : [describeAgent(locale, userAgent)]),
    ...(address === null ? [] : [cleanText(address)]),
    ...(clientId === null ? [] : [cleanText(clientId)]),
  ]
  return (
    <Item
      icon={failed ? 'alert' : 'event'}
      name={describeHappening(locale, type)}
      badge={failed && <Badge text={translate(locale, 'account.privacy.failed')} tone="warning" />}
      lines={[
        <>
          <Moment locale={locale} at={at} now={now} />
          {about.map((text) => (
            <>
              {' · '}
              <bdi>{text}</bdi>
            </>
          ))}
        </>,
      ]}
    />
  )
}

type ActivityKey = Extract<MessageKey, `account.activity.${string}`>

/** Kinds of events come from every part of the service; those without words of their own are told all the same. */
export function describeHappening(locale: Locale, type: string): string {
  const key = `account.activity.${type}`
  return translate(locale, isMessage(key) ? (key as ActivityKey) : 'account.activity.unknown')
}

export interface DeleteStepProps {
  frame: AccountFrame
  /** Whether what was typed was not the username. */
  mismatch: boolean
  /** Why it cannot be deleted. */
  alert?: string | null
}

export function renderDeleteStep({ frame, mismatch, alert = null }: DeleteStepProps): string {
  const { locale, username } = frame
  const title = translate(locale, 'account.delete.title')
  return renderDocument(
    <StepPage frame={frame} page="privacy" title={title} plainTitle={title} alert={alert}>
      <p class="gh-text">{translate(locale, 'account.privacy.deleteText')}</p>
      <p class="gh-account gh-account-name">
        <bdi>{username}</bdi>
      </p>
      <StepForm frame={frame} page="privacy" action="delete" submit={translate(locale, 'account.delete.submit')} danger>
        <Field
          name="confirmation"
          label={translate(locale, 'account.delete.confirm')}
          type="text"
          autocomplete="off"
          error={mismatch ? translate(locale, 'account.delete.mismatch') : null}
          autofocus
        />
      </StepForm>
    </StepPage>,
  )
}

export function renderDeletedPage({ realm, locale }: { realm: RealmLook; locale: Locale }): string {
  const title = translate(locale, 'account.deleted.title')
  return renderDocument(
    <Shell page="account-privacy" title={title} realm={realm} locale={locale}>
      <div class="gh-card gh-ending">
        <h1 class="gh-title">{title}</h1>
        <p class="gh-text">{translate(locale, 'account.deleted.text')}</p>
        <p class="gh-subtitle">{translate(locale, 'answered.close')}</p>
      </div>
    </Shell>,
  )
}
