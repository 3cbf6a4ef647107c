// What a step and a whole flow must be beyond the types of their members. Every fault names its member.
import type { z } from 'zod'
import { authenticators } from './authenticators.ts'
import { countQuestions } from './conditions.ts'
import { configSchemaOf } from './config.ts'
import type { FlowStepInput } from './schema.ts'
import { readSteps } from './steps.ts'

// People must be able to oversee a flow, and every sign-in walks it.
export const maxDepth = 5
export const maxSteps = 50
// A flow is tried with every combination of answers before it is put in use.
export const maxConditions = 8

type Check = z.core.$RefinementCtx

export function checkStep(step: FlowStepInput, check: Check): void {
  const { authenticator = null, steps = [], condition = null } = step
  if (authenticator !== null && steps.length > 0) {
    addFault(check, ['authenticator'], 'A step has either an authenticator or steps, not both.')
  }
  if (authenticator === null && steps.length === 0) {
    addFault(check, ['authenticator'], 'A step has an authenticator, or steps of its own.')
  }
  if (authenticator !== null) checkAuthenticator(step, authenticator, check)
  else checkConfig(null, step.config ?? {}, ['config'], check)
  if (condition !== null) checkCondition(condition, check)
}

function checkAuthenticator({ requirement, config = {} }: FlowStepInput, id: string, check: Check): void {
  const found = authenticators.get(id)
  if (!found)
    return addFault(check, ['authenticator'], 'There is no such authenticator; GET /authenticators lists them.')
  if (found.kind === 'CONDITION') {
    return addFault(check, ['authenticator'], 'This is a condition: name it in condition.type of the step it is for.')
  }
  if (!found.available && requirement !== 'DISABLED') {
    return addFault(check, ['authenticator'], 'This release cannot run it yet: only DISABLED is possible.')
  }
  checkConfig(id, config, ['config'], check)
}

function checkCondition({ type, config = {} }: NonNullable<FlowStepInput['condition']>, check: Check): void {
  if (authenticators.get(type)?.kind !== 'CONDITION') {
    return addFault(check, ['condition', 'type'], 'There is no such condition; GET /authenticators lists them.')
  }
  checkConfig(type, config, ['condition', 'config'], check)
}

/** Faults of the configuration, each with its own code, at its place in the flow. */
function checkConfig(id: string | null, config: unknown, at: string[], check: Check): void {
  const result = configSchemaOf(id).safeParse(config)
  if (result.success) return
  for (const issue of result.error.issues) {
    // An issue of one schema passed on by another: the same members, typed more loosely on the way in.
    check.addIssue({ ...issue, path: [...at, ...issue.path], input: config } as z.core.$ZodSuperRefineIssue)
  }
}

/** What only the whole flow shows: its size and what its steps share. */
export function checkSteps(steps: FlowStepInput[], check: Check): void {
  const ids = new Set<string>()
  let count = 0
  const visit = (level: FlowStepInput[], path: PropertyKey[], depth: number): void => {
    for (const [at, step] of level.entries()) {
      const here = [...path, at]
      count += 1
      if (step.id !== undefined && ids.has(step.id)) addFault(check, [...here, 'id'], 'Another step has this id.')
      if (step.id !== undefined) ids.add(step.id)
      if (!step.steps?.length) continue
      if (depth === maxDepth) addFault(check, [...here, 'steps'], `Steps are nested at most ${maxDepth} deep.`)
      else visit(step.steps, [...here, 'steps'], depth + 1)
    }
  }
  visit(steps, [], 1)
  if (count > maxSteps) addFault(check, [], `A flow has at most ${maxSteps} steps, with those inside groups.`)
  // Nothing is stored here: the ids that are given out only tell steps apart.
  if (countQuestions(readSteps(steps, 0)) > maxConditions) {
    addFault(check, [], `A flow has at most ${maxConditions} different conditions.`)
  }
}

function addFault(check: Check, path: PropertyKey[], message: string): void {
  check.addIssue({ code: 'custom', path, message })
}
