import { asUser, type Context } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { prepareSession } from '../sessions/index.ts'
import type { RealmSettings } from '../settings/index.ts'
import { lastLoginPart } from './store.ts'
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
}

/** The end of every sign-in: a new session with a new secret, the event, the counters. */
export async function finishSignIn(
  ctx: Context,
  state: SignInState,
  settings: RealmSettings,
  previousSessionToken: string | null,
): Promise<SignedIn> {
  const userId = state.userId!
  const username = state.username!
  const maxSeconds = settings.ssoSessionMaxSeconds
  const newSession = {
    userId,
    proofs: state.proofs,
    rememberMe: state.rememberMe,
    // Who asked to be remembered is not put out for being idle.
    idleSeconds: state.rememberMe ? maxSeconds : settings.ssoSessionIdleSeconds,
    maxSeconds,
  }
  const session = await prepareSession(ctx, newSession, previousSessionToken)
  const lastLogin = lastLoginPart({ realmId: ctx.realmId, userId, now: ctx.now })
  const acting = { ...ctx, actor: asUser(ctx.realmId, { id: userId, username }) }
  const event = { type: 'LOGIN_SUCCESS', outcome: 'SUCCESS', sessionId: session.id } as const
  await recordEvent(acting, event, [session.part, lastLogin])
  ctx.afterCommit(() => ctx.services.metrics.login(ctx.realmId, 'success'))
  return {
    userId,
    username,
    sessionId: session.id,
    token: session.token,
    expiresAt: session.expiresAt,
    rememberMe: state.rememberMe,
    maxSeconds,
  }
}
