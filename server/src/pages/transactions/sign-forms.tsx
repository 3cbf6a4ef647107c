// The ways to sign, each a form of its own, and the way to say no. The best one is open; the others are a press away.

import type { ComponentChildren } from 'preact'
import { Field, HiddenFields } from '../components/index.ts'
import { safeAction } from '../links.ts'
import { type Locale, type MessageKey, translate } from '../messages/index.ts'
import { KnownUsername } from '../sign-in/login.tsx'
import { PasskeyFields, PasskeyStart, passkeyData } from '../sign-in/passkey-parts.tsx'
import type { PageMethod, SignPageProps } from './sign.tsx'

type FormsProps = SignPageProps & { locale: Locale }

export function SignForms(props: FormsProps) {
  const { locale, methods, problem } = props
  const [best, ...others] = methods
  const failed = problem !== null && problem.kind !== 'limited' ? problem.method : null
  return (
    <section class="gh-section" aria-label={translate(locale, 'tx.answer')}>
      {best === undefined && props.strongerHref === null && <p class="gh-text">{translate(locale, 'tx.noMethod')}</p>}
      {best !== undefined && <MethodForm {...props} method={best} />}
      {others.length > 0 && (
        <details class="gh-other-ways" open={others.some((method) => method === failed) || best === 'WEBAUTHN'}>
          <summary>{translate(locale, 'tx.otherWays')}</summary>
          {others.map((method) => (
            <MethodForm key={method} {...props} method={method} />
          ))}
        </details>
      )}
      <form class="gh-form gh-signed-reject" method="post" action={safeAction(props.action)}>
        <HiddenFields values={{ _csrf: props.csrf }} />
        <button class="gh-button gh-button-quiet" type="submit" name="decision" value="REJECT">
          {translate(locale, 'tx.reject')}
        </button>
      </form>
    </section>
  )
}

function MethodForm(props: FormsProps & { method: PageMethod }) {
  return props.method === 'WEBAUTHN' ? <PasskeyForm {...props} /> : <TypedForm {...props} method={props.method} />
}

interface SignFormProps extends FormsProps {
  method: PageMethod
  data?: Readonly<Record<`data-${string}`, string>>
  children: ComponentChildren
}

function SignForm({ csrf, action, method, data = {}, children }: SignFormProps) {
  return (
    <form class="gh-form" method="post" action={safeAction(action)} {...data}>
      <HiddenFields values={{ _csrf: csrf, decision: 'APPROVE', method }} />
      {children}
    </form>
  )
}

function PasskeyForm(props: FormsProps) {
  const { locale, problem } = props
  const prompt = { options: props.passkeyOptions ?? {}, challenge: null }
  const isWrong = problem !== null && problem.kind !== 'limited' && problem.method === 'WEBAUTHN'
  return (
    <SignForm {...props} method="WEBAUTHN" data={passkeyData({ locale }, 'get', prompt)}>
      <PasskeyFields prompt={prompt} />
      {isWrong && (
        <p class="gh-field-error" role="alert">
          {translate(locale, 'error.passkeyFailed')}
        </p>
      )}
      <PasskeyStart frame={{ locale }} label={translate(locale, 'tx.sign.passkey')} />
    </SignForm>
  )
}

const typed = {
  TOTP: { name: 'code', type: 'code', autocomplete: 'one-time-code', label: 'tx.code' },
  PASSWORD: { name: 'password', type: 'password', autocomplete: 'current-password', label: 'login.password' },
} as const

const problems = {
  TOTP: { wrong: 'error.codeWrong', missing: 'error.codeMissing' },
  PASSWORD: { wrong: 'tx.passwordWrong', missing: 'error.passwordMissing' },
} as const satisfies Record<string, Record<string, MessageKey>>

function TypedForm(props: FormsProps & { method: 'TOTP' | 'PASSWORD' }) {
  const { locale, method, problem } = props
  const { label, ...field } = typed[method]
  const isHere = problem !== null && problem.kind !== 'limited' && problem.method === method
  const error = isHere ? translate(locale, problems[method][problem.kind]) : null
  return (
    <SignForm {...props}>
      {method === 'PASSWORD' && <KnownUsername frame={{ locale }} username={props.username} />}
      <Field {...field} label={translate(locale, label)} error={error} autofocus={isHere} />
      <button class="gh-button" type="submit">
        {translate(locale, method === 'TOTP' ? 'tx.sign.code' : 'tx.sign.password')}
      </button>
    </SignForm>
  )
}
