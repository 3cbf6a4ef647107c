import type { FlowCondition, FlowStep } from './types.ts'

/** What the conditions of a flow are asked about. */
export interface Facts {
  /** Whether a condition holds; null is the CONDITIONAL step without one. */
  holds(condition: FlowCondition | null, step: FlowStep): boolean
  /** Whether the person could pass this authenticator now; steps nobody can pass are no alternative. */
  usable(step: FlowStep): boolean
}

export type Next =
  /** One of these is due; several are alternatives, in the order of the flow. */
  | { kind: 'STEPS'; steps: FlowStep[] }
  | { kind: 'DONE' }
  /** No way through: every alternative is out of reach, or a step forbids. */
  | { kind: 'STUCK' }

/**
 * What comes next in a flow. On one level either every REQUIRED step (and every CONDITIONAL one whose condition holds) is passed
 * in order, and ALTERNATIVE steps beside them are not looked at; or, where there are none, one ALTERNATIVE is enough.
 */
export function findNext(steps: FlowStep[], passed: ReadonlySet<string>, facts: Facts): Next {
  const active = steps.filter((step) => isActive(step, facts))
  const demanded = active.filter((step) => step.requirement !== 'ALTERNATIVE')
  if (demanded.length > 0) return findDemanded(demanded, passed, facts)
  return findAlternative(active, passed, facts)
}

/** Whether a step counts on its level. */
export function isActive(step: FlowStep, facts: Facts): boolean {
  if (step.requirement === 'DISABLED') return false
  if (step.requirement === 'CONDITIONAL') return facts.holds(step.condition, step)
  // A condition on any other step narrows it in the same way.
  return step.condition === null || facts.holds(step.condition, step)
}

function findDemanded(steps: FlowStep[], passed: ReadonlySet<string>, facts: Facts): Next {
  for (const step of steps) {
    const next = nextOf(step, passed, facts)
    if (next.kind !== 'DONE') return next
  }
  return { kind: 'DONE' }
}

function findAlternative(steps: FlowStep[], passed: ReadonlySet<string>, facts: Facts): Next {
  if (steps.length === 0) return { kind: 'DONE' }
  const open: FlowStep[] = []
  let begun: Next | null = null
  for (const step of steps) {
    const next = nextOf(step, passed, facts)
    if (next.kind === 'DONE') return next
    if (next.kind === 'STUCK') continue
    // Whoever has begun one way goes on in it.
    if (step.authenticator === null && hasPassed(step, passed)) begun ??= next
    open.push(...next.steps)
  }
  if (begun) return begun
  return open.length > 0 ? { kind: 'STEPS', steps: open } : { kind: 'STUCK' }
}

function nextOf(step: FlowStep, passed: ReadonlySet<string>, facts: Facts): Next {
  if (step.authenticator === null) return findNext(step.steps, passed, facts)
  if (passed.has(step.id)) return { kind: 'DONE' }
  return facts.usable(step) ? { kind: 'STEPS', steps: [step] } : { kind: 'STUCK' }
}

function hasPassed(step: FlowStep, passed: ReadonlySet<string>): boolean {
  return passed.has(step.id) || step.steps.some((child) => hasPassed(child, passed))
}
