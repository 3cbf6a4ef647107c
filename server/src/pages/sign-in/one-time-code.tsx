// One-time codes: from an authenticator app (RFC 6238), by mail, by text message, and the recovery codes kept for bad days.

import type { StepError } from '../../domain/sign-in/index.ts'
import { Field, Message } from '../components/index.ts'
import { translate } from '../messages/index.ts'
import {
  Account,
  describeError,
  OtherMethods,
  Resend,
  StepAlert,
  StepCard,
  StepForm,
  type StepFrame,
  type StepProps,
} from './frame.tsx'
import { TrustDevice } from './trust-device.tsx'

export function OtpPage({ frame, page }: StepProps<'OTP'>) {
  const { locale } = frame
  return (
    <StepCard frame={frame} name="otp" title={translate(locale, `code.${page.method}.title`)}>
      <p class="gh-subtitle">
        <OtpText frame={frame} page={page} />
      </p>
      <CodeForm frame={frame} page={page} label={translate(locale, 'code.label')} autocomplete="one-time-code" />
      {page.resendSeconds !== null && (
        <Resend frame={frame} label={translate(locale, 'code.resend')} seconds={page.resendSeconds} />
      )}
      <OtherMethods frame={frame} others={page.others} />
    </StepCard>
  )
}

function OtpText({ frame, page }: StepProps<'OTP'>) {
  const { locale, realm } = frame
  if (page.method === 'totp')
    return <Message locale={locale} id="code.totp.text" values={{ realm: realm.displayName }} />
  return <Message locale={locale} id={`code.${page.method}.text`} values={{ address: page.sentTo ?? '…' }} />
}

export function RecoveryCodePage({ frame, page }: StepProps<'RECOVERY_CODE'>) {
  const { locale } = frame
  return (
    <StepCard frame={frame} name="recovery-code" title={translate(locale, 'code.recovery.title')}>
      <p class="gh-subtitle">{translate(locale, 'code.recovery.text')}</p>
      {/* Browsers offer codes they have just seen in messages; a recovery code is never one of them. */}
      <CodeForm frame={frame} page={page} label={translate(locale, 'code.recovery.label')} autocomplete="off" />
      <OtherMethods frame={frame} others={page.others} />
    </StepCard>
  )
}

interface CodeFormProps {
  frame: StepFrame
  page: { username: string; error: StepError | null; trustDays: number }
  label: string
  autocomplete: 'one-time-code' | 'off'
}

function CodeForm({ frame, page, label, autocomplete }: CodeFormProps) {
  const { beside, above } = placeCodeError(frame, page.error)
  return (
    <>
      <Account frame={frame} username={page.username} />
      <StepAlert message={above} />
      <StepForm frame={frame}>
        <Field name="code" label={label} type="code" autocomplete={autocomplete} error={beside} autofocus />
        <TrustDevice frame={frame} days={page.trustDays} />
        <button class="gh-button" type="submit">
          {translate(frame.locale, 'step.continue')}
        </button>
      </StepForm>
    </>
  )
}

/** Errors about the code stand beside its field, all others above the form. */
export function placeCodeError(frame: StepFrame, error: StepError | null) {
  const message = describeError(frame, error)
  const isAboutCode = error === 'codeMissing' || error === 'codeWrong' || error === 'codeExpired'
  return isAboutCode ? { beside: message, above: null } : { beside: null, above: message }
}
