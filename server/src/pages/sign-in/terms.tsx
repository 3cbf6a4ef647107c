// The required action TERMS_AND_CONDITIONS (contract 2.48).

import { Check, Message } from '../components/index.ts'
import { safeHref } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { Account, describeError, StepAlert, StepCard, StepForm, type StepProps } from './frame.tsx'

export function TermsPage({ frame, page }: StepProps<'TERMS'>) {
  const { locale, realm } = frame
  const message = describeError(frame, page.error)
  const beside = page.error === 'acceptNeeded'
  return (
    <StepCard frame={frame} name="terms" title={translate(locale, 'terms.title')}>
      <p class="gh-subtitle">
        <Message locale={locale} id="terms.text" values={{ realm: realm.displayName }} />
      </p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={beside ? null : message} />
      <StepForm frame={frame}>
        {page.termsUrl && <TermsLink locale={locale} termsUrl={page.termsUrl} />}
        <Check name="accept" label={translate(locale, 'terms.accept')} required error={beside ? message : null} />
        <button class="gh-button" type="submit">
          {translate(locale, 'terms.submit')}
        </button>
      </StepForm>
    </StepCard>
  )
}

/** In a tab of its own: whoever reads the terms must not lose the form. */
export function TermsLink({ locale, termsUrl }: { locale: Locale; termsUrl: string }) {
  return (
    <a class="gh-link" href={safeHref(termsUrl)} target="_blank" rel="noopener noreferrer">
      {translate(locale, 'terms.read')}
    </a>
  )
}
