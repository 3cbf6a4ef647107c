// The question of a sign-in on another screen, where the person is signed in: is it you? Whoever asks too often hopes for a yes
// by habit, so the number of that screen has to be chosen.

import { clientLabel } from '../client-label.ts'
import { HiddenFields, Message } from '../components/index.ts'
import { safeAction } from '../links.ts'
import { fallbackLocale, type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'
import type { ApprovalPlace } from './approval-props.ts'
import { Origin } from './origin.tsx'

export interface PushPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** `…/approve` gets `number`; `…/deny` gets `reason` = `FRAUD` from whoever was not at that screen. */
  approveAction: string
  denyAction: string
  /** Null where the person signs in to their own account. */
  client: { clientId: string; name: string | null } | null
  username: string
  choices: number[] | null
  /** Only an enrolled device can say yes. */
  needsDevice: boolean
  place: ApprovalPlace
  expiresAt: number
  now: number
}

export function renderPushPage(props: PushPageProps): string {
  return renderDocument(<PushPage {...props} />)
}

function PushPage({ locale = fallbackLocale, ...props }: PushPageProps) {
  const { realm, client, username } = props
  const app = client ? clientLabel(client) : realm.displayName
  return (
    <Shell page="push" title={translate(locale, 'pushPage.title')} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{translate(locale, 'pushPage.title')}</h1>
        <p class="gh-subtitle">
          <Message locale={locale} id="pushPage.text" values={{ app, username }} />
        </p>
        <Origin {...props} locale={locale} kind="device" />
        {props.needsDevice ? (
          <p class="gh-caution">
            <span>{translate(locale, 'pushPage.device')}</span>
          </p>
        ) : (
          <Approve {...props} locale={locale} />
        )}
        <form class="gh-form" method="post" action={safeAction(props.denyAction)}>
          <HiddenFields values={{ _csrf: props.csrf }} />
          <div class="gh-choices">
            <button class="gh-button gh-button-quiet" type="submit">
              {translate(locale, 'pushPage.deny')}
            </button>
            <button class="gh-button gh-button-quiet" type="submit" name="reason" value="FRAUD">
              {translate(locale, 'pushPage.fraud')}
            </button>
          </div>
        </form>
      </div>
    </Shell>
  )
}

function Approve({ locale, csrf, approveAction, choices }: PushPageProps & { locale: Locale }) {
  return (
    <form class="gh-form" method="post" action={safeAction(approveAction)}>
      <HiddenFields values={{ _csrf: csrf }} />
      {choices === null ? (
        <button class="gh-button" type="submit">
          {translate(locale, 'pushPage.approve')}
        </button>
      ) : (
        <fieldset class="gh-numbers">
          <legend class="gh-heading">{translate(locale, 'pushPage.choose')}</legend>
          {choices.map((number) => (
            <button key={number} class="gh-button gh-button-quiet" type="submit" name="number" value={String(number)}>
              {number}
            </button>
          ))}
        </fieldset>
      )}
    </form>
  )
}
