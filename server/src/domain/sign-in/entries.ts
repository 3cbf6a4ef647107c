import { asUser, type Context, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { flowsSection, type FlowStep } from '../flows/index.ts'
import { useToken } from '../one-time-secrets/index.ts'
import { type AuthenticatedSession, isFreshlySignedIn, levelOf, sessionActor } from '../sessions/index.ts'
import { settingsSection } from '../settings/index.ts'
import { markEmailVerified } from './actions-store.ts'
import { hasSecondFactor } from './demand.ts'
import { beginSignIn, type SignInRequest, type SignInResult } from './machine.ts'
import { mayPass } from './may-sign-in.ts'
import { findPosition, newState } from './position.ts'
import type { ActionName } from './steps/index.ts'
import { findLoginUser, readLoginUser } from './store.ts'
import type { Continuation } from './types.ts'

/**
 * Asks somebody who is signed in only for what their session lacks. Null when there is nothing to add: then the usual sign-in
 * page is shown, and a factor can be set up once the first one was proved anew.
 */
export async function beginStepUp(
  services: Services,
  request: SignInRequest,
  session: AuthenticatedSession,
): Promise<SignInResult | null> {
  const { realm, continuation } = request
  if (session.impersonatorId !== null || levelOf(session.proofs) >= (continuation.level ?? 1)) return null
  const settings = await realm.section(settingsSection)
  const user = await findLoginUser(services.db, realm.realmId, session.userId)
  if (!user || !hasSecondFactor(settings, user)) return null
  const flows = await realm.section(flowsSection)
  const { userId, username, proofs, rememberMe, sessionId } = session
  return beginSignIn(services, request, flows.STEP_UP, async () => ({
    ...newState('STEP_UP'),
    userId,
    username,
    proofs,
    rememberMe,
    sessionId,
  }))
}

/**
 * Begins exactly one action for somebody who is signed in and wants it: a factor, a password, a proved address. The flow is
 * theirs already; the realm's policy still asks for a second factor where they have one and this session has not seen it. Null
 * when the session is not fresh, or not their own: then they sign in first.
 */
export async function beginOwnAction(
  services: Services,
  request: SignInRequest,
  session: AuthenticatedSession,
  action: ActionName,
): Promise<SignInResult | null> {
  if (!isFreshlySignedIn(sessionActor(session), services.clock.now())) return null
  const flow = (await request.realm.section(flowsSection)).STEP_UP
  const { userId, username, proofs, rememberMe, sessionId } = session
  return beginSignIn(services, request, flow, async () => ({
    ...newState('STEP_UP'),
    ...{ userId, username, proofs, rememberMe, sessionId },
    passed: flow.steps.flatMap((step) => everyStep(step)),
    actions: [action],
    ...(request.locale ? { locale: request.locale } : {}),
  }))
}

function everyStep(step: FlowStep): string[] {
  return [step.id, ...step.steps.flatMap(everyStep)]
}

/** Where a sign-in leads that began in this browser; null when there is none. */
export async function findContinuation(services: Services, request: SignInRequest): Promise<Continuation | null> {
  const found = request.signInId === null ? null : await findPosition(services, request)
  return found?.position.continuation ?? null
}

export type LinkPurpose = 'RESET_PASSWORD' | 'ACTIONS'

/** Begins the sign-in that a mailed link is for. The link is used up; it stands for the steps that ask who the person is. */
export async function beginFromLink(
  services: Services,
  request: SignInRequest,
  link: { purpose: LinkPurpose; token: string },
): Promise<SignInResult> {
  const flows = await request.realm.section(flowsSection)
  const flow = flows.RESET_CREDENTIALS
  return beginSignIn(services, request, flow, async (ctx) => {
    const secret = await useToken(ctx, link.purpose, link.token)
    const user = secret ? await readLoginUser(ctx.tx, ctx.realmId, secret.subject) : null
    // A link to an address that is no longer the person's may be in anybody's hands.
    if (!secret || !user || user.email !== secret.sealed || !mayPass(user, ctx.now, flow.type)) return null
    const asked = (secret.details as { actions?: string[] }).actions
    await noteLink(ctx, user, link.purpose)
    // The link came by the address, so it is proved as well.
    if (!user.emailVerified) await markEmailVerified(ctx.tx, ctx.realmId, user.id, user.email, ctx.now)
    return {
      ...newState('RESET_CREDENTIALS'),
      userId: user.id,
      username: user.username,
      // Whoever sets a password by another way ends this one.
      passwordSetAt: user.passwordChangedAt,
      passed: flow.steps.flatMap((step) => identifying(step)),
      proofs: [{ method: 'magic-link', at: ctx.now }],
      actions: link.purpose === 'RESET_PASSWORD' ? ['UPDATE_PASSWORD'] : (asked ?? []),
    }
  })
}

async function noteLink(ctx: Context, user: { id: string; username: string }, purpose: LinkPurpose): Promise<void> {
  const acting = { ...ctx, actor: asUser(ctx.realmId, user) }
  await recordEvent(acting, { type: 'MFA_SUCCESS', outcome: 'SUCCESS', detail: `link ${purpose}` })
}

/** The steps that a link from the person's own mailbox answers. */
function identifying(step: FlowStep): string[] {
  const answered = step.authenticator === 'username' || step.authenticator === 'magic-link'
  return [...(answered ? [step.id] : []), ...step.steps.flatMap(identifying)]
}
