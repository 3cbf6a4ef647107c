// A passkey or security key as a second factor, and the required action that registers one (Web Authentication Level 3).

import { passkeyScriptPath } from '../assets.ts'
import { translate } from '../messages/index.ts'
import { Account, describeError, OtherMethods, StepAlert, StepCard, StepForm, type StepProps } from './frame.tsx'
import { PasskeyFields, PasskeyStart, passkeyData } from './passkey-parts.tsx'
import { TrustDevice } from './trust-device.tsx'

export function WebauthnPage({ frame, page }: StepProps<'WEBAUTHN'>) {
  const { locale } = frame
  return (
    <StepCard frame={frame} name="webauthn" title={translate(locale, 'passkey.title')} script={passkeyScriptPath}>
      <p class="gh-subtitle">{translate(locale, 'passkey.text')}</p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={describeError(frame, page.error)} />
      <StepForm frame={frame} data={passkeyData(frame, 'get', page.prompt)}>
        <PasskeyFields prompt={page.prompt} />
        <TrustDevice frame={frame} days={page.trustDays} />
        <PasskeyStart frame={frame} label={translate(locale, 'passkey.use')} />
      </StepForm>
      <OtherMethods frame={frame} others={page.others} />
    </StepCard>
  )
}

export function RegisterWebauthnPage({ frame, page }: StepProps<'REGISTER_WEBAUTHN'>) {
  const { locale } = frame
  const title = translate(locale, 'passkey.createTitle')
  return (
    <StepCard frame={frame} name="register-webauthn" title={title} script={passkeyScriptPath}>
      <p class="gh-subtitle">{translate(locale, 'passkey.createText')}</p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={describeError(frame, page.error)} />
      <StepForm frame={frame} data={passkeyData(frame, 'create', page.prompt)}>
        <PasskeyFields prompt={page.prompt} />
        <PasskeyStart frame={frame} label={translate(locale, 'passkey.create')} />
      </StepForm>
      <OtherMethods frame={frame} others={page.others} />
    </StepCard>
  )
}
