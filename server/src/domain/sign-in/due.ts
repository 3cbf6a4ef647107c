import { findNext, type FlowStep, type RunnableFlow } from '../flows/index.ts'
import { fullyProvedAt, opensSignIn, type Proof } from '../sessions/index.ts'
import {
  authenticatorOf,
  credentialOf,
  hasFactor,
  isSpent,
  levelIsMissing,
  type PersonFacts,
  policyAsks,
  secondFactors,
  wouldRaise,
} from './demand.ts'
import { type KnownFacts, type Surroundings, toFacts } from './facts.ts'
import { type ActionName, actionNames, stepsByName } from './steps/index.ts'
import type { SignInState, Step, StepInput } from './types.ts'

export type Due =
  /** `chosen` is kept, so that the next request is for the same step. */
  | { kind: 'STEP'; step: Step; flowStep: FlowStep | null; others: string[]; chosen: string }
  | { kind: 'DONE' }
  /** No way through for this person. */
  | { kind: 'STUCK' }

// Adding a factor is as good as signing in for ever after, so the first factor has to be fresh (S39); installing an app takes a
// while.
const enrolWithinMs = 15 * 60_000

/**
 * What this sign-in waits for: the flow first, then what the realm's policy or the application asks beyond it, then the required
 * actions. The policy is a floor: no flow goes below it.
 */
export function findDue(
  around: Surroundings,
  flow: RunnableFlow,
  state: SignInState,
  known: KnownFacts,
  input: StepInput,
): Due {
  const begun = findBegunEnrolment(around, state, input)
  if (begun) return begun
  const next = findNext(flow.steps, new Set(state.passed), toFacts(around, state, known))
  if (next.kind === 'STUCK') return next
  if (next.kind === 'STEPS') return choose(next.steps, state, input)
  // Whatever a flow says: nobody gets in who proved nothing.
  if (!known.person || state.proofs.length === 0) return { kind: 'STUCK' }
  return findMissingProof(around, state, known, input) ?? findAction(around, state, known)
}

/**
 * A device is enrolled from elsewhere, so it is there before its step is through. That step stays due, as everything before it was
 * passed when it began; otherwise the new device would be asked for a proof that enrolling it already gave.
 */
function findBegunEnrolment({ services }: Surroundings, state: SignInState, input: StepInput): Due | null {
  const { enrollment, flowType, proofs } = state
  if (!enrollment || input.method !== undefined) return null
  const isOwn = flowType === 'STEP_UP'
  if (isOwn && !isStillFresh(proofs, services.clock.now())) return null
  return toAction('REGISTER_DEVICE')
}

function choose(steps: FlowStep[], state: SignInState, input: StepInput): Due {
  const wanted = [
    input.method === undefined ? undefined : authenticatorOf(input.method),
    // On the page of the first factor what was filled in says what was chosen.
    input.linkToken === undefined && input.magicLink === undefined ? undefined : 'magic-link',
    input.qr === undefined ? undefined : 'qr',
    input.passkeyChallenge && input.assertion ? 'passkey' : undefined,
    state.method,
  ]
  const named =
    wanted.map((name) => steps.find((step) => step.authenticator === name)).find(Boolean) ??
    // Two ways of one credential: programs name the credential, and get the one that is open here.
    steps.find((step) => input.method !== undefined && credentialOf(step.authenticator!) === input.method)
  const flowStep = named ?? steps[0]!
  const others = steps.filter((step) => step !== flowStep).map((step) => step.authenticator!)
  const chosen = flowStep.authenticator!
  return { kind: 'STEP', step: stepsByName.get(chosen)!, flowStep, others, chosen }
}

/** A second factor that the flow did not ask for although somebody wants one. */
function findMissingProof(around: Surroundings, state: SignInState, known: KnownFacts, input: StepInput): Due | null {
  const { settings, continuation } = around
  const person = known.person!
  const level = continuation.level ?? 1
  const policy = policyAsks(settings, state, person)
  if (!policy && !levelIsMissing(settings, state, level)) return null
  const proved = new Set(state.proofs.map((proof) => proof.method))
  const open = secondFactors.filter(
    ({ authenticator }) =>
      hasFactor(settings, person.user, authenticator, person.canSend) &&
      !proved.has(authenticator) &&
      !isSpent(settings, state, person, authenticator) &&
      (policy || wouldRaise(state, authenticator, level)),
  )
  if (open.some(({ authenticator }) => authenticator !== 'recovery-code'))
    return choose(
      open.map(({ authenticator }) => toStep(authenticator)),
      state,
      input,
    )
  return findEnrolment(around, state, input, policy)
}

