// The registration (contract 4.5b): the account begins when the address is confirmed.

import type { PasswordRule } from '../../domain/passwords/index.ts'
import type { StepError } from '../../domain/sign-in/index.ts'
import type { FieldError } from '../../platform/errors/index.ts'
import { Alert, Check, Field, HiddenFields, Message, NewPassword } from '../components/index.ts'
import { sortErrors } from '../field-errors.ts'
import { realmPath, safeAction } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'
import { describeError, TermsLink } from '../sign-in/index.ts'

export interface RegisterPageProps {
  realm: RealmLook
  locale: Locale
  csrf: string
  action: string
  values: { email: string; firstName: string; lastName: string }
  rules: PasswordRule[]
  errors: FieldError[]
  error: StepError | null
  /** Non-null: the terms have to be accepted. */
  termsUrl: string | null
  retryAfterSeconds?: number
}

const fields = [
  { name: 'email', type: 'email', autocomplete: 'email' },
  { name: 'firstName', type: 'text', autocomplete: 'given-name' },
  { name: 'lastName', type: 'text', autocomplete: 'family-name' },
] as const

const names = ['email', 'firstName', 'lastName', 'newPassword', 'confirmPassword', 'accept'] as const

export function renderRegisterPage(props: RegisterPageProps): string {
  return renderDocument(<RegisterPage {...props} />)
}

function RegisterPage(props: RegisterPageProps) {
  const { realm, locale, error } = props
  const title = translate(locale, 'register.title')
  const errors = sortErrors(locale, props.errors, names)
  const message = describeError(props, error === 'acceptNeeded' ? null : error) ?? errors.form
  return (
    <Shell page="register" title={title} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        <p class="gh-subtitle">
          <Message locale={locale} id="register.subtitle" values={{ realm: realm.displayName }} />
        </p>
        {message && <Alert id="form-error" message={message} />}
        <RegisterForm {...props} sorted={errors} />
        <p class="gh-aside">
          {translate(locale, 'register.hasAccount')}{' '}
          <a class="gh-link" href={realmPath(realm.realmId, '/login')}>
            {translate(locale, 'register.signIn')}
          </a>
        </p>
      </div>
    </Shell>
  )
}

type SortedErrors = ReturnType<typeof sortErrors<(typeof names)[number]>>

function RegisterForm(props: RegisterPageProps & { sorted: SortedErrors }) {
  const { locale, csrf, action, values, rules, termsUrl, sorted } = props
  const isRefused = sorted.fields.accept !== null || props.error === 'acceptNeeded'
  const acceptError = isRefused ? describeError(props, 'acceptNeeded') : null
  // A checkbox takes the cursor itself when it is the only thing wrong.
  const focus = sorted.first ?? (acceptError === null ? 'email' : null)
  return (
    <form class="gh-form" method="post" action={safeAction(action)}>
      <HiddenFields values={{ _csrf: csrf }} />
      {fields.map(({ name, type, autocomplete }) => (
        <Field
          key={name}
          name={name}
          label={translate(locale, `profile.${name}`)}
          type={type}
          autocomplete={autocomplete}
          value={values[name]}
          error={sorted.fields[name]}
          autofocus={focus === name}
        />
      ))}
      <NewPassword
        locale={locale}
        rules={rules}
        label={translate(locale, 'register.password')}
        confirmLabel={translate(locale, 'register.confirmPassword')}
        errors={sorted.fields}
        focus={focus}
      />
      {termsUrl !== null && (
        <div class="gh-terms">
          <TermsLink locale={locale} termsUrl={termsUrl} />
          <Check
            name="accept"
            label={translate(locale, 'terms.accept')}
            required
            error={acceptError}
            autofocus={focus === null || focus === 'accept'}
          />
        </div>
      )}
      <button class="gh-button" type="submit">
        {translate(locale, 'register.submit')}
      </button>
    </form>
  )
}
