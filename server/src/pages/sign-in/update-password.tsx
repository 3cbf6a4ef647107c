// The required action UPDATE_PASSWORD: the person chooses a new password before the sign-in goes on (contract 2.65).

import { Message, NewPassword } from '../components/index.ts'
import { sortErrors } from '../field-errors.ts'
import { translate } from '../messages/index.ts'
import { Account, StepAlert, StepCard, StepForm, type StepProps } from './frame.tsx'
import { KnownUsername } from './login.tsx'

export function UpdatePasswordPage({ frame, page }: StepProps<'UPDATE_PASSWORD'>) {
  const { realm, locale } = frame
  const errors = sortErrors(locale, page.errors, ['newPassword', 'confirmPassword'])
  return (
    <StepCard frame={frame} name="update-password" title={translate(locale, 'updatePassword.title')}>
      <p class="gh-subtitle">
        <Message locale={locale} id="updatePassword.subtitle" values={{ realm: realm.displayName }} />
      </p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={errors.form} />
      <StepForm frame={frame}>
        {/* So that password managers store the new password under the right name. */}
        <KnownUsername frame={frame} username={page.username} />
        <NewPassword
          locale={locale}
          rules={page.rules}
          label={translate(locale, 'updatePassword.newPassword')}
          confirmLabel={translate(locale, 'updatePassword.confirmPassword')}
          errors={errors.fields}
          focus={errors.first ?? 'newPassword'}
        />
        <button class="gh-button" type="submit">
          {translate(locale, 'updatePassword.submit')}
        </button>
      </StepForm>
    </StepCard>
  )
}