const toStep = (authenticator: string): FlowStep => ({
  id: `policy:${authenticator}`,
  authenticator,
  requirement: 'ALTERNATIVE',
  condition: null,
  config: {},
  steps: [],
})

const deviceWay: { action: ActionName; credential: string } = { action: 'REGISTER_DEVICE', credential: 'device' }

/** Whoever must have a second factor and has none sets one up now. */
function findEnrolment(
  { settings, services, continuation }: Surroundings,
  state: SignInState,
  input: StepInput,
  policy: boolean,
): Due | null {
  const level = continuation.level ?? 1
  const allowed: readonly string[] = settings.mfaPolicy.allowed
  const ways: { action: ActionName; credential: string }[] = [
    { action: 'CONFIGURE_TOTP', credential: 'totp' },
    { action: 'REGISTER_WEBAUTHN', credential: 'webauthn' },
    // Needs an app of the realm's own, so it is the way only where there is no other.
    ...(allowed.includes('totp') || allowed.includes('webauthn') ? [] : [deviceWay]),
  ]
  const open = ways.filter(
    ({ credential, action }) =>
      allowed.includes(credential) &&
      !state.passed.includes(action) &&
      (policy || wouldRaise(state, credential, level)),
  )
  // An application's wish that cannot be met is told to the application, not to the person.
  if (open.length === 0 || !isFresh(state, services.clock.now())) return policy ? { kind: 'STUCK' } : null
  const wanted = input.method ?? state.method
  const { action, credential: chosen } = open.find(({ credential }) => credential === wanted) ?? open[0]!
  const others = open.filter((way) => way.action !== action).map(({ credential }) => credential)
  return { kind: 'STEP', step: stepsByName.get(action)!, flowStep: null, others, chosen }
}

/** Proved in this very sign-in and by a first factor: neither an old session nor a second factor alone adds another. */
function isFresh({ flowType, proofs }: SignInState, now: number): boolean {
  return flowType !== 'STEP_UP' && hasFreshFirstFactor(proofs, now)
}

function hasFreshFirstFactor(proofs: Proof[], now: number): boolean {
  return proofs.some(({ method, at }) => opensSignIn(method) && at > now - enrolWithinMs)
}

/** On a session that is there: its person signed in not long ago. */
function isStillFresh(proofs: Proof[], now: number): boolean {
  return (fullyProvedAt(proofs) ?? 0) > now - enrolWithinMs
}

const dayMs = 86_400_000

function findAction({ settings, services }: Surroundings, state: SignInState, { person }: KnownFacts): Due {
  if (state.flowType === 'STEP_UP') return findOwnAction(state, person!, services.clock.now())
  const { user, canSend } = person!
  const { maxAgeDays } = settings.passwordPolicy
  const passwordAge = user.passwordChangedAt === null ? 0 : services.clock.now() - user.passwordChangedAt
  const asked = new Set<string>([...user.requiredActions, ...(state.actions ?? [])])
  if (maxAgeDays > 0 && passwordAge > maxAgeDays * dayMs) asked.add('UPDATE_PASSWORD')
  if (settings.verifyEmail && user.email !== null && !user.emailVerified) asked.add('VERIFY_EMAIL')
  // Without a way to send it the mail would never come; the action waits for a provider.
  if (!canSend.EMAIL) asked.delete('VERIFY_EMAIL')
  const action = actionNames.find((name) => asked.has(name) && !state.passed.includes(name))
  return action ? toAction(action) : { kind: 'DONE' }
}

/**
 * A new password, factor or address needs a fresh first factor (S39): on a session that is there only what its person began by
 * themselves with one (`beginOwnAction`); whatever else came due since waits for the next sign-in.
 */
function findOwnAction({ actions = [], passed, proofs }: SignInState, { canSend }: PersonFacts, now: number): Due {
  const action = actionNames.find((name) => actions.includes(name) && !passed.includes(name))
  if (!action || !isStillFresh(proofs, now)) return { kind: 'DONE' }
  return action === 'VERIFY_EMAIL' && !canSend.EMAIL ? { kind: 'DONE' } : toAction(action)
}

const toAction = (action: ActionName): Due => ({
  kind: 'STEP',
  step: stepsByName.get(action)!,
  flowStep: null,
  others: [],
  chosen: action,
})
