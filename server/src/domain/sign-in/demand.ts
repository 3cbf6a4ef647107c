import type { RealmSettings } from '../settings/index.ts'
import { type Level, levelOf } from '../sessions/index.ts'
import type { LoginUser } from './store.ts'
import type { SignInState } from './types.ts'

/** Authenticators that serve as a second factor, the strongest and quickest first, with the credential each uses. */
export const secondFactors = [
  { authenticator: 'webauthn', credential: 'webauthn' },
  { authenticator: 'push', credential: 'device' },
  { authenticator: 'device-key', credential: 'device' },
  { authenticator: 'totp', credential: 'totp' },
  { authenticator: 'otp-sms', credential: 'sms' },
  { authenticator: 'otp-email', credential: 'email' },
  { authenticator: 'recovery-code', credential: 'recovery-codes' },
] as const

export type SecondFactor = (typeof secondFactors)[number]['authenticator']

const credentials: ReadonlyMap<string, string> = new Map(
  secondFactors.map(({ authenticator, credential }) => [authenticator, credential]),
)

export const isSecondFactor = (authenticator: string): boolean => credentials.has(authenticator)

/** The type of credential behind an authenticator, as the API names it (contract 2.46). */
export const credentialOf = (authenticator: string): string => credentials.get(authenticator) ?? authenticator

export const authenticatorOf = (credential: string): string =>
  secondFactors.find((factor) => factor.credential === credential)?.authenticator ?? credential

/** Whether a person has what an authenticator needs, and the realm accepts it. Sending needs a provider: see `canSend`. */
export function hasFactor(
  settings: RealmSettings,
  user: LoginUser,
  authenticator: string,
  canSend: Sendable = everything,
): boolean {
  if (!(settings.mfaPolicy.allowed as readonly string[]).includes(credentialOf(authenticator))) return false
  if (authenticator === 'otp-email') return user.email !== null && user.emailVerified && canSend.EMAIL
  if (authenticator === 'push' && !canSend.PUSH) return false
  if (authenticator === 'otp-sms') return user.phone !== null && user.phoneVerified && canSend.SMS
  return user.factors.includes(credentialOf(authenticator))
}

export interface Sendable {
  EMAIL: boolean
  SMS: boolean
  PUSH: boolean
}
const everything: Sendable = { EMAIL: true, SMS: true, PUSH: true }

/** Recovery codes alone are no second factor: they stand in for one that was lost (contract 2.66). */
export function hasSecondFactor(settings: RealmSettings, user: LoginUser, canSend?: Sendable): boolean {
  return secondFactors.some(
    ({ authenticator }) => authenticator !== 'recovery-code' && hasFactor(settings, user, authenticator, canSend),
  )
}

/** A mailbox that was proved by a link is not proved again by a code, as long as the person has anything else. */
export function isSpent(
  settings: RealmSettings,
  { proofs }: SignInState,
  { user, canSend }: PersonFacts,
  authenticator: string,
): boolean {
  if (authenticator !== 'otp-email' || !proofs.some(({ method }) => method === 'magic-link')) return false
  return hasSecondFactor(settings, user, { ...canSend, EMAIL: false })
}

/** Whether the realm's policy wants a second factor of this person in this sign-in, and has not had it. */
export function policyAsks(settings: RealmSettings, state: SignInState, person: PersonFacts): boolean {
  const { mode } = settings.mfaPolicy
  if (mode === 'OFF' || state.trustedDevice || hasSecondProof(state)) return false
  if (mode === 'REQUIRED' || (mode === 'REQUIRED_FOR_ADMINS' && person.isAdmin)) return true
  return hasSecondFactor(settings, person.user, person.canSend)
}

export interface PersonFacts {
  user: LoginUser
  isAdmin: boolean
  canSend: Sendable
}

/** Two different methods, or one that proves two things at once. */
function hasSecondProof({ proofs }: SignInState): boolean {
  return levelOf(proofs) > 1 || new Set(proofs.map((proof) => proof.method)).size > 1
}

/** Whether an application asks for more than was proved, in a realm that ever asks for a second factor. */
export function levelIsMissing(settings: RealmSettings, state: SignInState, asked: Level): boolean {
  return settings.mfaPolicy.mode !== 'OFF' && levelOf(state.proofs) < asked
}

/** Whether passing this authenticator would bring the sign-in nearer to the level asked for. */
export function wouldRaise(state: SignInState, authenticator: string, asked: Level): boolean {
  const now = levelOf(state.proofs)
  const then = levelOf([...state.proofs, { method: authenticator, at: 0 }])
  return now < asked && then > now
}
