// The changes of the security page, each on a page of its own: password, a new factor, its name, its end.

import type { PasswordRule } from '../../domain/passwords/index.ts'
import type { FieldError } from '../../platform/errors/index.ts'
import { Field, Message, NewPassword } from '../components/index.ts'
import { sortErrors } from '../field-errors.ts'
import { translate } from '../messages/index.ts'
import { renderDocument } from '../shell.tsx'
import type { AccountFrame } from './frame.tsx'
import { type Factor, factorName } from './security.tsx'
import { StepForm, StepPage } from './step.tsx'

export interface PasswordStepProps {
  frame: AccountFrame
  /** What is wrong with none of the fields. */
  alert?: string | null
  /** Whoever has none yet is not asked for it. */
  hasPassword: boolean
  rules: PasswordRule[]
  errors: FieldError[]
}

export function renderPasswordStep({ frame, hasPassword, rules, errors, alert = null }: PasswordStepProps): string {
  const { locale } = frame
  const title = translate(locale, hasPassword ? 'account.password.title' : 'account.security.passwordChoose')
  const sorted = sortErrors(locale, errors, ['currentPassword', 'newPassword', 'confirmPassword'])
  // The page has words of its own for the one mistake that everybody makes.
  const isWrong = errors.some(({ field, code }) => field === 'currentPassword' && code !== 'required')
  const wrong = isWrong ? translate(locale, 'account.password.wrong') : sorted.fields.currentPassword
  return renderDocument(
    <StepPage frame={frame} page="security" title={title} plainTitle={title} alert={alert ?? sorted.form}>
      <p class="gh-subtitle">{translate(locale, 'account.password.text')}</p>
      <StepForm
        frame={frame}
        page="security"
        action="password"
        submit={translate(locale, hasPassword ? 'account.password.submit' : 'account.save')}
      >
        {/* Managers of passwords file the new one under this name. */}
        <input
          class="gh-visually-hidden"
          type="text"
          name="username"
          autocomplete="username"
          value={frame.username}
          tabindex={-1}
          aria-hidden="true"
          readonly
        />
        {hasPassword && (
          <Field
            name="currentPassword"
            label={translate(locale, 'account.password.current')}
            type="password"
            autocomplete="current-password"
            error={wrong}
            autofocus={sorted.first === null || sorted.first === 'currentPassword'}
          />
        )}
        <NewPassword
          locale={locale}
          rules={rules}
          label={translate(locale, 'updatePassword.newPassword')}
          confirmLabel={translate(locale, 'updatePassword.confirmPassword')}
          errors={sorted.fields}
          focus={sorted.first ?? (hasPassword ? null : 'newPassword')}
        />
      </StepForm>
    </StepPage>,
  )
}

export type Addition = 'passkey' | 'totp' | 'recovery-codes' | 'email' | 'device'

export interface AddStepProps {
  frame: AccountFrame
  what: Addition
  /** Whether codes that are there now end with it. */
  replaces?: boolean
}

const additionTitles = {
  passkey: 'action.REGISTER_WEBAUTHN',
  totp: 'action.CONFIGURE_TOTP',
  'recovery-codes': 'action.CONFIGURE_RECOVERY_CODES',
  email: 'action.VERIFY_EMAIL',
  device: 'account.places.addDevice',
} as const

const additionPages = {
  passkey: 'security',
  totp: 'security',
  'recovery-codes': 'security',
  email: 'personal',
  device: 'places',
} as const

/** Before the tested pages of the sign-in take over. A POST begins it, so that opening an address changes nothing. */
export function renderAddStep({ frame, what, replaces = false }: AddStepProps): string {
  const { locale } = frame
  const title = translate(locale, additionTitles[what])
  const page = additionPages[what]
  return renderDocument(
    <StepPage frame={frame} page={page} title={title} plainTitle={title}>
      <p class="gh-text">{translate(locale, what === 'passkey' ? 'passkey.createText' : 'account.add.text')}</p>
      {replaces && <p class="gh-text">{translate(locale, 'account.add.renewText')}</p>}
      {what === 'passkey' && (
        <noscript>
          <p class="gh-alert">{translate(locale, 'account.add.passkeyScript')}</p>
        </noscript>
      )}
      <StepForm
        frame={frame}
        page={page}
        action="add"
        fields={{ what }}
        submit={translate(locale, 'account.add.continue')}
      />
    </StepPage>,
  )
}

export interface FactorStepProps {
  frame: AccountFrame
  factor: Factor
  errors?: FieldError[]
  alert?: string | null
}

export function renderRenameStep({ frame, factor, errors = [], alert = null }: FactorStepProps): string {
  const { locale } = frame
  const name = factorName(frame, factor)
  const sorted = sortErrors(locale, errors, ['label'])
  return renderDocument(
    <StepPage
      frame={frame}
      page="security"
      title={<Message locale={locale} id="account.rename.title" values={{ name }} />}
      plainTitle={translate(locale, 'account.rename.title', { name })}
      alert={alert ?? sorted.form}
    >
      <StepForm
        frame={frame}
        page="security"
        action="rename"
        fields={{ id: factor.id }}
        submit={translate(locale, 'account.save')}
      >
        <Field
          name="label"
          label={translate(locale, 'account.rename.label')}
          hint={translate(locale, 'account.rename.hint')}
          type="text"
          autocomplete="off"
          value={factor.label ?? ''}
          error={sorted.fields.label}
          autofocus
          required={false}
        />
      </StepForm>
    </StepPage>,
  )
}

export function renderRemoveStep({ frame, factor, alert = null }: FactorStepProps): string {
  const { locale } = frame
  const name = factorName(frame, factor)
  return renderDocument(
    <StepPage
      frame={frame}
      page="security"
      title={<Message locale={locale} id="account.removeFactor.title" values={{ name }} />}
      plainTitle={translate(locale, 'account.removeFactor.title', { name })}
      alert={alert}
    >
      <p class="gh-text">{translate(locale, 'account.removeFactor.text')}</p>
      <StepForm
        frame={frame}
        page="security"
        action="remove"
        fields={{ id: factor.id }}
        submit={translate(locale, 'account.remove')}
        danger
      />
    </StepPage>,
  )
}
