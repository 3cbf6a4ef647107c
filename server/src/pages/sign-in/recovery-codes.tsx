// The required action CONFIGURE_RECOVERY_CODES: the codes are shown this once (contract 2.48).

import { Check } from '../components/index.ts'
import { translate } from '../messages/index.ts'
import { Account, describeError, StepAlert, StepCard, StepForm, type StepProps } from './frame.tsx'

export function RecoveryCodesPage({ frame, page }: StepProps<'CONFIGURE_RECOVERY_CODES'>) {
  const { locale } = frame
  const message = describeError(frame, page.error)
  const beside = page.error === 'saveNeeded'
  return (
    <StepCard frame={frame} name="recovery-codes" title={translate(locale, 'recoveryCodes.title')}>
      <p class="gh-subtitle">{translate(locale, 'recoveryCodes.text')}</p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={beside ? null : message} />
      <ul class="gh-recovery" aria-label={translate(locale, 'recoveryCodes.list')}>
        {page.codes.map((code) => (
          <li key={code}>
            <code dir="ltr">{code}</code>
          </li>
        ))}
      </ul>
      <p class="gh-note">{translate(locale, 'recoveryCodes.keep')}</p>
      <StepForm frame={frame}>
        <Check name="saved" label={translate(locale, 'recoveryCodes.saved')} required error={beside ? message : null} />
        <button class="gh-button" type="submit">
          {translate(locale, 'step.continue')}
        </button>
      </StepForm>
    </StepCard>
  )
}
