import { asUser, type Context } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { prepareSession } from '../sessions/index.ts'
import type { RealmSettings } from '../settings/index.ts'
import { trustDevice } from '../trusted-devices/index.ts'
import { isLocked } from './may-sign-in.ts'
import { lastLoginPart, type LoginUser } from './store.ts'
import type { SignInState } from './types.ts'

export interface SignedIn {
  userId: string
  username: string
  sessionId: string
  /** The value of the session cookie. */
  token: string
  expiresAt: number
  rememberMe: boolean
  maxSeconds: number
  /** A browser that is not asked for a second factor until then. */
  trustedDevice: { token: string; expiresAt: number } | null
}

export interface Finishing {
  user: LoginUser
  previousSessionToken: string | null
  actingToken?: string | null | undefined
}

/** The end of every sign-in: a new session with a new secret, the event, the counters. */
export async function finishSignIn(
  ctx: Context,
  state: SignInState,
  settings: RealmSettings,
  { user, previousSessionToken, actingToken = null }: Finishing,
): Promise<SignedIn> {
  const userId = state.userId!
  const username = state.username!
  const maxSeconds = lifetimeOf(state, settings, ctx.now)
  const newSession = {
    userId,
    proofs: state.proofs,
    rememberMe: state.rememberMe,
    // Who asked to be remembered is not put out for being idle.
    idleSeconds: state.rememberMe ? maxSeconds : settings.ssoSessionIdleSeconds,
    maxSeconds,
  }
  const session = await prepareSession(ctx, newSession, previousSessionToken, actingToken)
  const lastLogin = lastLoginPart({ realmId: ctx.realmId, userId, now: ctx.now })
  const acting = { ...ctx, actor: asUser(ctx.realmId, { id: userId, username }) }
  const type = state.flowType === 'STEP_UP' ? 'STEP_UP' : 'LOGIN_SUCCESS'
  await recordEvent(acting, { type, outcome: 'SUCCESS', sessionId: session.id }, [session.part, lastLogin])
  // Only a new password lifts a lock that still holds, and unlocking is never silent (S40).
  if (isLocked(user, ctx.now)) {
    const unlocked = { outcome: 'SUCCESS', resourceType: 'users', resourceId: userId } as const
    await recordEvent(acting, { type: 'USER_UNLOCKED', ...unlocked })
  }
  ctx.afterCommit(() => ctx.services.metrics.login(ctx.realmId, 'success'))
  const { trustedDeviceDays: days } = settings.mfaPolicy
  const trusts = state.trustDevice && days > 0
  return {
    userId,
    username,
    sessionId: session.id,
    token: session.token,
    expiresAt: session.expiresAt,
    rememberMe: state.rememberMe,
    maxSeconds,
    trustedDevice: trusts ? await trustDevice(ctx, { userId, days, userAgent: ctx.origin.userAgent }) : null,
  }
}

/**
 * What is added to a session, or lent by one through a QR code, does not make it last longer: its end counts from what it began
 * with (S37). Otherwise one session would follow another for ever.
 */
function lifetimeOf({ flowType, proofs }: SignInState, settings: RealmSettings, now: number): number {
  const seconds = settings.ssoSessionMaxSeconds
  if (flowType !== 'STEP_UP' && !proofs.some(({ method }) => method === 'qr')) return seconds
  const begunAt = Math.min(now, ...proofs.map(({ at, since }) => since ?? at))
  return Math.max(1, seconds - Math.floor((now - begunAt) / 1000))
}
