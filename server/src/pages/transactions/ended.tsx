// What became of a transaction, and that nothing is left to do here.

import { type AskingClient, clientLabel } from '../client-label.ts'
import { Message, OutcomeSign } from '../components/index.ts'
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

const outcomes = { SIGNED: 'approved', CONSUMED: 'approved', REJECTED: 'denied', EXPIRED: 'ended' } as const

export function renderTransactionEndedPage(props: TransactionEndedPageProps): string {
  return renderDocument(<EndedPage {...props} />)
}

function EndedPage({ realm, locale = fallbackLocale, status, title, client }: TransactionEndedPageProps) {
  const heading = translate(locale, `tx.ended.${status}.title`)
  return (
    <Shell page="transaction-ended" title={heading} realm={realm} locale={locale}>
      <div class="gh-card gh-ending">
        <OutcomeSign outcome={outcomes[status]} />
        <h1 class="gh-title">{heading}</h1>
        <p class="gh-text gh-signed-value">
          <bdi>{visibleText(title)}</bdi>
        </p>
        <p class="gh-text">
          <Message locale={locale} id={`tx.ended.${status}.text`} values={{ app: clientLabel(client) }} />
        </p>
        <p class="gh-subtitle">{translate(locale, 'answered.close')}</p>
      </div>
    </Shell>
  )
}
