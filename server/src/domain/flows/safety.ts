// Whether a flow can be put in use: nobody gets in without proving who they are, and an administrator can still get in.
import { authenticators } from './authenticators.ts'
import { combineAnswers, holdsIn, type Question } from './conditions.ts'
import type { FlowStep, FlowType } from './types.ts'
import { findWays, type Walker } from './ways.ts'

// Bits of what is reached on a way.
const proved = 1
const named = 2

const isPrimaryProof = (id: string) => {
  const { kind, factor } = authenticators.get(id) ?? {}
  return kind === 'PRIMARY' && factor !== 'NONE'
}
const isAnyProof = (id: string) => isPrimaryProof(id) || authenticators.get(id)?.kind === 'SECOND'

/** What every way through a flow of the type must pass. */
const proofs: Record<FlowType, { counts(id: string): boolean; missing: string }> = {
  BROWSER: {
    // Who has a session or comes from an identity provider has proved who they are there.
    counts: (id) => isPrimaryProof(id) || id === 'cookie' || id === 'identity-provider',
    missing: 'without proving who somebody is: every way must pass a primary factor',
  },
  DIRECT_GRANT: {
    counts: isPrimaryProof,
    missing: 'without proving who somebody is: every way must pass a primary factor',
  },
  RESET_CREDENTIALS: {
    counts: isPrimaryProof,
    missing: 'without proving whose account it is: every way must pass a link by e-mail or a primary factor',
  },
  FIRST_BROKER_LOGIN: {
    counts: isPrimaryProof,
    missing: 'without proving whose account is linked: every way must pass a primary factor',
  },
  STEP_UP: { counts: isAnyProof, missing: 'without proving anything: every way must pass a factor' },
  REGISTRATION: {
    counts: (id) => id === 'username-password',
    missing: 'without the form of the new account: every way must pass username-password',
  },
}

export interface Fault {
  detail: string
  /** Paths of the steps in question, such as `steps[1].steps[0]`. */
  steps: string[]
}

const bothAnswers = [true, false] as const
const always = [true] as const

/** Everybody is everywhere, and no answer helps. */
function answerOf({ condition }: Question): readonly boolean[] {
  return isEverywhere(condition?.config.cidrs) ? always : bothAnswers
}

function isEverywhere(cidrs: unknown): boolean {
  return Array.isArray(cidrs) && cidrs.includes('0.0.0.0/0') && cidrs.includes('::/0')
}

/** A way through the flow on which nobody proves anything, whatever its conditions say. */
export function findUnprovenWay(type: FlowType, steps: FlowStep[]): Fault | null {
  const { counts, missing } = proofs[type]
  for (const answers of combineAnswers(steps, answerOf)) {
    const walker: Walker = {
      holds: (step) => holdsIn(answers, step),
      pass: ({ authenticator }, reached) =>
        authenticator === 'deny' ? null : reached | (counts(authenticator!) ? proved : 0),
    }
    const way = [...findWays(steps, walker)].find(([reached]) => (reached & proved) === 0)?.[1]
    if (!way) continue
    const shown = way.length === 0 ? 'nothing at all' : way.join(', ')
    return { detail: `The flow can be completed ${missing}. Now ${shown} would be enough.`, steps: [] }
  }
  return null
}

/** Somebody who holds realm-admin, as far as it matters to a flow. */
export interface Administrator {
  /** Ids of authenticators they could pass today with what they have. */
  able: ReadonlySet<string>
  /** Whether they have a second factor of their own, so that a step may ask for it. */
  hasSecondFactor: boolean
  roles: ReadonlySet<string>
}

/** Steps that name the person, so that steps after them know whom to ask. */
const naming = new Set(['username', 'username-password', 'passkey', 'magic-link', 'qr'])
/** Steps that anybody passes. */
const open = new Set(['username', 'allow', 'consent', 'terms'])

function needsName(id: string): boolean {
  return id === 'password' || authenticators.get(id)?.kind === 'SECOND'
}

/**
 * Where each administrator who was looked at could be stuck; empty when at least one gets through however the conditions that
 * depend on the request turn out. A session that exists already does not count: it ends.
 */
export function findLockouts(steps: FlowStep[], administrators: Administrator[]): Fault[] {
  const lockouts: Fault[] = []
  for (const administrator of administrators) {
    const lockout = findLockout(steps, administrator)
    if (!lockout) return []
    lockouts.push(lockout)
  }
  return lockouts
}

function findLockout(steps: FlowStep[], administrator: Administrator): Fault | null {
  const paths = listPaths(steps)
  for (const answers of combineAnswers(steps, (question) => answersFor(question, administrator))) {
    const refused = new Set<string>()
    const walker: Walker = {
      holds: (step) => holdsIn(answers, step),
      pass(step, reached) {
        const id = step.authenticator!
        const passes = (open.has(id) || administrator.able.has(id)) && (!needsName(id) || (reached & named) !== 0)
        if (!passes) refused.add(`${paths.get(step)} (${id})`)
        return passes ? reached | (naming.has(id) ? named : 0) : null
      },
    }
    if (findWays(steps, walker).size === 0) return describeLockout([...refused])
  }
  return null
}

/** A session nobody has is the reason only where nothing else is asked for. */
function describeLockout(refused: string[]): Fault {
  const others = refused.filter((step) => !step.endsWith('(cookie)'))
  const steps = others.length > 0 ? others : refused
  return { detail: `stuck at ${steps.join(', ')}`, steps: steps.map((step) => step.split(' ')[0]!) }
}

function answersFor(question: Question, { roles, hasSecondFactor }: Administrator): readonly boolean[] {
  const { condition } = question
  // Whoever has no second factor is not asked for one here; they are led to set one up afterwards.
  if (condition === null) return hasSecondFactor ? bothAnswers : [false]
  if (condition.type !== 'condition-role') return answerOf(question)
  return [(condition.config.roles as string[]).some((role) => roles.has(role))]
}

/** `steps[1].steps[0]` for every step. */
export function listPaths(steps: FlowStep[], base = ''): Map<FlowStep, string> {
  const paths = new Map<FlowStep, string>()
  for (const [at, step] of steps.entries()) {
    const path = `${base}steps[${at}]`
    paths.set(step, path)
    for (const [inner, innerPath] of listPaths(step.steps, `${path}.`)) paths.set(inner, innerPath)
  }
  return paths
}
