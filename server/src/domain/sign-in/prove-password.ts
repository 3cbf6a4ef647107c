import { runTransaction } from '../../platform/db/index.ts'
import { anonymous, asUser, type Context, openContext, type Origin, type Services } from '../context/index.ts'
import { recordEvent } from '../events/index.ts'
import { flowsSection, type RunnableFlow } from '../flows/index.ts'
import type { Proof } from '../sessions/index.ts'
import { settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { findDue } from './due.ts'
import { type KnownFacts, readFacts, type Surroundings } from './facts.ts'
import { newState } from './position.ts'
import { maxNameLength, settlePassword, type Verified, verifyPassword } from './steps/verify-password.ts'
import { lastLoginPart, type LoginUser } from './store.ts'
import type { SignInState, StepWork } from './types.ts'

export interface PasswordRequest {
  realm: RealmSnapshot
  origin: Origin
  /** The application that sends the password, for conditions of the flow and the audit trail. */
  clientId: string
  username: string
  password: string
}

export type PasswordProof =
  | { kind: 'PROVED'; userId: string; username: string; proofs: Proof[] }
  /** Wrong, unknown, locked, disabled, or asked for more than a password: whoever asks hears no difference (S27, S42). */
  | { kind: 'REFUSED' }
  | { kind: 'LIMITED'; retryAfterSeconds: number }

/**
 * A name and a password without a browser: the flow DIRECT_GRANT where nobody can be shown a page. It counts, hashes and records as
 * the sign-in page does, and whatever a page would have to ask for refuses. No session comes of it.
 */
export async function provePassword(services: Services, request: PasswordRequest): Promise<PasswordProof> {
  const { realm, origin } = request
  const [settings, flows] = await Promise.all([realm.section(settingsSection), realm.section(flowsSection)])
  const state = newState('DIRECT_GRANT')
  const input = { password: request.password }
  const work: StepWork = {
    ...{ services, realm, settings, origin, state, input },
    ...{ signInId: '', browserSecret: '', flowStep: null, clientId: request.clientId, others: [], user: null },
  }
  const verified = await verifyPassword(work, request.username.slice(0, maxNameLength))
  if (verified.missing) return { kind: 'REFUSED' }
  if (verified.retryAfterSeconds !== null) return { kind: 'LIMITED', retryAfterSeconds: verified.retryAfterSeconds }
  return runTransaction(services.db, (transaction) => {
    const ctx = openContext(services, transaction, { realmId: realm.realmId, actor: anonymous(), origin })
    return decide(ctx, work, verified, { flow: flows.DIRECT_GRANT, clientId: request.clientId })
  })
}

async function decide(
  ctx: Context,
  work: StepWork,
  verified: Verified,
  { flow, clientId }: { flow: RunnableFlow; clientId: string },
): Promise<PasswordProof> {
  const passed = await settlePassword(ctx, work, verified)
  if (!passed) return { kind: 'REFUSED' }
  const user = passed.user!
  const state = structuredClone(work.state)
  Object.assign(state, { userId: user.id, username: user.username, proofs: [passed.proof!] })
  const around: Surroundings = { ...work, continuation: { kind: 'REDIRECT', path: '', clientId } }
  const obstacle = findObstacle(around, flow, state, await readFacts(ctx.tx, around, flow.steps, user))
  if (obstacle !== null) await refuse(ctx, user, clientId, obstacle)
  else await admit(ctx, user, clientId)
  const proved = { userId: user.id, username: user.username, proofs: state.proofs }
  return obstacle === null ? { kind: 'PROVED', ...proved } : { kind: 'REFUSED' }
}

/** Steps that a right password answers, or that ask nothing. */
const answered: ReadonlySet<string> = new Set(['username-password', 'username', 'password', 'allow', 'consent'])
// More steps than a flow has; one that never ends shall not hang a request.
const maxSteps = 80

/** What stands between this person and the end of the flow; null when the password is enough. */
function findObstacle(around: Surroundings, flow: RunnableFlow, state: SignInState, known: KnownFacts): string | null {
  for (let step = 0; step < maxSteps; step++) {
    const due = findDue(around, flow, state, known, {})
    if (due.kind === 'DONE') return null
    if (due.kind === 'STUCK') return 'no way through the flow'
    const name = due.flowStep === null ? undefined : [due.chosen, ...due.others].find((each) => answered.has(each))
    const chosen = name === undefined ? null : findDue(around, flow, state, known, { method: name })
    if (chosen?.kind !== 'STEP' || chosen.flowStep === null || chosen.chosen !== name) return due.chosen
    state.passed.push(chosen.flowStep.id)
  }
  return 'the flow does not come to an end'
}

/** The password was right, and the trail says so to administrators; the application hears what everybody hears. */
async function refuse(ctx: Context, user: LoginUser, clientId: string, obstacle: string): Promise<void> {
  const acting = { ...ctx, actor: asUser(ctx.realmId, user) }
  const detail = `a password alone is not enough: ${obstacle}`
  await recordEvent(acting, { type: 'LOGIN_FAILURE', outcome: 'FAILURE', clientId, detail })
  ctx.afterCommit(() => ctx.services.metrics.login(ctx.realmId, 'failure'))
}

async function admit(ctx: Context, user: LoginUser, clientId: string): Promise<void> {
  const acting = { ...ctx, actor: asUser(ctx.realmId, user) }
  const lastLogin = lastLoginPart({ realmId: ctx.realmId, userId: user.id, now: ctx.now })
  const detail = 'password grant'
  await recordEvent(acting, { type: 'LOGIN_SUCCESS', outcome: 'SUCCESS', clientId, detail }, [lastLogin])
  ctx.afterCommit(() => ctx.services.metrics.login(ctx.realmId, 'success'))
}
