// What a form needs to ask for a passkey: options for the script, the fields it fills, the button that starts it.

import type { PasskeyPrompt } from '../../domain/sign-in/index.ts'
import { HiddenFields } from '../components/index.ts'
import { translate } from '../messages/index.ts'
import type { StepFrame } from './frame.tsx'

/** Options and messages travel as attributes: a policy without inline script has no other way to hand them over. */
export function passkeyData(
  { locale }: Pick<StepFrame, 'locale'>,
  kind: 'get' | 'create',
  { options }: PasskeyPrompt,
  conditional = false,
): Record<`data-${string}`, string> {
  return {
    'data-passkey': kind,
    'data-options': JSON.stringify(options),
    'data-failed': translate(locale, 'passkey.failed'),
    'data-unsupported': translate(locale, 'passkey.unsupported'),
    'data-known': translate(locale, 'passkey.known'),
    ...(conditional ? { 'data-conditional': '' } : {}),
  }
}

export function PasskeyFields({ prompt }: { prompt: PasskeyPrompt }) {
  return <HiddenFields values={{ passkeyChallenge: prompt.challenge, assertion: '' }} />
}

interface PasskeyStartProps {
  frame: Pick<StepFrame, 'locale'>
  label: string
  quiet?: boolean
}

/** The button is drawn from the start, so that nothing moves when the script arrives; without script CSS hides it. */
export function PasskeyStart({ frame, label, quiet = false }: PasskeyStartProps) {
  return (
    <>
      <button
        class={quiet ? 'gh-button gh-button-quiet gh-needs-script' : 'gh-button gh-needs-script'}
        type="button"
        data-passkey-start=""
      >
        {label}
      </button>
      <p class="gh-alert" role="alert" data-passkey-status="" />
      <noscript>
        <p class="gh-advice">{translate(frame.locale, 'step.noScript')}</p>
      </noscript>
    </>
  )
}
