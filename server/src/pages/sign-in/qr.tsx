// A code for somebody who is signed in elsewhere: they read it there and let this screen in.

import { Alert, QrCode } from '../components/index.ts'
import { waitingScriptPath } from '../assets.ts'
import { safeAction } from '../links.ts'
import { translate } from '../messages/index.ts'
import { ShownNumber } from './device.tsx'
import { describeError, StepCard, StepForm, type StepProps } from './frame.tsx'
import { WaitForm } from './wait.tsx'

export function QrPage({ frame, page }: StepProps<'QR'>) {
  const { locale } = frame
  const isWaiting = page.address !== null
  const title = translate(locale, 'qr.title')
  const message = describeError(frame, page.error)
  return (
    <StepCard frame={frame} name="qr" title={title} script={isWaiting ? waitingScriptPath : undefined}>
      {message && <Alert id="form-error" message={message} />}
      {page.address !== null ? (
        <>
          <p class="gh-subtitle">{translate(locale, 'qr.text')}</p>
          <div class="gh-enrol">
            <QrCode text={page.address} label={translate(locale, 'qr.picture')} />
          </div>
          {page.number !== null && <ShownNumber frame={frame} number={page.number} label="qr.number" />}
          <p class="gh-text" role="status" data-wait-scanned="" hidden={!page.scanned}>
            {translate(locale, 'qr.scanned')}
          </p>
          <WaitForm frame={frame} />
        </>
      ) : (
        <StepForm frame={frame}>
          <button class="gh-button" type="submit" name="resend" value="true">
            {translate(locale, 'qr.again')}
          </button>
        </StepForm>
      )}
      <p class="gh-aside">
        <a class="gh-link" href={safeAction(frame.action)}>
          {translate(locale, 'qr.elsewhere')}
        </a>
      </p>
    </StepCard>
  )
}
