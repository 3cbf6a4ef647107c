import { DomainError, type FieldError, notFound } from '../../../platform/errors/index.ts'
import type { Services } from '../../context/index.ts'
import type { RealmSettings } from '../../settings/index.ts'
import { selectHashes, selectOwner } from './store.ts'

export interface NewPassword {
  realmId: string
  userId: string
  password: string
  /** The member that carried the password; faults are reported against it. */
  field: string
  settings: Pick<RealmSettings, 'passwordPolicy'>
}

export interface PasswordCheck {
  /** Empty: the password may be set. Several rules may be broken at once. */
  errors: FieldError[]
  /** Codes of what was found and is allowed all the same. */
  warnings: string[]
  breachUnavailable: boolean
}

/**
 * Checks a password against the realm's policy, the user's history and the lists of known ones. Takes hashing and perhaps an
 * outside call, so it runs without a transaction; the caller has made sure that the person asking may set this password,
 * because the answer tells about the user's earlier ones.
 */
export async function checkNewPassword(services: Services, input: NewPassword): Promise<PasswordCheck> {
  const policy = input.settings.passwordPolicy
  const owner = await selectOwner(services.db, input.realmId, input.userId)
  if (!owner) throw notFound()
  const history = await selectHashes(services.db, input.realmId, input.userId, policy.historyCount)
  const verdict = await services.passwords.checkPassword(policy, {
    password: input.password,
    username: owner.username,
    email: owner.email,
    history,
  })
  return {
    errors: verdict.errors.map(({ code, message }) => ({ field: input.field, code, message })),
    warnings: verdict.warnings.map((warning) => warning.code),
    breachUnavailable: verdict.breachUnavailable,
  }
}

/** The answer to a password that was refused (contract 7.3). */
export function passwordRefused(errors: FieldError[]): DomainError {
  return new DomainError('validation_failed', 'The password is not accepted.', { fields: errors })
}
