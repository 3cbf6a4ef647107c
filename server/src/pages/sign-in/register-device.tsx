// The required action REGISTER_DEVICE: the address that an authenticator app enrols with, as a picture and as text.

import { Alert, QrCode } from '../components/index.ts'
import { waitingScriptPath } from '../assets.ts'
import { translate } from '../messages/index.ts'
import { Account, describeError, StepAlert, StepCard, StepForm, type StepFrame, type StepProps } from './frame.tsx'
import { WaitForm } from './wait.tsx'

export function RegisterDevicePage({ frame, page }: StepProps<'REGISTER_DEVICE'>) {
  const { locale } = frame
  const { enrollmentUrl } = page
  return (
    <StepCard
      frame={frame}
      name="register-device"
      title={translate(locale, 'registerDevice.title')}
      script={enrollmentUrl === null ? undefined : waitingScriptPath}
    >
      <p class="gh-subtitle">{translate(locale, 'registerDevice.text')}</p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={describeError(frame, page.error)} />
      {enrollmentUrl === null ? <Ended frame={frame} /> : <Waiting frame={frame} enrollmentUrl={enrollmentUrl} />}
    </StepCard>
  )
}

function Waiting({ frame, enrollmentUrl }: { frame: StepFrame; enrollmentUrl: string }) {
  const { locale } = frame
  return (
    <>
      <div class="gh-enrol">
        <p>{translate(locale, 'registerDevice.scan')}</p>
        <QrCode text={enrollmentUrl} label={translate(locale, 'registerDevice.picture')} />
        <p>{translate(locale, 'registerDevice.address')}</p>
        <code class="gh-secret" dir="ltr">
          {enrollmentUrl}
        </code>
        <p role="status">{translate(locale, 'registerDevice.waiting')}</p>
      </div>
      <WaitForm frame={frame} label={translate(locale, 'registerDevice.submit')} />
    </>
  )
}

function Ended({ frame }: { frame: StepFrame }) {
  const { locale } = frame
  return (
    <>
      <Alert id="form-error" message={translate(locale, 'registerDevice.ended')} />
      <StepForm frame={frame}>
        <button class="gh-button" type="submit" name="renew" value="true">
          {translate(locale, 'registerDevice.renew')}
        </button>
      </StepForm>
    </>
  )
}
