// Where an application that nobody here has looked at comes from and leads to. Its name says nothing: anybody can choose any.

import { Message } from './components/index.ts'
import { type Locale, translate } from './messages/index.ts'

export interface ClientSource {
  /** The host of the document that describes the application; null for one that registered itself. */
  publishedAt: string | null
  /** The host that the answer is sent to; null for a program on the person's own device. */
  leadsTo: string | null
}

/** Hosts as browsers write them: a look-alike in another script then shows what it is. */
export function describeSource(client: { clientId: string; isDocument: boolean }, redirectUri: string): ClientSource {
  const target = URL.parse(redirectUri)
  const isWeb = target?.protocol === 'https:'
  return {
    publishedAt: client.isDocument ? (URL.parse(client.clientId)?.host ?? client.clientId) : null,
    leadsTo: isWeb ? target.host : null,
  }
}

export function Source({ locale, source }: { locale: Locale; source: ClientSource }) {
  const { publishedAt, leadsTo } = source
  return (
    <div class="gh-source">
      {publishedAt !== null && (
        <p class="gh-source-host">
          <bdi>{publishedAt}</bdi>
        </p>
      )}
      <p>{translate(locale, publishedAt === null ? 'consent.unchecked' : 'consent.published')}</p>
      <p>
        {leadsTo === null ? (
          translate(locale, 'consent.leadsToDevice')
        ) : (
          <Message locale={locale} id="consent.leadsTo" values={{ host: leadsTo }} />
        )}
      </p>
    </div>
  )
}
