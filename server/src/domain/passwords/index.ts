// Passwords: hashing with Argon2id, the realm's policy, history, and the check against publicly known passwords.
// Contract 2.51, 2.65 and 7.3; NIST 800-63B, OWASP ASVS 6.2 (S43); RFC 9106; PHC string format.
// Called by whoever sets or verifies a password: users, registration, account, sign-in, the system's first administrator.
import { DomainError } from '../../platform/errors/index.ts'
import type { Lane } from '../../platform/lanes/index.ts'
import { type BreachSources, findBreach } from './breach/index.ts'
import { defaultCost, type HashCost, hashNormalised, needsRehash, verifyNormalised } from './hashing.ts'
import { normalisePassword } from './normalise.ts'
import { findBrokenRules, type PasswordOwner } from './rules.ts'
import type { PasswordPolicy } from './schema.ts'

export { defaultCost, type HashCost, isPasswordHash, needsRehash } from './hashing.ts'
export { describePolicy, type PasswordRule } from './rules.ts'
export { PasswordPolicy } from './schema.ts'

export interface PasswordsOptions extends BreachSources {
  /** All hashing runs in here, so that it never crowds out the rest of the process. */
  lane: Lane
}

export interface PasswordFault {
  code: 'password_policy' | 'password_history' | 'password_breached'
  message: string
}

export interface PasswordCandidate extends PasswordOwner {
  password: string
  /** PHC hashes of the current and earlier passwords, the newest first. */
  history?: string[]
}

export interface PasswordVerdict {
  /** Empty: the password may be set. */
  errors: PasswordFault[]
  /** With breachCheck WARN: what the user should be told, though the password is allowed. */
  warnings: PasswordFault[]
  /** The breach source of the policy could not be asked. The password is allowed; the caller writes a SECURITY event. */
  breachUnavailable: boolean
}

export interface Passwords {
  hash(password: string, policy?: HashCost): Promise<string>
  /** Keeps a place for one hash, or refuses at once when there is none: see Lane.reserve. */
  reserve(): () => void
  /** null stands for an unknown user, or one without a password, and takes the same time as a wrong password. */
  verify(phc: string | null, password: string, policy?: HashCost): Promise<{ ok: boolean; rehash: boolean }>
  checkPassword(policy: PasswordPolicy, candidate: PasswordCandidate): Promise<PasswordVerdict>
}

const breachMessage = 'The password is in a list of publicly known passwords.'

export function createPasswords({ lane, ...sources }: PasswordsOptions): Passwords {
  /** One place in the lane per hash, so that a long history cannot hold a place while others wait for one sign-in. */
  const isInHistory = async (history: string[], password: string): Promise<boolean> => {
    for (const phc of history) {
      if (await lane.run(() => verifyNormalised(phc, password, defaultCost))) return true
    }
    return false
  }

  return {
    reserve: () => lane.reserve(),

    async hash(password, policy = defaultCost) {
      const normalised = normalisePassword(password)
      if (normalised === null) throw new DomainError('password_policy', 'The password is too long or not valid text.')
      return await lane.run(() => hashNormalised(normalised, policy))
    },

    async verify(phc, password, policy = defaultCost) {
      const normalised = normalisePassword(password)
      // No such password was ever set, whoever the user is: the quick answer tells nothing.
      if (normalised === null) return { ok: false, rehash: false }
      const ok = await lane.run(() => verifyNormalised(phc, normalised, policy))
      return { ok, rehash: ok && phc !== null && needsRehash(phc, policy) }
    },

    async checkPassword(policy, { password, history = [], ...owner }) {
      const errors: PasswordFault[] = findBrokenRules(policy, password, owner).map((message) => ({
        code: 'password_policy',
        message,
      }))
      const warnings: PasswordFault[] = []
      const normalised = normalisePassword(password)
      if (normalised === null) return { errors, warnings, breachUnavailable: false }
      if (await isInHistory(history.slice(0, policy.historyCount), normalised)) {
        errors.push({ code: 'password_history', message: 'The password was used before.' })
      }
      if (policy.breachCheck === 'OFF') return { errors, warnings, breachUnavailable: false }
      const { isBreached, isUnavailable } = await findBreach(sources, policy.breachSource, normalised)
      if (isBreached) {
        const found = policy.breachCheck === 'REJECT' ? errors : warnings
        found.push({ code: 'password_breached', message: breachMessage })
      }
      return { errors, warnings, breachUnavailable: isUnavailable }
    },
  }
}
