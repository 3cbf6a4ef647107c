import { isDeepStrictEqual } from 'node:util'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { anonymous, type Context, openContext, type Origin, type Services } from '../context/index.ts'
import type { RunnableFlow } from '../flows/index.ts'
import { authenticateSession } from '../sessions/index.ts'
import { settingsSection, type RealmSettings } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { findTrustedDevice } from '../trusted-devices/index.ts'
import { hasSecondFactor } from './demand.ts'
import { type Due, findDue } from './due.ts'
import { readFacts, type Surroundings } from './facts.ts'
import { finishSignIn, type SignedIn } from './finish.ts'
import { mayGoOn } from './may-sign-in.ts'
import type { StepPage } from './pages.ts'
import { expiredPage, findPosition, keepPosition, type Position, takePosition } from './position.ts'
import { findLoginUser, type LoginUser, readLoginUser } from './store.ts'
import type { Continuation, SignInState, StepInput, StepOutcome, StepWork } from './types.ts'

export interface SignInRequest {
  realm: RealmSnapshot
  origin: Origin
  /** The secret cookie of the browser; a sign-in goes on only where it began. */
  browserSecret: string
  signInId: string | null
  continuation: Continuation
  input: StepInput
  /** The session this browser already has in the realm; it is replaced. */
  previousSessionToken: string | null
  /** The session in which this browser acts as somebody; it ends when anybody signs in. */
  actingToken?: string | null
  /** The cookie of a browser that the person trusts. */
  deviceToken?: string | null
  /** The language of the pages, for messages sent on the way. */
  locale?: string
}

export type SignInResult =
  | { kind: 'SIGNED_IN'; signedIn: SignedIn; continuation: Continuation }
  | {
      kind: 'PAGE'
      page: StepPage
      signInId: string | null
      failed: boolean
      retryAfterSeconds?: number
      /** Where the sign-in leads, for the policy of its pages. */
      continuation?: Continuation
    }
  | { kind: 'LEAVE'; url: string; signInId: string; continuation?: Continuation }
  | { kind: 'WAIT'; page: StepPage; signInId: string; pollSeconds: number; continuation?: Continuation }

// More steps than a flow and all actions have; a flow that never ends would be our fault, and shall not hang a request.
const maxSteps = 80

/**
 * Takes what a person sent to the step their sign-in stands at, and moves on as far as it goes. Phase one hashes and calls
 * outside without a transaction; phase two decides in one. An empty, repeated, reordered or foreign request makes no progress.
 */
export async function advanceSignIn(services: Services, request: SignInRequest): Promise<SignInResult> {
  const settings = await request.realm.section(settingsSection)
  const found = await findPosition(services, request)
  if (!found) return { kind: 'PAGE', signInId: null, failed: true, page: expiredPage }
  const { position, flow } = found
  const run: Run = { services, request, settings, flow, position }
  const { state } = position
  if (request.locale && !state.userId) state.locale = request.locale
  if (state.sessionId && !(await isSignedInStill(services, request, state.sessionId)))
    return { kind: 'PAGE', signInId: null, failed: true, page: expiredPage }
  const user = state.userId ? await findLoginUser(services.db, request.realm.realmId, state.userId) : null
  // Nothing is shown, sent or tried for somebody who cannot pass any more.
  if (state.userId && !(user && mayGoOn(user, services.clock.now(), state))) throw cannotGoOn()
  const known = await readFacts(services.db, around(run), flow.steps, user)
  const due = findDue(around(run), flow, state, known, request.input)
  const isSwitch = request.input.method !== undefined && !request.input.code && !request.input.assertion
  const prepared = due.kind === 'STEP' && !isSwitch ? await due.step.prepare(workOf(run, state, due, user)) : null
  return runTransaction(services.db, (transaction) => {
    const from = { realmId: request.realm.realmId, actor: anonymous(), origin: request.origin }
    return decide(openContext(services, transaction, from), run, due, { user, prepared })
  })
}

/** What is added to a session must not outlive it: an ended one would come back by its second factor alone (S37). */
async function isSignedInStill(services: Services, request: SignInRequest, sessionId: string): Promise<boolean> {
  const { realm, previousSessionToken } = request
  if (!previousSessionToken) return false
  const outcome = await authenticateSession(services, realm.realmId, previousSessionToken, null)
  return outcome.realm === 'ENABLED' && outcome.session?.sessionId === sessionId
}

const cannotGoOn = () => new DomainError('unauthenticated', 'The sign-in cannot go on. Start again.')

/** Begins a sign-in for somebody who is known already: by their session, or by a link that was sent to them. */
export async function beginSignIn(
  services: Services,
  request: SignInRequest,
  flow: RunnableFlow,
  begin: (ctx: Context) => Promise<SignInState | null>,
): Promise<SignInResult> {
  const settings = await request.realm.section(settingsSection)
  return runTransaction(services.db, async (transaction) => {
    const from = { realmId: request.realm.realmId, actor: anonymous(), origin: request.origin }
    const ctx = openContext(services, transaction, from)
    const state = await begin(ctx)
    if (!state) return { kind: 'PAGE', signInId: null, failed: true, page: expiredPage }
    const position = takePosition(services, request, state)
    const run: Run = { services, request, settings, flow, position }
    return goOn(ctx, run, structuredClone(state), undefined)
  })
}

export interface Run {
  services: Services
  request: SignInRequest
  settings: RealmSettings
  flow: RunnableFlow
  position: Position
}

const around = ({ services, request, settings, position }: Run): Surroundings => ({
  services,
  realm: request.realm,
  settings,
  origin: request.origin,
  continuation: position.continuation,
})

