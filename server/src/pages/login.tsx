// The sign-in page: one form, one POST (specification part 5, contract 4.2 and 4.3).

import { Alert, Field, HiddenFields, Message } from './components/index.ts'
import { realmPath, safeAction } from './links.ts'
import { fallbackLocale, formatWait, type Locale, type MessageKey, translate } from './messages/index.ts'
import { type RealmLook, renderDocument, Shell } from './shell.tsx'

export type LoginError = Extract<MessageKey, `login.error.${string}`>

export interface LoginPageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** Path of this server the form posts to. */
  action: string
  /** Opaque; where the sign-in goes when it is done. */
  continuation: string
  /** Null before the first POST: a GET starts no sign-in. */
  signInId: string | null
  username: string
  rememberMe: { offered: boolean; checked?: boolean }
  resetPasswordAllowed: boolean
  registrationAllowed: boolean
  loginWithEmail: boolean
  error: LoginError | null
  retryAfterSeconds?: number
}

/** Errors that belong to one field; the others speak about the whole form. */
const errorFields: Partial<Record<LoginError, 'username' | 'password'>> = {
  'login.error.credentials': 'password',
  'login.error.usernameMissing': 'username',
  'login.error.passwordMissing': 'password',
}

export function renderLoginPage(props: LoginPageProps): string {
  return renderDocument(<LoginPage {...props} />)
}

function LoginPage(props: LoginPageProps) {
  const { realm, locale = fallbackLocale, error, username } = props
  const message = error ? describeError(locale, error, props.retryAfterSeconds) : null
  const errorField = error ? (errorFields[error] ?? 'form') : null
  const credentials = error === 'login.error.credentials'
  const focus = errorField === 'username' || (errorField !== 'password' && username === '') ? 'username' : 'password'
  return (
    <Shell page="login" title={translate(locale, 'login.title')} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{translate(locale, 'login.title')}</h1>
        <p class="gh-subtitle">
          <Message locale={locale} id="login.subtitle" values={{ realm: realm.displayName }} />
        </p>
        {realm.welcomeText && (
          <p class="gh-welcome">
            <bdi>{realm.welcomeText}</bdi>
          </p>
        )}
        {message && errorField === 'form' && <Alert id="form-error" message={message} />}
        <form class="gh-form" method="post" action={safeAction(props.action)}>
          <HiddenFields values={{ _csrf: props.csrf, continuation: props.continuation, signIn: props.signInId }} />
          <Field
            name="username"
            label={translate(locale, props.loginWithEmail ? 'login.usernameOrEmail' : 'login.username')}
            type="text"
            autocomplete="username"
            value={username}
            error={errorField === 'username' ? message : null}
            invalid={credentials}
            describedBy={credentials ? ['password-error'] : []}
            autofocus={focus === 'username'}
          />
          <Field
            name="password"
            label={translate(locale, 'login.password')}
            type="password"
            autocomplete="current-password"
            error={errorField === 'password' ? message : null}
            autofocus={focus === 'password'}
          />
          <LoginOptions {...props} locale={locale} />
          <button class="gh-button" type="submit">
            {translate(locale, 'login.submit')}
          </button>
        </form>
        {props.registrationAllowed && (
          <p class="gh-aside">
            {translate(locale, 'login.noAccount')}{' '}
            <a class="gh-link" href={realmPath(realm.realmId, '/register')}>
              {translate(locale, 'login.register')}
            </a>
          </p>
        )}
      </div>
    </Shell>
  )
}

function LoginOptions(props: LoginPageProps & { locale: Locale }) {
  if (!props.rememberMe.offered && !props.resetPasswordAllowed) return null
  return (
    <div class="gh-row">
      {props.rememberMe.offered && (
        <label class="gh-check">
          <input type="checkbox" name="rememberMe" value="true" checked={props.rememberMe.checked === true} />
          {translate(props.locale, 'login.rememberMe')}
        </label>
      )}
      {props.resetPasswordAllowed && (
        <a class="gh-link" href={realmPath(props.realm.realmId, '/reset-password')}>
          {translate(props.locale, 'login.forgotPassword')}
        </a>
      )}
    </div>
  )
}

/** Half a minute when the caller knows no better: long enough for a full hashing queue to drain. */
const defaultWaitSeconds = 30

function describeError(locale: Locale, error: LoginError, retryAfterSeconds = defaultWaitSeconds): string {
  if (error === 'login.error.rateLimited' || error === 'login.error.unavailable') {
    return translate(locale, error, { wait: formatWait(locale, retryAfterSeconds) })
  }
  return translate(locale, error)
}
