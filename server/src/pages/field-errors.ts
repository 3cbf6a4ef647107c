// What is wrong with the fields of a form, in the reader's language, and where the cursor goes.

import type { FieldError } from '../platform/errors/index.ts'
import { isMessage, type Locale, translate } from './messages/index.ts'

export interface FormErrors<Name extends string> {
  fields: Record<Name, string | null>
  /** About none of the fields on the page, so it stands above the form. */
  form: string | null
  /** The first field with an error. */
  first: Name | null
}

export function sortErrors<Name extends string>(
  locale: Locale,
  errors: readonly FieldError[],
  names: readonly Name[],
): FormErrors<Name> {
  const describe = (belongs: (field: string) => boolean) =>
    joinTexts(
      locale,
      errors.filter(({ field }) => belongs(field)),
    )
  const fields = Object.fromEntries(names.map((name) => [name, describe((field) => field === name)])) as Record<
    Name,
    string | null
  >
  return {
    fields,
    form: describe((field) => !names.some((name) => name === field)),
    first: names.find((name) => fields[name] !== null) ?? null,
  }
}

function joinTexts(locale: Locale, errors: readonly FieldError[]): string | null {
  // Two broken rules of the policy are one sentence in languages the rules' own messages are not in.
  const texts = new Set(errors.map((error) => describeFieldError(locale, error)))
  return texts.size > 0 ? [...texts].join(' ') : null
}

function describeFieldError(locale: Locale, { code, message }: FieldError): string {
  const key = `fieldError.${code}`
  // The messages of the domain are English and name the very rule, which is more than ours can.
  if (locale === 'en' && (code === 'password_policy' || code === 'invalid' || !isMessage(key))) return message
  return translate(locale, isFieldErrorKey(key) ? key : 'fieldError.invalid')
}

type FieldErrorKey =
  | 'fieldError.required'
  | 'fieldError.mismatch'
  | 'fieldError.password_policy'
  | 'fieldError.password_history'
  | 'fieldError.password_breached'
  | 'fieldError.conflict'
  | 'fieldError.invalid'

function isFieldErrorKey(key: string): key is FieldErrorKey {
  return key.startsWith('fieldError.') && isMessage(key)
}
