import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'
import { checkStep, checkSteps, maxSteps } from './check.ts'
import { flowTypes, requirements } from './types.ts'

/** As a realm's name: it is part of addresses. */
export const aliasPattern = /^[a-z0-9][a-z0-9-]{0,62}$/
const FlowAlias = z
  .string()
  .regex(aliasPattern, '1 to 63 lower-case letters, digits and hyphens, not beginning with a hyphen.')

const FlowConditionShape = z
  .object({ type: z.string(), config: z.record(z.string(), z.unknown()) })
  .meta({ id: 'FlowCondition', description: 'When the step counts at all.' })

const shownStep = {
  id: z.uuid(),
  authenticator: z.string().nullable().describe('Id of an authenticator; null when the step holds further steps.'),
  requirement: z.enum(requirements),
  condition: FlowConditionShape.nullable().describe(
    'null on a CONDITIONAL step: it counts when the realm’s mfaPolicy or the application asks for a second factor.',
  ),
  config: z.record(z.string(), z.unknown()).describe('As the authenticator’s configSchema says.'),
}
interface ShownStep {
  id: string
  authenticator: string | null
  requirement: (typeof requirements)[number]
  condition: { type: string; config: Record<string, unknown> } | null
  config: Record<string, unknown>
  steps: ShownStep[]
}
const FlowStepShape: z.ZodType<ShownStep> = z
  .object({ ...shownStep, steps: z.array(z.lazy(() => FlowStepShape)) })
  .meta({ id: 'FlowStep' })

export const Flow = z
  .object({
    realmId: z.string(),
    alias: z.string(),
    displayName: z.string().nullable(),
    description: z.string().nullable(),
    type: z.enum(flowTypes).describe('What the flow is for.'),
    builtIn: z.boolean().describe('Every realm has it; it can be edited and reset, but neither renamed nor deleted.'),
    bound: z.boolean().describe('The flow in use for its type; there is exactly one for each.'),
    steps: z.array(FlowStepShape),
    createdAt: z.int().nullable().describe('null for a built-in flow that was never edited.'),
    updatedAt: z.int().nullable(),
  })
  .meta({ id: 'Flow' })
export type Flow = z.infer<typeof Flow>

export interface FlowStepInput {
  id?: string | undefined
  authenticator?: string | null | undefined
  requirement: (typeof requirements)[number]
  condition?: { type: string; config?: Record<string, unknown> | undefined } | null | undefined
  config?: Record<string, unknown> | undefined
  steps?: FlowStepInput[] | undefined
}

const authenticatorId = z.string().max(64)
const config = z.record(z.string().max(64), z.unknown())

export const FlowStepInput: z.ZodType<FlowStepInput> = z
  .strictObject({
    id: z
      .string()
      .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in lower case')
      .optional()
      .describe('Kept when given; else assigned.'),
    authenticator: authenticatorId.nullable().optional().describe(shownStep.authenticator.description!),
    requirement: z.enum(requirements),
    condition: z
      .strictObject({
        type: authenticatorId.describe('An authenticator of kind CONDITION.'),
        config: config.optional(),
      })
      .nullable()
      .optional()
      .describe(shownStep.condition.description!),
    config: config.optional().describe(shownStep.config.description!),
    steps: z
      .array(z.lazy(() => FlowStepInput))
      .max(maxSteps)
      .optional(),
  })
  .superRefine(checkStep)
  .meta({ id: 'FlowStepInput' })

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()
const readOnlyTime = z.int().nullable().optional().describe('Read-only: accepted and ignored.')

const writable = {
  displayName: z.string().min(1).max(255).nullable().default(null),
  description: z.string().max(1024).nullable().default(null),
  steps: z
    .array(FlowStepInput)
    .max(maxSteps)
    .superRefine(checkSteps)
    .describe(
      'On one level either every REQUIRED and CONDITIONAL step that counts is passed in order, or one ALTERNATIVE.',
    ),
}
const ignored = {
  realmId: readOnly,
  builtIn: readOnly,
  bound: readOnly.describe('Read-only: PUT /flows/{alias}/bind puts a flow in use.'),
  createdAt: readOnlyTime,
  updatedAt: readOnlyTime,
}

export const FlowInput = z
  .strictObject({ alias: FlowAlias, type: z.enum(flowTypes), ...writable, ...ignored })
  .meta({ id: 'FlowInput' })
export type FlowInput = z.infer<typeof FlowInput>

export const FlowReplacement = z
  .strictObject({
    alias: FlowAlias.optional().describe('Another one renames the flow.'),
    type: z.enum(flowTypes).optional().describe('Never changes.'),
    ...writable,
    ...ignored,
  })
  .meta({ id: 'FlowReplacement' })
export type FlowReplacement = z.infer<typeof FlowReplacement>

const FlowChoice = z
  .strictObject({ alias: FlowAlias })
  .meta({ id: 'FlowChoice', description: 'The alias alone: puts this flow in use instead of saving one.' })

export const BrowserFlowInput = z.union([FlowReplacement, FlowChoice])
export type BrowserFlowInput = z.infer<typeof BrowserFlowInput>

export const FlowQuery = pageQuery
  .extend({ type: z.enum(flowTypes).optional().describe('Only flows of this type.') })
  .meta({ id: 'FlowQuery' })
export type FlowQuery = z.infer<typeof FlowQuery>
