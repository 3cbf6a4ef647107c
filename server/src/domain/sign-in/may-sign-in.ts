import type { FlowType } from '../flows/index.ts'
import type { LoginUser } from './store.ts'
import type { SignInState } from './types.ts'

export function isLocked({ locked, lockedUntil }: LoginUser, now: number): boolean {
  return locked && (lockedUntil === null || lockedUntil > now)
}

/** Service accounts have no door of their own. */
export function maySignIn(user: LoginUser, now: number): boolean {
  return user.enabled && !isLocked(user, now) && !user.serviceAccount
}

/** Whoever resets a forgotten password may be locked for having guessed at it; an administrator's lock stays (contract 3.7). */
export function mayPass(user: LoginUser, now: number, flowType: FlowType): boolean {
  if (flowType !== 'RESET_CREDENTIALS') return maySignIn(user, now)
  return user.enabled && !user.serviceAccount && !(user.locked && user.lockedUntil === null)
}

/** Whether a sign-in under way still stands: the person may pass, and what they proved is still theirs. */
export function mayGoOn(user: LoginUser, now: number, state: SignInState): boolean {
  const samePassword = state.passwordSetAt === undefined || state.passwordSetAt === user.passwordChangedAt
  return samePassword && mayPass(user, now, state.flowType)
}
