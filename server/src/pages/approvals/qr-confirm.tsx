// Somebody who is signed in here read a QR code: do they want to be signed in on the screen that shows it?

import { clientLabel } from '../client-label.ts'
import { Field, HiddenFields, Message } from '../components/index.ts'
import { safeAction } from '../links.ts'
import { fallbackLocale, type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'
import type { ApprovalPlace } from './approval-props.ts'
import { Origin } from './origin.tsx'

export interface QrConfirmPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** Gets `code` where one is asked for. */
  action: string
  client: { clientId: string; name: string | null } | null
  username: string
  needsCode: boolean
  /** The code field was sent empty. */
  codeMissing: boolean
  place: ApprovalPlace
  expiresAt: number
  now: number
}

export function renderQrConfirmPage(props: QrConfirmPageProps): string {
  return renderDocument(<QrConfirmPage {...props} />)
}

function QrConfirmPage({ locale = fallbackLocale, ...props }: QrConfirmPageProps) {
  const { realm, client, username, csrf } = props
  const app = client ? clientLabel(client) : realm.displayName
  return (
    <Shell page="qr-confirm" title={translate(locale, 'qrPage.title')} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{translate(locale, 'qrPage.title')}</h1>
        <p class="gh-subtitle">
          <Message locale={locale} id="qrPage.text" values={{ app, username }} />
        </p>
        <p class="gh-caution">
          <span>{translate(locale, 'qrPage.caution')}</span>
        </p>
        <Origin {...props} locale={locale} kind="device" />
        <form class="gh-form" method="post" action={safeAction(props.action)}>
          <HiddenFields values={{ _csrf: csrf }} />
          {props.needsCode && (
            <Field
              name="code"
              label={translate(locale, 'qrPage.code')}
              type="code"
              autocomplete="off"
              error={props.codeMissing ? translate(locale, 'qrPage.codeMissing') : null}
            />
          )}
          <button class="gh-button" type="submit">
            {translate(locale, 'qrPage.confirm')}
          </button>
        </form>
        <p class="gh-aside">{translate(locale, 'qrPage.leave')}</p>
      </div>
    </Shell>
  )
}
