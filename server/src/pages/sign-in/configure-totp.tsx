// The required action CONFIGURE_TOTP: the key for an authenticator app, as a picture, as a link and as text (RFC 6238).

import { Field, QrCode } from '../components/index.ts'
import { safeOtpauthHref } from '../links.ts'
import { translate } from '../messages/index.ts'
import { Account, OtherMethods, StepAlert, StepCard, StepForm, type StepProps } from './frame.tsx'
import { placeCodeError } from './one-time-code.tsx'

export function ConfigureTotpPage({ frame, page }: StepProps<'CONFIGURE_TOTP'>) {
  const { locale } = frame
  const { beside, above } = placeCodeError(frame, page.error)
  return (
    <StepCard frame={frame} name="configure-totp" title={translate(locale, 'totp.title')}>
      <p class="gh-subtitle">{translate(locale, 'totp.text')}</p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={above} />
      <div class="gh-enrol">
        <p>{translate(locale, 'totp.scan')}</p>
        <QrCode text={page.uri} label={translate(locale, 'totp.picture')} />
        <a class="gh-link" href={safeOtpauthHref(page.uri)}>
          {translate(locale, 'totp.open')}
        </a>
        <p>{translate(locale, 'totp.key')}</p>
        <code class="gh-secret" dir="ltr">
          {groupByFour(page.secret)}
        </code>
      </div>
      <StepForm frame={frame}>
        <Field
          name="code"
          label={translate(locale, 'totp.enter')}
          type="code"
          autocomplete="one-time-code"
          error={beside}
          // With an error the person has scanned by now; before, the cursor would scroll the picture away.
          autofocus={beside !== null}
        />
        <button class="gh-button" type="submit">
          {translate(locale, 'totp.submit')}
        </button>
      </StepForm>
      <OtherMethods frame={frame} others={page.others} />
    </StepCard>
  )
}

/** Apps take the spaces along; people lose their place without them. */
function groupByFour(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/gsu, '$& ')
}
