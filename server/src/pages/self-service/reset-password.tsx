// The form for a forgotten password (contract 4.5b). Its answer is the same for every name (S42).

import type { StepError } from '../../domain/sign-in/index.ts'
import { Alert, Field, HiddenFields } from '../components/index.ts'
import { realmPath, safeAction } from '../links.ts'
import { type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'
import { describeError } from '../sign-in/index.ts'

export interface ResetPasswordPageProps {
  realm: RealmLook
  locale: Locale
  csrf: string
  action: string
  username: string
  error: StepError | null
  retryAfterSeconds?: number
}

export function renderResetPasswordPage(props: ResetPasswordPageProps): string {
  return renderDocument(<ResetPasswordPage {...props} />)
}

function ResetPasswordPage(props: ResetPasswordPageProps) {
  const { realm, locale, csrf, action, username, error } = props
  const title = translate(locale, 'resetPassword.title')
  const message = describeError(props, error)
  const beside = error === 'usernameMissing'
  return (
    <Shell page="reset-password" title={title} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        <p class="gh-subtitle">{translate(locale, 'resetPassword.text')}</p>
        {message && !beside && <Alert id="form-error" message={message} />}
        <form class="gh-form" method="post" action={safeAction(action)}>
          <HiddenFields values={{ _csrf: csrf }} />
          <Field
            name="username"
            label={translate(locale, 'login.usernameOrEmail')}
            type="text"
            autocomplete="username"
            value={username}
            error={beside ? message : null}
            autofocus
          />
          <button class="gh-button" type="submit">
            {translate(locale, 'resetPassword.submit')}
          </button>
        </form>
        <p class="gh-aside">
          <a class="gh-link" href={realmPath(realm.realmId, '/login')}>
            {translate(locale, 'resetPassword.back')}
          </a>
        </p>
      </div>
    </Shell>
  )
}
