import type { Services } from '../../domain/context/index.ts'
import type { RealmSettings } from '../../domain/settings/index.ts'
import { Email } from '../../domain/users/index.ts'
import type { Form } from '../../pages/visits/index.ts'
import type { FieldError } from '../../platform/errors/index.ts'

export interface Entries {
  email: string
  firstName: string
  lastName: string
}

const maxLength = 255
const maxPasswordBytes = 1024

export function readEntries(form: Form): Entries {
  const text = (name: string) => (form[name] ?? '').trim().slice(0, maxLength)
  return { email: text('email'), firstName: text('firstName'), lastName: text('lastName') }
}

/** Everything that is wrong at once. Whether the address has an account is not looked at. */
export async function checkRegistration(
  services: Services,
  settings: RealmSettings,
  form: Form,
  entries: Entries,
): Promise<FieldError[]> {
  const errors: FieldError[] = []
  const required = (field: keyof Entries, message: string) => {
    if (entries[field] === '') errors.push({ field, code: 'required', message })
  }
  required('firstName', 'Enter your first name.')
  required('lastName', 'Enter your last name.')
  if (!Email.safeParse(entries.email).success)
    errors.push({ field: 'email', code: 'invalid', message: 'Enter your e-mail address.' })
  if (settings.termsUrl && form.accept !== 'true')
    errors.push({ field: 'accept', code: 'required', message: 'Accept the terms to go on.' })
  return [...errors, ...(await checkPassword(services, settings, form, entries))]
}

async function checkPassword(
  services: Services,
  settings: RealmSettings,
  { newPassword: password = '', confirmPassword }: Form,
  { email }: Entries,
): Promise<FieldError[]> {
  if (password === '' || Buffer.byteLength(password) > maxPasswordBytes)
    return [{ field: 'newPassword', code: 'required', message: 'Enter a new password.' }]
  if (password !== (confirmPassword ?? password))
    return [{ field: 'confirmPassword', code: 'mismatch', message: 'The two passwords are not the same.' }]
  const owner = { username: email, email, history: [] }
  const verdict = await services.passwords.checkPassword(settings.passwordPolicy, { password, ...owner })
  return verdict.errors.map(({ code, message }) => ({ field: 'newPassword', code, message }))
}