function workOf(run: Run, state: SignInState, due: Extract<Due, { kind: 'STEP' }>, user: LoginUser | null): StepWork {
  const { request, position } = run
  return {
    ...around(run),
    signInId: position.id,
    browserSecret: request.browserSecret,
    state,
    input: request.input,
    flowStep: due.flowStep,
    clientId: position.continuation.clientId ?? null,
    others: due.others,
    user,
  }
}

async function decide(
  ctx: Context,
  run: Run,
  due: Due,
  { user, prepared }: { user: LoginUser | null; prepared: unknown },
): Promise<SignInResult> {
  const state = structuredClone(run.position.state)
  const { input } = run.request
  if (input.rememberMe === 'true' && run.settings.rememberMe) state.rememberMe = true
  if (due.kind !== 'STEP') return goOn(ctx, run, state, undefined)
  if (due.others.length > 0 || state.method) state.method = due.chosen
  const outcome = await due.step.decide(ctx, workOf(run, state, due, user), prepared)
  if (outcome.kind !== 'PASSED') return pause(ctx, run, state, outcome)
  applyPass(state, due, outcome)
  return goOn(ctx, run, state, outcome.user)
}

/** Takes silent steps and shows the first that is not, or opens the door. */
async function goOn(ctx: Context, run: Run, state: SignInState, known: LoginUser | undefined): Promise<SignInResult> {
  let user = known
  // What was sent was for the step before; the next one has seen nothing yet.
  const blind: Run = { ...run, request: { ...run.request, input: {} } }
  for (let step = 0; step < maxSteps; step++) {
    const person = await readPerson(ctx, run, state, user)
    const facts = await readFacts(ctx.tx, around(run), run.flow.steps, person)
    const due = findDue(around(run), run.flow, state, facts, {})
    if (due.kind === 'DONE') return complete(ctx, run, state, person!)
    if (due.kind === 'STUCK') return pause(ctx, run, state, denied(state))
    const outcome = await due.step.decide(ctx, workOf(blind, state, due, person), null)
    if (due.others.length > 0) state.method = due.chosen
    if (outcome.kind !== 'PASSED') return pause(ctx, run, state, outcome)
    applyPass(state, due, outcome)
    user = outcome.user
  }
  throw new DomainError('internal_error', 'The sign-in does not come to an end.')
}

const denied = (state: SignInState): StepOutcome & { kind: 'PAGE' } => ({
  kind: 'PAGE',
  failed: true,
  page: { page: 'DENIED', username: state.username ?? '' },
})

/** Read anew each time: an administrator may disable somebody, or add an action, while they are signing in. */
async function readPerson(
  ctx: Context,
  run: Run,
  state: SignInState,
  known: LoginUser | undefined,
): Promise<LoginUser | null> {
  if (!state.userId) return null
  const user = known ?? (await readLoginUser(ctx.tx, ctx.realmId, state.userId))
  if (!user || !mayGoOn(user, ctx.now, state)) throw cannotGoOn()
  state.trustedDevice = await isTrusted(ctx, run, state, user)
  return user
}

/** Looked up each time, as everything else about a person: trust may end while they are signing in. */
async function isTrusted(ctx: Context, run: Run, { flowType }: SignInState, user: LoginUser): Promise<boolean> {
  const { request, settings } = run
  const { trustedDeviceDays: days } = settings.mfaPolicy
  if (!request.deviceToken || days === 0 || flowType !== 'BROWSER' || !hasSecondFactor(settings, user)) return false
  return findTrustedDevice(ctx, user.id, request.deviceToken, days)
}

function applyPass(
  state: SignInState,
  due: Extract<Due, { kind: 'STEP' }>,
  outcome: Extract<StepOutcome, { kind: 'PASSED' }>,
): void {
  const { userId, username, proof, user } = outcome
  // All steps are one person's: what somebody proved of themselves must not count for another.
  if (userId && state.userId && userId !== state.userId) throw cannotGoOn()
  state.passed.push(due.flowStep?.id ?? due.step.id)
  delete state.method
  delete state.challenge
  delete state.approval
  if (userId) state.userId = userId
  if (username) state.username = username
  // Without the person it was set this moment, by the action that renews it. A code was read in a session of that password.
  if (proof?.method === 'password' || proof?.method === 'qr')
    state.passwordSetAt = user ? user.passwordChangedAt : proof.at
  if (proof) state.proofs = [...state.proofs.filter(({ method }) => method !== proof.method), proof]
}

async function complete(ctx: Context, run: Run, state: SignInState, user: LoginUser): Promise<SignInResult> {
  const { position, settings } = run
  const { previousSessionToken, actingToken } = run.request
  if (!(await position.end(ctx)))
    throw new DomainError('unauthenticated', 'This sign-in was already completed. Start again.')
  const signedIn = await finishSignIn(ctx, state, settings, { user, previousSessionToken, actingToken })
  return { kind: 'SIGNED_IN', signedIn, continuation: position.continuation }
}

/** Keeps where the sign-in stands; nothing is kept when another request moved it meanwhile. */
async function pause(
  ctx: Context,
  { position, request, flow }: Run,
  state: SignInState,
  outcome: Exclude<StepOutcome, { kind: 'PASSED' }>,
): Promise<SignInResult> {
  const shown = { ...outcome, signInId: position.id, continuation: position.continuation }
  // A try that changed nothing must not overtake the right one that is sent at the same moment: people press buttons twice.
  if (position.stored && isDeepStrictEqual(state, position.state)) return shown
  if (!(await keepPosition(ctx, position, { state, flow, browserSecret: request.browserSecret }))) {
    // What was passed from where it stood before is undone with the transaction; a failed try stays counted.
    if (state.passed.length > position.state.passed.length) throw cannotGoOn()
    return { kind: 'PAGE', signInId: null, failed: true, page: expiredPage }
  }
  return shown
}
