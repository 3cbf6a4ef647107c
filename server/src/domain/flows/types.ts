/** What a flow is for (contract 2.102). Each type has one flow in use. */
export const flowTypes = [
  'BROWSER',
  'REGISTRATION',
  'RESET_CREDENTIALS',
  'FIRST_BROKER_LOGIN',
  'DIRECT_GRANT',
  'STEP_UP',
] as const
export type FlowType = (typeof flowTypes)[number]

export const requirements = ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED'] as const
export type Requirement = (typeof requirements)[number]

export interface FlowCondition {
  /** One of the authenticators of kind CONDITION. */
  type: string
  config: Record<string, unknown>
}

/** A step proves something (`authenticator`), or holds further steps, never both. */
export interface FlowStep {
  id: string
  authenticator: string | null
  requirement: Requirement
  /** A CONDITIONAL step without one runs when the realm's mfaPolicy or the requested acr asks for it. */
  condition: FlowCondition | null
  config: Record<string, unknown>
  steps: FlowStep[]
}

/** A flow as the sign-in runs it. */
export interface RunnableFlow {
  alias: string
  type: FlowType
  /** Hash of type and steps: a sign-in under way keeps the flow it began with. */
  version: string
  steps: FlowStep[]
}
