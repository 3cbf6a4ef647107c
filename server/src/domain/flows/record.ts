// A flow as the API shows it, from its row or, where it was never edited, from code.
import { createHash } from 'node:crypto'
import { buildSteps, builtInId, builtInOf, findBuiltIn } from './built-in.ts'
import type { Flow, FlowStepInput } from './schema.ts'
import { readSteps } from './steps.ts'
import type { BindingRow, FlowRow } from './store.ts'
import { type FlowType, flowTypes, type RunnableFlow } from './types.ts'

/** A flow with the id it has, or would have, in the database. */
export interface FlowEntry {
  id: string
  flow: Flow
}

/** The alias in use for each type. */
export type Bindings = Readonly<Record<FlowType, string>>

export function readBindings(rows: BindingRow[]): Bindings {
  const chosen = new Map(rows.map(({ type, alias }) => [type, alias]))
  return Object.fromEntries(flowTypes.map((type) => [type, chosen.get(type) ?? builtInOf(type).alias])) as Bindings
}

export function toEntry(realmId: string, row: FlowRow, bindings: Bindings): FlowEntry {
  const type = row.type as FlowType
  return {
    id: row.id,
    flow: {
      realmId,
      alias: row.alias,
      displayName: row.display_name,
      description: row.description,
      type,
      builtIn: findBuiltIn(row.alias) !== null,
      bound: bindings[type] === row.alias,
      // The database keeps members in an order of its own.
      steps: readSteps(row.steps as FlowStepInput[], 0),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
  }
}

/** A built-in flow as it is in code; null for any other alias. */
export function builtInEntry(realmId: string, alias: string, bindings: Bindings): FlowEntry | null {
  const builtIn = findBuiltIn(alias)
  if (!builtIn) return null
  const { type, displayName, description } = builtIn
  return {
    id: builtInId(realmId, alias),
    flow: {
      ...{ realmId, alias, displayName, description, type },
      builtIn: true,
      bound: bindings[type] === alias,
      steps: buildSteps(realmId, builtIn),
      createdAt: null,
      updatedAt: null,
    },
  }
}

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/**
 * The ETag: a hash of what is shown. A counter would not do, because an alias can be freed and taken again, a built-in flow has no
 * row and may change with a release, and `bound` changes when another flow is bound. 48 bits are a whole number in JavaScript.
 */
export function versionOf(flow: Flow): number {
  return Number.parseInt(digest(flow).slice(0, 12), 16)
}

export function toRunnable({ alias, type, steps }: Flow): RunnableFlow {
  return { alias, type, version: digest([type, alias, steps]).slice(0, 16), steps }
}
