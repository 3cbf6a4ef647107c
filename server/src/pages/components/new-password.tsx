// The two fields of a new password below the rules it has to follow, as in UPDATE_PASSWORD and in the registration.

import type { PasswordRule } from '../../domain/passwords/index.ts'
import {
  type CountedMessage,
  formatDays,
  isMessage,
  type Locale,
  translate,
  translateCount,
} from '../messages/index.ts'
import { Field } from './field.tsx'

export interface NewPasswordProps {
  locale: Locale
  rules: PasswordRule[]
  label: string
  confirmLabel: string
  errors: { newPassword: string | null; confirmPassword: string | null }
  /** The field the cursor waits in, if it is one of these. */
  focus: string | null
}

export function NewPassword({ locale, rules, label, confirmLabel, errors, focus }: NewPasswordProps) {
  return (
    <>
      <PasswordRules locale={locale} rules={rules} />
      <Field
        name="newPassword"
        label={label}
        type="password"
        autocomplete="new-password"
        error={errors.newPassword}
        describedBy={rules.length > 0 ? ['password-rules'] : []}
        autofocus={focus === 'newPassword'}
      />
      <Field
        name="confirmPassword"
        label={confirmLabel}
        type="password"
        autocomplete="new-password"
        error={errors.confirmPassword}
        autofocus={focus === 'confirmPassword'}
      />
    </>
  )
}

function PasswordRules({ locale, rules }: { locale: Locale; rules: PasswordRule[] }) {
  const texts = rules.map((rule) => describeRule(locale, rule)).filter((text) => text !== null)
  if (texts.length === 0) return null
  return (
    <div class="gh-rules" id="password-rules">
      <p class="gh-rules-title">{translate(locale, 'updatePassword.rules')}</p>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  )
}

/** Null for a rule the pages have no words for; it is still enforced, and its error says what is wrong. */
function describeRule(locale: Locale, { code, value }: PasswordRule): string | null {
  if (code === 'maxAgeDays') return translate(locale, 'rule.maxAgeDays', { days: formatDays(locale, value ?? 0) })
  if (isMessage(`rule.${code}.other`)) return translateCount(locale, `rule.${code}` as CountedMessage, value ?? 0)
  const plain = `rule.${code}`
  return isPlainRule(plain) ? translate(locale, plain) : null
}

const plainRules = ['rule.notUsername', 'rule.notEmail', 'rule.denylist', 'rule.breachCheck'] as const

function isPlainRule(key: string): key is (typeof plainRules)[number] {
  return (plainRules as readonly string[]).includes(key)
}
