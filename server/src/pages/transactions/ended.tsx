// What became of a transaction, and that nothing is left to do here.

import { cleanText } from '../clean-text.ts'
import { type AskingClient, clientLabel } from '../client-label.ts'
import { Message } from '../components/index.ts'
import { fallbackLocale, type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'
import { visibleText } from './visible-text.ts'

export interface TransactionEndedPageProps {
  realm: RealmLook
  locale?: Locale
  status: 'SIGNED' | 'REJECTED' | 'CONSUMED' | 'EXPIRED'
  title: string
  client: AskingClient
}

const looks = {
  SIGNED: { sign: 'approved', path: 'M7 12.5l3.5 3.5L17 8.5' },
  CONSUMED: { sign: 'approved', path: 'M7 12.5l3.5 3.5L17 8.5' },
  REJECTED: { sign: 'denied', path: 'M8 8l8 8M16 8l-8 8' },
  EXPIRED: { sign: 'ended', path: 'M12 5a7 7 0 1 1 0 14a7 7 0 1 1 0-14M12 8.5v4l2.5 1.5' },
} as const

export function renderTransactionEndedPage(props: TransactionEndedPageProps): string {
  return renderDocument(<EndedPage {...props} />)
}

function EndedPage({ realm, locale = fallbackLocale, status, title, client }: TransactionEndedPageProps) {
  const heading = translate(locale, `tx.ended.${status}.title`)
  const app = clientLabel({ clientId: cleanText(client.clientId), name: cleanText(client.name ?? '') })
  const { sign, path } = looks[status]
  return (
    <Shell page="transaction-ended" title={heading} realm={realm} locale={locale}>
      <div class="gh-card gh-ending">
        <svg class={`gh-sign gh-sign-${sign}`} viewBox="0 0 24 24" aria-hidden="true">
          <path d={path} />
        </svg>
        <h1 class="gh-title">{heading}</h1>
        <p class="gh-text gh-signed-value">
          <bdi>{visibleText(title)}</bdi>
        </p>
        <p class="gh-text">
          <Message locale={locale} id={`tx.ended.${status}.text`} values={{ app }} />
        </p>
        <p class="gh-subtitle">{translate(locale, 'answered.close')}</p>
      </div>
    </Shell>
  )
}
