import type { Executor } from '../../platform/db/index.ts'
import { createNetworks } from '../../platform/http/index.ts'
import type { Facts, FlowCondition, FlowStep } from '../flows/index.ts'
import { hasProvider } from '../messaging/index.ts'
import { expandPermissions, readPermissionsOfUser } from '../permissions/index.ts'
import { readPersonRoles } from '../tokens/index.ts'
import {
  hasFactor,
  hasSecondFactor,
  isSecondFactor,
  isSpent,
  levelIsMissing,
  type PersonFacts,
  policyAsks,
} from './demand.ts'
import type { LoginUser } from './store.ts'
import type { Continuation, SignInState, StepWork } from './types.ts'

export type Surroundings = Pick<StepWork, 'services' | 'realm' | 'settings' | 'origin'> & { continuation: Continuation }

/** What the conditions of a flow ask about a person, read once before the flow is looked at. */
export interface KnownFacts {
  person: PersonFacts | null
  roles: ReadonlySet<string>
}

/** Reads only what this flow and this realm's policy ask about. */
export async function readFacts(
  executor: Executor,
  { realm, settings }: Surroundings,
  steps: FlowStep[],
  user: LoginUser | null,
): Promise<KnownFacts> {
  if (!user) return { person: null, roles: new Set() }
  const [isAdmin, roles, EMAIL, SMS, PUSH] = await Promise.all([
    settings.mfaPolicy.mode === 'REQUIRED_FOR_ADMINS' ? holdsPermissions(executor, realm.realmId, user.id) : false,
    asksFor(steps, 'condition-role') ? readPersonRoles(executor, realm.realmId, user.id) : null,
    hasProvider(realm, 'EMAIL'),
    hasProvider(realm, 'SMS'),
    hasProvider(realm, 'PUSH'),
  ])
  return { person: { user, isAdmin, canSend: { EMAIL, SMS, PUSH } }, roles: new Set(roles?.realmRoles) }
}

async function holdsPermissions(executor: Executor, realmId: string, userId: string): Promise<boolean> {
  return expandPermissions(await readPermissionsOfUser(executor, realmId, userId)).size > 0
}

function asksFor(steps: FlowStep[], condition: string): boolean {
  return steps.some((step) => step.condition?.type === condition || asksFor(step.steps, condition))
}

/** The flow's view of a sign-in: which conditions hold, and which steps the person can take. */
export function toFacts(around: Surroundings, state: SignInState, known: KnownFacts): Facts {
  const { person } = known
  return {
    holds: (condition, step) =>
      condition === null ? asksForMore(around, state, person, step) : holds(condition, around, state, known),
    usable: (step) => isUsable(around, state, person, step.authenticator!),
  }
}

/** The CONDITIONAL step without a condition: the policy or the application asks, and the person has something to answer with. */
function asksForMore(around: Surroundings, state: SignInState, person: PersonFacts | null, step: FlowStep): boolean {
  const { settings, continuation } = around
  if (!person) return false
  // What was begun stays due until it is passed; what was passed is not asked twice.
  if (step.steps.some((child) => state.passed.includes(child.id))) return true
  const asked = policyAsks(settings, state, person) || levelIsMissing(settings, state, continuation.level ?? 1)
  // Where the flow offers nothing that the person has, the policy asks for what they have once the flow is through.
  return asked && hasSecondFactor(settings, person.user, person.canSend) && hasUsable(around, state, person, step)
}

function hasUsable(around: Surroundings, state: SignInState, person: PersonFacts, step: FlowStep): boolean {
  if (step.requirement === 'DISABLED') return false
  if (step.authenticator !== null) return isUsable(around, state, person, step.authenticator)
  return step.steps.some((child) => hasUsable(around, state, person, child))
}

function isUsable(
  { settings }: Surroundings,
  state: SignInState,
  person: PersonFacts | null,
  authenticator: string,
): boolean {
  if (authenticator === 'deny' || authenticator === 'cookie') return false
  if (!isSecondFactor(authenticator)) return true
  if (!person) return false
  return (
    hasFactor(settings, person.user, authenticator, person.canSend) && !isSpent(settings, state, person, authenticator)
  )
}

type ConditionConfig = Record<string, unknown>
const list = (config: ConditionConfig, name: string) => (config[name] as string[] | undefined) ?? []

function holds(
  { type, config }: FlowCondition,
  { origin, continuation }: Surroundings,
  state: SignInState,
  known: KnownFacts,
): boolean {
  const found = (() => {
    switch (type) {
      case 'condition-role':
        return list(config, 'roles').some((role) => known.roles.has(role))
      case 'condition-client':
        return continuation.clientId !== undefined && list(config, 'clientIds').includes(continuation.clientId)
      case 'condition-acr':
        return (continuation.level ?? 1) >= Number(String(config.minimum).slice(-1))
      case 'condition-ip':
        return origin.sourceIp !== null && createNetworks(list(config, 'cidrs'))(origin.sourceIp)
      case 'condition-device':
        return Boolean(state.trustedDevice) === (config.trusted ?? true)
      default:
        // Groups come with their own part of the service; nobody is in one yet.
        return false
    }
  })()
  return config.negate === true ? !found : found
}
