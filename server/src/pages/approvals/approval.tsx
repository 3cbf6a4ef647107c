// The question about a request that waits on another device (RFC 8628, CIBA). Whoever reads it may have been sent here by the
// one who asks (RFC 8628, 5.4), so it first says what to compare and where the request came from.

import { cleanText } from '../clean-text.ts'
import { clientLabel } from '../client-label.ts'
import { Account, Decision, HomePage, Message, Resources, Scopes } from '../components/index.ts'
import { fallbackLocale, type Locale, translate } from '../messages/index.ts'
import { renderDocument, Shell } from '../shell.tsx'
import type { ApprovalPageProps } from './approval-props.ts'
import { Comparison } from './comparison.tsx'
import { Origin } from './origin.tsx'

export function renderApprovalPage(props: ApprovalPageProps): string {
  return renderDocument(<ApprovalPage {...props} />)
}

function ApprovalPage(props: ApprovalPageProps) {
  const { realm, locale = fallbackLocale, kind, action, scopes, resources, username } = props
  const app = clientLabel(props.client)
  const hidden = { ...props.fields, _csrf: props.csrf }
  const asksAgain = scopes.some(({ isNew }) => isNew) && scopes.some(({ isNew }) => !isNew)
  return (
    <Shell page="approval" title={translate(locale, `approval.${kind}.title`, { app })} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">
          <Message locale={locale} id={`approval.${kind}.title`} values={{ app }} />
        </h1>
        <Source {...props} locale={locale} />
        <Comparison {...props} locale={locale} />
        <p class="gh-caution">
          <span>{translate(locale, `approval.${kind}.caution`)}</span>
        </p>
        <Origin {...props} locale={locale} />
        <Scopes locale={locale} scopes={scopes} marksNew={asksAgain} alone={resources.length === 0} />
        {resources.length > 0 && <Resources locale={locale} resources={resources} />}
        <Decision locale={locale} action={action} fields={hidden} />
        <Account locale={locale} action={action} fields={hidden} username={username} />
      </div>
    </Shell>
  )
}

/** An application that came by itself may say anything of its home page, so only its host speaks for it. */
function Source({ client, locale }: ApprovalPageProps & { locale: Locale }) {
  const { host, baseUrl, selfRegistered = false } = client
  if (host === null && !selfRegistered) return baseUrl ? <HomePage address={baseUrl} /> : null
  return (
    <div class="gh-source">
      {host !== null && (
        <p class="gh-source-host">
          <bdi>{cleanText(host)}</bdi>
        </p>
      )}
      <p>{translate(locale, host === null ? 'consent.unchecked' : 'consent.published')}</p>
    </div>
  )
}
