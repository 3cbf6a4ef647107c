// Steps that wait for a message to be opened: the link to sign in, and the required action VERIFY_EMAIL (contract 2.48).

import { Field, Message } from '../components/index.ts'
import { safeAction } from '../links.ts'
import { translate } from '../messages/index.ts'
import { Account, describeError, Resend, StepAlert, StepCard, StepForm, type StepProps } from './frame.tsx'
import { placeCodeError } from './one-time-code.tsx'

/** The same words whether the account exists or not (S42). */
export function LinkSentPage({ frame, page }: StepProps<'LINK_SENT'>) {
  const { locale } = frame
  return (
    <StepCard frame={frame} name="link-sent" title={translate(locale, 'linkSent.title')}>
      <p class="gh-text">
        <Message locale={locale} id="linkSent.text" values={{ username: page.username }} />
      </p>
      <p class="gh-subtitle">{translate(locale, 'linkSent.help')}</p>
      <StepAlert message={describeError(frame, page.error)} />
      <Resend frame={frame} label={translate(locale, 'linkSent.resend')} seconds={page.resendSeconds} />
      <p class="gh-onward">
        <a class="gh-button gh-button-quiet" href={safeAction(frame.action)}>
          {translate(locale, 'step.startOver')}
        </a>
      </p>
    </StepCard>
  )
}

/** The code of the mail is for here, its link for anywhere; after the link the person goes on with the field empty. */
export function VerifyEmailPage({ frame, page }: StepProps<'VERIFY_EMAIL'>) {
  const { locale } = frame
  const { beside, above } = placeCodeError(frame, page.error)
  return (
    <StepCard frame={frame} name="verify-email" title={translate(locale, 'verifyEmail.title')}>
      <p class="gh-text">
        <Message locale={locale} id="verifyEmail.text" values={{ address: page.email }} />
      </p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={above} />
      <StepForm frame={frame}>
        <Field
          name="code"
          label={translate(locale, 'verifyEmail.code')}
          type="code"
          autocomplete="one-time-code"
          error={beside}
          required={false}
          autofocus
        />
        <button class="gh-button" type="submit">
          {translate(locale, 'step.continue')}
        </button>
      </StepForm>
      <Resend frame={frame} label={translate(locale, 'verifyEmail.resend')} seconds={page.resendSeconds} />
    </StepCard>
  )
}
