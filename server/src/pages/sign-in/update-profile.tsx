// The required action UPDATE_PROFILE: details that are missing or have to be looked at again (contract 2.48).

import type { ProfileField } from '../../domain/sign-in/index.ts'
import { Field, Message } from '../components/index.ts'
import { sortErrors } from '../field-errors.ts'
import { translate } from '../messages/index.ts'
import { Account, StepAlert, StepCard, StepForm, type StepProps } from './frame.tsx'

const fields = [
  { name: 'email', type: 'email', autocomplete: 'email' },
  { name: 'firstName', type: 'text', autocomplete: 'given-name' },
  { name: 'lastName', type: 'text', autocomplete: 'family-name' },
  { name: 'phone', type: 'tel', autocomplete: 'tel' },
] as const satisfies { name: ProfileField; type: string; autocomplete: string }[]

export function UpdateProfilePage({ frame, page }: StepProps<'UPDATE_PROFILE'>) {
  const { realm, locale } = frame
  const errors = sortErrors(locale, page.errors, ['email', 'firstName', 'lastName', 'phone'])
  const focus = errors.first ?? fields.find(({ name }) => page.values[name] === '')?.name ?? 'email'
  return (
    <StepCard frame={frame} name="update-profile" title={translate(locale, 'updateProfile.title')}>
      <p class="gh-subtitle">
        <Message locale={locale} id="updateProfile.subtitle" values={{ realm: realm.displayName }} />
      </p>
      <Account frame={frame} username={page.username} />
      <StepAlert message={errors.form} />
      <StepForm frame={frame}>
        {fields.map(({ name, type, autocomplete }) => (
          <Field
            key={name}
            name={name}
            label={translate(locale, `profile.${name}`)}
            type={type}
            autocomplete={autocomplete}
            value={page.values[name]}
            error={errors.fields[name]}
            autofocus={focus === name}
            // The realm decides what it needs; its answer names the field.
            required={false}
          />
        ))}
        <button class="gh-button" type="submit">
          {translate(locale, 'updateProfile.submit')}
        </button>
      </StepForm>
    </StepCard>
  )
}
