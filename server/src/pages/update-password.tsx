// The required action UPDATE_PASSWORD: the user chooses a new password before the sign-in goes on (contract 2.65).

import { Alert, Field, HiddenFields, Message } from './components/index.ts'
import { safeAction } from './links.ts'
import { fallbackLocale, type Locale, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export interface UpdatePasswordPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  action: string
  continuation?: string | null
  signInId: string | null
  /** Also sent as a hidden field, so that password managers store the new password under the right name. */
  username: string
  /** The realm's policy in words, one rule a line. */
  rules: string[]
  /** `newPassword` and `confirmPassword` errors stand beside their field, all others above the form. */
  errors: { field: string; message: string }[]
}

export function renderUpdatePasswordPage(props: UpdatePasswordPageProps): string {
  return renderDocument(<UpdatePasswordPage {...props} />)
}

function UpdatePasswordPage(props: UpdatePasswordPageProps) {
  const { realm, locale = fallbackLocale, username, rules } = props
  const newPasswordError = joinErrors(props, (field) => field === 'newPassword')
  const confirmError = joinErrors(props, (field) => field === 'confirmPassword')
  const formError = joinErrors(props, (field) => field !== 'newPassword' && field !== 'confirmPassword')
  const confirmFirst = newPasswordError === null && confirmError !== null
  return (
    <Shell page="update-password" title={translate(locale, 'updatePassword.title')} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{translate(locale, 'updatePassword.title')}</h1>
        <p class="gh-subtitle">
          <Message locale={locale} id="updatePassword.subtitle" values={{ realm: realm.displayName }} />
        </p>
        <p class="gh-account">
          <Message locale={locale} id="updatePassword.account" values={{ username }} />
        </p>
        {formError && <Alert id="form-error" message={formError} />}
        <form class="gh-form" method="post" action={safeAction(props.action)}>
          <HiddenFields
            values={{ _csrf: props.csrf, continuation: props.continuation ?? null, signIn: props.signInId }}
          />
          {/* Hidden by CSS and not by type="hidden", which password managers do not read. */}
          <input
            class="gh-visually-hidden"
            type="text"
            name="username"
            value={username}
            autocomplete="username"
            aria-label={translate(locale, 'updatePassword.username')}
            aria-hidden="true"
            tabIndex={-1}
            readOnly
          />
          <PasswordRules locale={locale} rules={rules} />
          <Field
            name="newPassword"
            label={translate(locale, 'updatePassword.newPassword')}
            type="password"
            autocomplete="new-password"
            error={newPasswordError}
            describedBy={rules.length > 0 ? ['password-rules'] : []}
            autofocus={!confirmFirst}
          />
          <Field
            name="confirmPassword"
            label={translate(locale, 'updatePassword.confirmPassword')}
            type="password"
            autocomplete="new-password"
            error={confirmError}
            autofocus={confirmFirst}
          />
          <button class="gh-button" type="submit">
            {translate(locale, 'updatePassword.submit')}
          </button>
        </form>
      </div>
    </Shell>
  )
}

function PasswordRules({ locale, rules }: { locale: Locale; rules: string[] }) {
  if (rules.length === 0) return null
  return (
    <div class="gh-rules" id="password-rules">
      <p class="gh-rules-title">{translate(locale, 'updatePassword.rules')}</p>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>
            <bdi>{rule}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}

function joinErrors({ errors }: UpdatePasswordPageProps, belongs: (field: string) => boolean): string | null {
  const messages = errors.filter(({ field }) => belongs(field)).map(({ message }) => message)
  return messages.length > 0 ? messages.join(' ') : null
}
