// Where and when the request was made, and how long it can be answered.

import type { ComponentChildren } from 'preact'
import { cleanText } from '../clean-text.ts'
import { formatAgo, formatWait, type Locale, translate } from '../messages/index.ts'
import type { ApprovalPageProps } from './approval-props.ts'
import { describeAgent } from './describe-agent.ts'

type OriginProps = Pick<ApprovalPageProps, 'kind' | 'place' | 'expiresAt' | 'now'> & { locale: Locale }

export function Origin({ locale, kind, place, expiresAt, now }: OriginProps) {
  const address = cleanText(place.address ?? '') || translate(locale, 'approval.unknown')
  return (
    <section class="gh-section" aria-labelledby="origin-title">
      <h2 class="gh-heading" id="origin-title">
        {translate(locale, `approval.${kind}.origin`)}
      </h2>
      <dl class="gh-facts gh-origin">
        {kind === 'device' && (
          <>
            <Fact name={translate(locale, 'approval.device')}>{describeAgent(locale, place.userAgent)}</Fact>
            <Fact name={translate(locale, 'approval.address')}>{address}</Fact>
          </>
        )}
        <Fact name={translate(locale, 'approval.asked')}>
          <time datetime={new Date(place.at).toISOString()}>{formatAgo(locale, (now - place.at) / 1000)}</time>
        </Fact>
        <Fact name={translate(locale, 'approval.left')}>{formatLeft(locale, (expiresAt - now) / 1000)}</Fact>
      </dl>
    </section>
  )
}

/** Whole minutes that are certainly left: the page does not count them down. */
function formatLeft(locale: Locale, seconds: number): string {
  return formatWait(locale, seconds < 60 ? seconds : Math.floor(seconds / 60) * 60)
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="gh-fact">
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  )
}
