import { hashToken } from '../../platform/crypto/index.ts'
import { runRead, runTransaction } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { anonymous, type Context, openContext, type Origin, type Services } from '../context/index.ts'
import { type RealmSettings, settingsSection } from '../settings/index.ts'
import type { RealmSnapshot } from '../snapshot/index.ts'
import { finishSignIn, type SignedIn } from './finish.ts'
import { browserFlow } from './flow.ts'
import { updatePasswordStep } from './steps/update-password.ts'
import { usernamePasswordStep } from './steps/username-password.ts'
import { deleteSignIn, insertSignIn, type LoginUser, readLoginUser, readSignIn, updateSignIn } from './store.ts'
import type { Continuation, SignInState, Step, StepInput, StepOutcome, StepPage, StepWork } from './types.ts'

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

// Long enough to fetch a telephone from another room, short enough that an abandoned screen is worth nothing.
const lifetimeMs = 30 * 60_000

const steps = new Map<string, Step>([
  [usernamePasswordStep.id, usernamePasswordStep as Step],
  [updatePasswordStep.id, updatePasswordStep as Step],
])
const requiredActionSteps = ['UPDATE_PASSWORD']

interface Position {
  id: string
  /** Null before the first POST: a GET writes nothing. */
  stored: { version: number } | null
  state: SignInState
  continuation: Continuation
}

/**
 * Takes what a person sent to the step their sign-in stands at, and moves on as far as it goes. Phase one hashes and calls
 * outside without a transaction; phase two decides in one. An empty, repeated, reordered or foreign request makes no progress.
 */
export async function advanceSignIn(services: Services, request: SignInRequest): Promise<SignInResult> {
  const { realm } = request
  const settings = await realm.section(settingsSection)
  const position = await findPosition(services, request)
  if (!position)
    return { kind: 'PAGE', signInId: null, failed: true, page: { page: 'LOGIN', username: '', error: 'expired' } }

  const current = currentStep(position.state, [])
  const work = (state: SignInState): StepWork => ({
    services,
    realm,
    settings,
    origin: request.origin,
    state,
    input: request.input,
  })
  const actions = current === null ? await pendingActions(services, request, position.state, settings) : []
  const step = steps.get(current ?? actions[0] ?? '')
  const prepared = step ? await step.prepare(work(position.state)) : null

  return runTransaction(services.db, async (transaction) => {
    const from = { realmId: realm.realmId, actor: anonymous(), origin: request.origin }
    const ctx = openContext(services, transaction, from)
    const state: SignInState = structuredClone(position.state)
    if (request.input.rememberMe === 'true' && settings.rememberMe) state.rememberMe = true
    let outcome: StepOutcome = step ? await step.decide(ctx, work(state), prepared) : { kind: 'PASSED' }
    let at = step
    while (outcome.kind === 'PASSED') {
      applyPass(state, at, outcome)
      const next = currentStep(state, await pendingActionsOf(ctx, state, settings, outcome.user))
      if (next === null) return complete(ctx, position, state, settings, request)
      at = steps.get(next)!
      outcome = await at.decide(ctx, work(state), null)
    }
    return pause(ctx, position, state, outcome, request)
  })
}

function applyPass(
  state: SignInState,
  step: Step | undefined,
  outcome: Extract<StepOutcome, { kind: 'PASSED' }>,
): void {
  if (step) state.passed.push(step.id)
  if (outcome.userId) state.userId = outcome.userId
  if (outcome.username) state.username = outcome.username
  if (outcome.proof)
    state.proofs = [...state.proofs.filter((proof) => proof.method !== outcome.proof!.method), outcome.proof]
}

/** The first step of the pinned flow that is not passed, then the required actions; null when nothing is left. */
function currentStep(state: SignInState, actions: string[]): string | null {
  return [...browserFlow.steps, ...actions].find((id) => !state.passed.includes(id)) ?? null
}

async function findPosition(services: Services, request: SignInRequest): Promise<Position | null> {
  if (request.signInId === null) {
    const state: SignInState = { passed: [], userId: null, username: null, proofs: [], rememberMe: false }
    return { id: newId(services.clock.now()), stored: null, state, continuation: request.continuation }
  }
  if (!isUuid(request.signInId)) return null
  const row = await runRead(() => readSignIn(services.db, request.realm.realmId, request.signInId!))
  if (!row || row.expires_at <= services.clock.now() || row.flow_version !== browserFlow.version) return null
  if (!row.browser_hash.equals(hashToken(request.browserSecret))) return null
  return {
    id: row.id,
    stored: { version: row.version },
    state: row.state as SignInState,
    continuation: row.continuation as Continuation,
  }
}

async function pendingActions(
  services: Services,
  { realm: { realmId }, origin }: SignInRequest,
  state: SignInState,
  settings: RealmSettings,
): Promise<string[]> {
  if (!state.userId) return []
  return runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: anonymous(), origin })
    return (await pendingActionsOf(ctx, state, settings)).filter((action) => !state.passed.includes(action))
  })
}

/** Read anew each time: an administrator may add or remove an action while the person is signing in. */
async function pendingActionsOf(
  ctx: Context,
  state: SignInState,
  settings: RealmSettings,
  known?: LoginUser,
): Promise<string[]> {
  if (!state.userId) return []
  const user = known ?? (await readLoginUser(ctx.tx, ctx.realmId, state.userId))
  if (!user?.enabled) throw new DomainError('unauthenticated', 'The sign-in cannot go on. Start again.')
  const { maxAgeDays } = settings.passwordPolicy
  const tooOld =
    maxAgeDays > 0 && user.passwordChangedAt !== null && ctx.now - user.passwordChangedAt > maxAgeDays * 86_400_000
  const asked = new Set([...user.requiredActions, ...(tooOld ? ['UPDATE_PASSWORD'] : [])])
  return requiredActionSteps.filter((action) => asked.has(action) || state.passed.includes(action))
}

async function complete(
  ctx: Context,
  position: Position,
  state: SignInState,
  settings: RealmSettings,
  request: SignInRequest,
): Promise<SignInResult> {
  const mine =
    position.stored === null || (await deleteSignIn(ctx.tx, ctx.realmId, position.id, position.stored.version))
  if (!mine) throw new DomainError('unauthenticated', 'This sign-in was already completed. Start again.')
  const signedIn = await finishSignIn(ctx, state, settings, request.previousSessionToken)
  return { kind: 'SIGNED_IN', signedIn, continuation: position.continuation }
}

/** Keeps where the sign-in stands; nothing is kept when another request moved it meanwhile. */
async function pause(
  ctx: Context,
  position: Position,
  state: SignInState,
  outcome: Exclude<StepOutcome, { kind: 'PASSED' }>,
  request: SignInRequest,
): Promise<SignInResult> {
  if (position.stored) {
    if (!(await updateSignIn(ctx.tx, ctx.realmId, position.id, position.stored.version, state))) {
      return { kind: 'PAGE', signInId: null, failed: true, page: { page: 'LOGIN', username: '', error: 'expired' } }
    }
  } else {
    await insertSignIn(ctx.tx, {
      realmId: ctx.realmId,
      id: position.id,
      browserHash: hashToken(request.browserSecret),
      flowAlias: browserFlow.alias,
      flowVersion: browserFlow.version,
      state,
      continuation: position.continuation,
      now: ctx.now,
      expiresAt: ctx.now + lifetimeMs,
    })
  }
  return { ...outcome, signInId: position.id, continuation: position.continuation }
}
