// Waits for a yes on a device of the person: told by push, or read from this screen and answered with the device's key.

import { QrCode } from '../components/index.ts'
import { waitingScriptPath } from '../assets.ts'
import { translate } from '../messages/index.ts'
import {
  Account,
  describeError,
  OtherMethods,
  Resend,
  StepAlert,
  StepCard,
  type StepFrame,
  type StepProps,
} from './frame.tsx'
import { TrustDevice } from './trust-device.tsx'
import { WaitForm } from './wait.tsx'

export function DevicePage({ frame, page }: StepProps<'DEVICE'>) {
  const { locale } = frame
  const isWaiting = page.error === null
  return (
    <StepCard
      frame={frame}
      name="device-approval"
      title={translate(locale, `${keyOf(page.method)}.title`)}
      script={isWaiting ? waitingScriptPath : undefined}
    >
      {isWaiting && (
        <p class="gh-subtitle">{translate(locale, page.address === null ? 'push.text' : 'deviceKey.text')}</p>
      )}
      <Account frame={frame} username={page.username} />
      <StepAlert message={describeError(frame, page.error)} />
      {page.number !== null && <ShownNumber frame={frame} number={page.number} label="push.number" />}
      {page.address !== null && (
        <div class="gh-enrol">
          <p>{translate(locale, 'deviceKey.scan')}</p>
          <QrCode text={page.address} label={translate(locale, 'deviceKey.picture')} />
        </div>
      )}
      {isWaiting && (
        <WaitForm frame={frame}>
          <TrustDevice frame={frame} days={page.trustDays} />
        </WaitForm>
      )}
      {page.error !== 'approvalLimited' && (
        <Resend frame={frame} label={translate(locale, `${keyOf(page.method)}.resend`)} seconds={page.resendSeconds} />
      )}
      <OtherMethods frame={frame} others={page.others} />
    </StepCard>
  )
}

const keyOf = (method: 'push' | 'device-key') => (method === 'push' ? 'push' : 'deviceKey')

/** What the other device has to name: in letters that are read across a table. */
export function ShownNumber(props: { frame: StepFrame; number: number; label: 'push.number' | 'qr.number' }) {
  const { frame, number, label } = props
  return (
    <div class="gh-compare">
      <p class="gh-compare-label">{translate(frame.locale, label)}</p>
      <p class="gh-compare-code" dir="ltr">
        {number}
      </p>
    </div>
  )
}
