// The sign-in page: one form, one POST (specification part 5, contract 4.2 and 4.3).

import type { StepError } from '../../domain/sign-in/index.ts'
import { passkeyScriptPath } from '../assets.ts'
import { Field, Message } from '../components/index.ts'
import { realmPath, safeAction } from '../links.ts'
import { translate } from '../messages/index.ts'
import { Shell } from '../shell.tsx'
import { Account, describeError, StepAlert, type StepFrame, StepForm, type StepProps } from './frame.tsx'
import { PasskeyFields, PasskeyStart, passkeyData } from './passkey-parts.tsx'

type LoginStep = StepProps<'LOGIN'>

/** Errors that belong to one field; the others speak about the whole form. */
const errorFields: Partial<Record<StepError, 'username' | 'password'>> = {
  credentials: 'password',
  usernameMissing: 'username',
  passwordMissing: 'password',
}

interface LoginErrors {
  username: string | null
  password: string | null
  form: string | null
  /** One message beside the password speaks for both fields. */
  both: boolean
}

export function LoginPage(props: LoginStep) {
  const { frame, page } = props
  const { realm, locale } = frame
  const title = translate(locale, 'login.title')
  const errors = placeError(props)
  return (
    <Shell
      page="login"
      title={title}
      realm={realm}
      locale={locale}
      script={page.passkey ? passkeyScriptPath : undefined}
    >
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        <p class="gh-subtitle">
          <Message locale={locale} id="login.subtitle" values={{ realm: realm.displayName }} />
        </p>
        {realm.welcomeText && (
          <p class="gh-welcome">
            <bdi>{realm.welcomeText}</bdi>
          </p>
        )}
        {page.fields === 'PASSWORD' && <Account frame={frame} username={page.username} />}
        <StepAlert message={errors.form} />
        <StepForm frame={frame} data={page.passkey ? passkeyData(frame, 'get', page.passkey, true) : {}}>
          <LoginFields {...props} errors={errors} />
          <OtherDoors {...props} />
        </StepForm>
        {frame.registrationAllowed && (
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

function placeError({ frame, page }: LoginStep): LoginErrors {
  const message = describeError(frame, page.error)
  const wanted = page.error === null ? null : (errorFields[page.error] ?? null)
  const shown = { username: hasUsername(page), password: hasPassword(page) }
  const place = wanted !== null && shown[wanted] ? wanted : 'form'
  return {
    username: place === 'username' ? message : null,
    password: place === 'password' ? message : null,
    form: place === 'form' ? message : null,
    both: page.error === 'credentials' && place === 'password',
  }
}

function hasUsername({ fields }: LoginStep['page']): boolean {
  return fields === 'BOTH' || fields === 'USERNAME'
}

function hasPassword({ fields }: LoginStep['page']): boolean {
  return fields === 'BOTH' || fields === 'PASSWORD'
}

function LoginFields({ frame, page, errors }: LoginStep & { errors: LoginErrors }) {
  if (page.fields === 'NONE') return null
  const { locale } = frame
  const passwordFirst = errors.password !== null || (errors.username === null && page.username !== '')
  const focus = hasPassword(page) && (passwordFirst || !hasUsername(page)) ? 'password' : 'username'
  return (
    <>
      {hasUsername(page) ? (
        <Field
          name="username"
          label={translate(locale, frame.loginWithEmail ? 'login.usernameOrEmail' : 'login.username')}
          type="text"
          autocomplete={page.passkey ? 'username webauthn' : 'username'}
          value={page.username}
          error={errors.username}
          invalid={errors.both}
          describedBy={errors.both ? ['password-error'] : []}
          autofocus={focus === 'username'}
        />
      ) : (
        <KnownUsername frame={frame} username={page.username} />
      )}
      {hasPassword(page) && (
        <Field
          name="password"
          label={translate(locale, 'login.password')}
          type="password"
          autocomplete="current-password"
          error={errors.password}
          autofocus={focus === 'password'}
        />
      )}
      <LoginOptions frame={frame} />
      <button class="gh-button" type="submit">
        {translate(locale, page.fields === 'USERNAME' ? 'login.next' : 'login.submit')}
      </button>
    </>
  )
}

/** Hidden by CSS and not by type="hidden", which password managers do not read. */
export function KnownUsername({ frame, username }: { frame: Pick<StepFrame, 'locale'>; username: string }) {
  return (
    <input
      class="gh-visually-hidden"
      type="text"
      name="username"
      value={username}
      autocomplete="username"
      aria-label={translate(frame.locale, 'login.username')}
      aria-hidden="true"
      tabIndex={-1}
      readOnly
    />
  )
}

function LoginOptions({ frame }: { frame: StepFrame }) {
  const { locale, rememberMe, realm } = frame
  if (!rememberMe.offered && !frame.resetPasswordAllowed) return null
  return (
    <div class="gh-row">
      {rememberMe.offered && (
        <label class="gh-check">
          <input type="checkbox" name="rememberMe" value="true" checked={rememberMe.checked === true} />
          {translate(locale, 'login.rememberMe')}
        </label>
      )}
      {frame.resetPasswordAllowed && (
        <a class="gh-link" href={realmPath(realm.realmId, '/reset-password')}>
          {translate(locale, 'login.forgotPassword')}
        </a>
      )}
    </div>
  )
}

/** The doors beside the password. They come after its button, which is the one the Enter key presses. */
function OtherDoors({ frame, page }: LoginStep) {
  const { locale } = frame
  const alone = page.fields === 'NONE'
  if (!page.passkey && !page.magicLink && !page.qr) return null
  return (
    <>
      {!alone && (
        <p class="gh-or">
          <span>{translate(locale, 'login.or')}</span>
        </p>
      )}
      <div class="gh-doors">
        {page.passkey && (
          <>
            <PasskeyFields prompt={page.passkey} />
            <PasskeyStart frame={frame} label={translate(locale, 'login.passkey')} quiet={!alone} />
          </>
        )}
        {page.magicLink && (
          // Without the browser's own checks: a link needs no password.
          <button class="gh-button gh-button-quiet" type="submit" name="magicLink" value="true" formNoValidate>
            {translate(locale, 'login.magicLink')}
          </button>
        )}
        {page.qr && (
          <button class="gh-button gh-button-quiet" type="submit" name="qr" value="true" formNoValidate>
            {translate(locale, 'login.qr')}
          </button>
        )}
      </div>
      {alone && page.username !== '' && (
        <a class="gh-link" href={safeAction(frame.action)}>
          {translate(locale, 'login.notYou')}
        </a>
      )}
    </>
  )
}
