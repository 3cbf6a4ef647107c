// The end of a request from another device: what became of it, and that nothing is left to do here.

import { Message, OutcomeSign } from '../components/index.ts'
import { type AskingClient, clientLabel } from '../client-label.ts'
import { fallbackLocale, type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'

export interface AnsweredPageProps {
  realm: RealmLook
  locale?: Locale
  kind: 'device' | 'ciba' | 'push' | 'qr'
  /** `ended`: the request ran out, was answered before, or was never there. */
  outcome: 'approved' | 'denied' | 'ended'
  /** Null where it is not known, or may not be told. */
  client: AskingClient | null
}

export function renderAnsweredPage(props: AnsweredPageProps): string {
  return renderDocument(<AnsweredPage {...props} />)
}

function AnsweredPage({ realm, locale = fallbackLocale, kind, outcome, client }: AnsweredPageProps) {
  const title = translate(locale, `answered.${kind}.${outcome}.title`)
  return (
    <Shell page="answered" title={title} realm={realm} locale={locale}>
      <div class="gh-card gh-ending">
        <OutcomeSign outcome={outcome} />
        <h1 class="gh-title">{title}</h1>
        <p class="gh-text">
          <AnsweredText locale={locale} kind={kind} outcome={outcome} client={client} />
        </p>
        <p class="gh-subtitle">{translate(locale, 'answered.close')}</p>
      </div>
    </Shell>
  )
}

type AnsweredTextProps = Required<Pick<AnsweredPageProps, 'locale' | 'kind' | 'outcome' | 'client'>>

function AnsweredText({ locale, kind, outcome, client }: AnsweredTextProps) {
  // A request that is gone says nothing of the application, so that nobody learns from it what was asked.
  if (outcome === 'ended') return <>{translate(locale, `answered.${kind}.ended.text`)}</>
  if (client === null) return <>{translate(locale, `answered.${kind}.${outcome}.unnamed`)}</>
  return <Message locale={locale} id={`answered.${kind}.${outcome}.text`} values={{ app: clientLabel(client) }} />
}
