// The end of a sign-in that the realm's flow forbids.

import { Message } from '../components/index.ts'
import { safeAction } from '../links.ts'
import { translate } from '../messages/index.ts'
import { StepCard, type StepProps } from './frame.tsx'

export function DeniedPage({ frame, page }: StepProps<'DENIED'>) {
  const { locale, realm } = frame
  return (
    <StepCard frame={frame} name="denied" title={translate(locale, 'denied.title')}>
      <p class="gh-text">
        <Message locale={locale} id="denied.text" values={{ realm: realm.displayName }} />
      </p>
      {page.username !== '' && (
        <p class="gh-account">
          <Message locale={locale} id="step.account" values={{ username: page.username }} />
        </p>
      )}
      <p class="gh-onward">
        <a class="gh-button gh-button-quiet" href={safeAction(frame.action)}>
          {translate(locale, 'step.startOver')}
        </a>
      </p>
    </StepCard>
  )
}
