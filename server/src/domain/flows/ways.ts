// Every way through a flow at once: what can be reached at its end, without walking each way by itself.
import { isActive } from './evaluate.ts'
import type { FlowStep } from './types.ts'

export interface Walker {
  holds(step: FlowStep): boolean
  /** What is reached by passing the step from here; null when it cannot be passed. */
  pass(step: FlowStep, reached: number): number | null
}

/** What can be reached, as bits of the walker’s own, each with the authenticators of one way there. */
export type Ways = ReadonlyMap<number, readonly string[]>

const nowhere: Ways = new Map([[0, []]])

/**
 * What can be reached at the end of these steps; empty when there is no way through. It reads a flow exactly as `findNext` does,
 * and since alternatives meet again at the end of their level, its work grows with the steps and not with the ways.
 */
export function findWays(steps: FlowStep[], walker: Walker, from: Ways = nowhere): Ways {
  const active = listActive(steps, walker)
  const demanded = active.filter((step) => step.requirement !== 'ALTERNATIVE')
  if (demanded.length > 0) return demanded.reduce((ways, step) => passStep(step, walker, ways), from)
  // One alternative that asks for nothing ends the level before any other is offered.
  if (isOver(steps, walker)) return from
  const ends = new Map<number, readonly string[]>()
  for (const step of active) {
    for (const [reached, way] of passStep(step, walker, from)) if (!ends.has(reached)) ends.set(reached, way)
  }
  return ends
}

function listActive(steps: FlowStep[], walker: Walker): FlowStep[] {
  const facts = { holds: (_: unknown, step: FlowStep) => walker.holds(step), usable: () => true }
  return steps.filter((step) => isActive(step, facts))
}

function passStep(step: FlowStep, walker: Walker, from: Ways): Ways {
  if (step.authenticator === null) return findWays(step.steps, walker, from)
  const ends = new Map<number, readonly string[]>()
  for (const [reached, way] of from) {
    const next = walker.pass(step, reached)
    if (next !== null && !ends.has(next)) ends.set(next, [...way, step.authenticator])
  }
  return ends
}

/** Whether nothing at all is asked for on this level. */
function isOver(steps: FlowStep[], walker: Walker): boolean {
  const active = listActive(steps, walker)
  const over = (step: FlowStep) => step.authenticator === null && isOver(step.steps, walker)
  const demanded = active.filter((step) => step.requirement !== 'ALTERNATIVE')
  if (demanded.length > 0) return demanded.every(over)
  return active.length === 0 || active.some(over)
}
