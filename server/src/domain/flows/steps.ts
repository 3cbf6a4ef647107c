// Steps as they are stored and run: every member there, defaults of the configuration filled in, members in one order.
import { newId } from '../../platform/ids/index.ts'
import { configSchemaOf } from './config.ts'
import type { FlowStepInput } from './schema.ts'
import type { FlowStep } from './types.ts'

/** The input was checked against the schema before. Steps without an id get one. */
export function readSteps(input: FlowStepInput[], now: number): FlowStep[] {
  return input.map(({ id, authenticator = null, requirement, condition = null, config = {}, steps = [] }) => ({
    id: id ?? newId(now),
    authenticator,
    requirement,
    condition: condition && { type: condition.type, config: fillIn(condition.type, condition.config ?? {}) },
    config: fillIn(authenticator, config),
    steps: readSteps(steps, now),
  }))
}

/** A setting that a later release no longer knows, or limits otherwise, must not make the whole flow unreadable. */
function fillIn(authenticator: string | null, config: Record<string, unknown>): Record<string, unknown> {
  const result = configSchemaOf(authenticator).safeParse(config)
  return result.success ? result.data : config
}
