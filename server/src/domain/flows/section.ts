import type { Section } from '../snapshot/index.ts'
import { builtInAliases } from './built-in.ts'
import { builtInEntry, readBindings, toEntry, toRunnable } from './record.ts'
import { selectFlowsInUse } from './store.ts'
import { type FlowType, flowTypes, type RunnableFlow } from './types.ts'

export type FlowsInUse = Readonly<Record<FlowType, RunnableFlow>>

// The objects around the texts of six flows and their steps.
const baseBytes = 8192

/** The flow in use for each type: `await snapshot.section(flowsSection)`. */
export const flowsSection: Section<FlowsInUse> = {
  name: 'flows',
  async load({ db }, realmId) {
    const rows = await selectFlowsInUse(db, realmId, builtInAliases)
    const bindings = readBindings(rows.filter(({ bound }) => bound))
    const stored = new Map(rows.map((row) => [row.alias, toEntry(realmId, row, bindings)]))
    const inUse = flowTypes.map((type) => {
      const alias = bindings[type]
      const entry = stored.get(alias) ?? builtInEntry(realmId, alias, bindings)!
      return [type, toRunnable(entry.flow)]
    })
    return Object.fromEntries(inUse) as FlowsInUse
  },
  // Two bytes a character is the most that the engine keeps.
  sizeOf: (flows) => baseBytes + JSON.stringify(flows).length * 2,
}
