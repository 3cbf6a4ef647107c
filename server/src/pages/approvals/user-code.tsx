// Where people type the code their device shows (RFC 8628, 3.3). Any case, spaces and strokes are fine: the server reads the letters.

import { Alert, Field, HiddenFields, Message } from '../components/index.ts'
import { safeAction } from '../links.ts'
import { fallbackLocale, formatWait, type Locale, translate } from '../messages/index.ts'
import { type RealmLook, renderDocument, Shell } from '../shell.tsx'
import { formatUserCode } from './format-user-code.ts'

export type UserCodeProblem = 'missing' | 'unknown' | 'expired' | 'used' | 'limited'

export interface UserCodePageProps {
  realm: RealmLook
  locale?: Locale
  csrf: string
  /** Gets `user_code` by POST, as it was typed. */
  action: string
  /** What was typed before, or came with `verification_uri_complete`; empty at first. */
  userCode: string
  problem: UserCodeProblem | null
  /** Of `limited`: how long the person has to wait. */
  retryAfterSeconds?: number
  /** Null for somebody who signs in after the code. */
  username: string | null
  /** Sent back unseen. */
  fields?: Readonly<Record<string, string>>
}

export function renderUserCodePage(props: UserCodePageProps): string {
  return renderDocument(<UserCodePage {...props} />)
}

/** A minute when the caller knows no better: what the limit on wrong codes counts in. */
const defaultWaitSeconds = 60

function UserCodePage(props: UserCodePageProps) {
  const { realm, locale = fallbackLocale, problem, username, retryAfterSeconds = defaultWaitSeconds } = props
  const title = translate(locale, 'userCode.title')
  return (
    <Shell page="user-code" title={title} realm={realm} locale={locale}>
      <div class="gh-card">
        <h1 class="gh-title">{title}</h1>
        <p class="gh-subtitle">{translate(locale, 'userCode.text')}</p>
        {problem === 'limited' && (
          <Alert
            id="form-error"
            message={translate(locale, 'error.rateLimited', { wait: formatWait(locale, retryAfterSeconds) })}
          />
        )}
        <CodeForm {...props} locale={locale} />
        {username !== null && (
          <p class="gh-account">
            <Message locale={locale} id="logout.account" values={{ username }} />
          </p>
        )}
      </div>
    </Shell>
  )
}

function CodeForm({ locale, csrf, action, userCode, problem, fields = {} }: UserCodePageProps & { locale: Locale }) {
  const error = problem === null || problem === 'limited' ? null : translate(locale, `userCode.${problem}`)
  return (
    <form class="gh-form" method="post" action={safeAction(action)}>
      <HiddenFields values={{ ...fields, _csrf: csrf }} />
      <Field
        name="user_code"
        label={translate(locale, 'userCode.label')}
        type="user-code"
        // It belongs to one device for some minutes; what a browser remembers would only be in the way.
        autocomplete="off"
        value={formatUserCode(userCode)}
        error={error}
        hint={translate(locale, 'userCode.hint')}
        autofocus
      />
      <button class="gh-button" type="submit">
        {translate(locale, 'userCode.submit')}
      </button>
    </form>
  )
}
