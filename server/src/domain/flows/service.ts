import { brokenUnique } from '../../platform/db/index.ts'
import { conflictError, DomainError, fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid, newId } from '../../platform/ids/index.ts'
import { type Loaded, paging } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { raiseRealmVersion } from '../snapshot/index.ts'
import { buildSteps, builtInAliases, builtInId, builtInOf, findBuiltIn } from './built-in.ts'
import { assertSafe } from './guard.ts'
import { type Bindings, builtInEntry, type FlowEntry, readBindings, toEntry, versionOf } from './record.ts'
import {
  aliasPattern,
  type BrowserFlowInput,
  type Flow,
  type FlowInput,
  type FlowQuery,
  type FlowReplacement,
} from './schema.ts'
import { readSteps } from './steps.ts'
import * as store from './store.ts'
import type { FlowStep, FlowType } from './types.ts'

/** Contract 8.6; built-in flows do not count. */
export const maxFlows = 100

/** A flow with what its ETag is made of. */
export type LoadedFlow = Loaded<Flow>

export async function loadFlow(ctx: Context, alias: string | undefined, forUpdate: boolean): Promise<LoadedFlow> {
  if (!alias || !aliasPattern.test(alias)) throw notFound()
  if (forUpdate) await store.lockRealm(ctx.tx, ctx.realmId)
  const { flow } = (await findEntry(ctx, alias)) ?? {}
  if (!flow) throw notFound()
  return { record: flow, version: versionOf(flow) }
}

/** The flow that browser sign-ins run through. */
export async function loadBrowserFlow(ctx: Context, forUpdate: boolean): Promise<LoadedFlow> {
  if (forUpdate) await store.lockRealm(ctx.tx, ctx.realmId)
  return loadFlow(ctx, (await loadBindings(ctx)).BROWSER, false)
}

async function loadBindings(ctx: Context): Promise<Bindings> {
  return readBindings(await store.selectBindings(ctx.tx, ctx.realmId))
}

async function findEntry(ctx: Context, alias: string): Promise<FlowEntry | null> {
  const row = await store.selectFlow(ctx.tx, ctx.realmId, alias)
  const bindings = await loadBindings(ctx)
  return row ? toEntry(ctx.realmId, row, bindings) : builtInEntry(ctx.realmId, alias, bindings)
}

/** Built-in flows in the order of the contract, then the realm's own by alias. They are few, so a page is cut out of all. */
export async function listFlows(ctx: Context, query: FlowQuery) {
  const page = paging(query)
  if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is what rel="next" carries')
  const entries = (await readEntries(ctx)).filter(({ flow }) => query.type === undefined || flow.type === query.type)
  const cursor = page.after === null ? -1 : entries.findIndex(({ id }) => id === page.after)
  // A cursor that names nothing (any more) is followed by nothing.
  const from = page.after === null ? page.offset : cursor === -1 ? entries.length : cursor + 1
  const total = query.count === 'true' ? entries.length : null
  return { entries: entries.slice(from, from + page.limit + 1), page, total }
}

export async function readEntries(ctx: Context): Promise<FlowEntry[]> {
  const rows = await store.selectFlows(ctx.tx, ctx.realmId, maxFlows + builtInAliases.length)
  const bindings = await loadBindings(ctx)
  const stored = new Map(rows.map((row) => [row.alias, toEntry(ctx.realmId, row, bindings)]))
  const builtIns = builtInAliases.map((alias) => stored.get(alias) ?? builtInEntry(ctx.realmId, alias, bindings)!)
  return [...builtIns, ...[...stored.values()].filter(({ flow }) => !flow.builtIn)]
}

export async function countFlows(ctx: Context, upTo: number): Promise<number> {
  return store.countFlows(ctx.tx, ctx.realmId, builtInAliases, upTo)
}

/** A new flow is in nobody's way until it is bound, so it may be unfinished. */
export async function createFlow(ctx: Context, input: FlowInput): Promise<LoadedFlow> {
  if (findBuiltIn(input.alias)) throw aliasTaken()
  const steps = readSteps(input.steps, ctx.now)
  await keepAliasUnique(() => insertRow(ctx, newId(ctx.now), input.type, { ...input, steps }))
  return finishChange(ctx, input.alias)
}

/** Replaces a flow; another alias renames it. A built-in flow gets its row by this. */
export async function replaceFlow(ctx: Context, before: Flow, input: FlowReplacement): Promise<LoadedFlow> {
  const { alias = before.alias, type = before.type } = input
  if (type !== before.type) throw fieldError('type', 'The type of a flow never changes; make another flow.')
  const renamed = alias !== before.alias
  if (renamed && before.builtIn) {
    throw new DomainError('protected', 'A built-in flow keeps its alias; make a copy under another one.')
  }
  if (renamed && findBuiltIn(alias)) throw aliasTaken()
  const steps = readSteps(input.steps, ctx.now)
  if (before.bound) await assertSafe(ctx, type, steps)
  await keepAliasUnique(() => writeFlow(ctx, before, { ...input, alias, steps }))
  if (renamed && before.bound) await store.writeBinding(ctx.tx, ctx.realmId, { type, alias })
  return finishChange(ctx, alias)
}

export async function deleteFlow(ctx: Context, flow: Flow): Promise<void> {
  if (flow.builtIn) {
    throw new DomainError('protected', 'A built-in flow cannot be deleted; POST …/reset undoes what was edited.')
  }
  if (flow.bound) throw new DomainError('protected', `The flow is in use for ${flow.type}; bind another one first.`)
  const row = await store.selectFlow(ctx.tx, ctx.realmId, flow.alias)
  if (row) await store.deleteFlowRow(ctx.tx, ctx.realmId, row.id)
  await raiseRealmVersion(ctx)
}

/** Puts a flow in use for its type. */
export async function bindFlow(ctx: Context, { alias, type, steps, builtIn }: Flow): Promise<LoadedFlow> {
  await assertSafe(ctx, type, steps)
  // Without a row the built-in flow of the type is the one in use.
  if (builtIn) await store.deleteBinding(ctx.tx, ctx.realmId, type)
  else await store.writeBinding(ctx.tx, ctx.realmId, { type, alias })
  return finishChange(ctx, alias)
}

/** PUT /flow: saves the flow in use, or puts the one that is named in use. */
export async function saveBrowserFlow(ctx: Context, bound: Flow, input: BrowserFlowInput): Promise<LoadedFlow> {
  if (!('steps' in input)) {
    const { record } = await loadFlow(ctx, input.alias, false)
    if (record.type !== 'BROWSER') throw fieldError('alias', `This flow is for ${record.type}, not for BROWSER.`)
    return bindFlow(ctx, record)
  }
  if (input.alias !== undefined && input.alias !== bound.alias) {
    throw fieldError('alias', `The flow in use is ${bound.alias}. Send an alias alone to put another flow in use.`)
  }
  return replaceFlow(ctx, bound, input)
}

/** Gives a flow the steps of the built-in one of its type; a built-in flow is then as if it had never been edited. */
export async function resetFlow(ctx: Context, flow: Flow): Promise<LoadedFlow> {
  const origin = builtInOf(flow.type)
  const steps = buildSteps(ctx.realmId, origin)
  if (flow.bound) await assertSafe(ctx, flow.type, steps)
  if (flow.builtIn) await store.deleteFlowRow(ctx.tx, ctx.realmId, builtInId(ctx.realmId, flow.alias))
  else await writeFlow(ctx, flow, { ...flow, steps })
  return finishChange(ctx, flow.alias)
}

interface FlowContent {
  alias: string
  displayName: string | null
  description: string | null
  steps: FlowStep[]
}

async function writeFlow(ctx: Context, before: Flow, content: FlowContent): Promise<void> {
  const row = await store.selectFlow(ctx.tx, ctx.realmId, before.alias)
  if (row) await store.updateFlow(ctx.tx, ctx.realmId, row.id, toColumns(ctx, content))
  else await insertRow(ctx, builtInId(ctx.realmId, before.alias), before.type, content)
}

async function insertRow(ctx: Context, id: string, type: FlowType, content: FlowContent): Promise<void> {
  const { realmId, now } = ctx
  await store.insertFlow(ctx.tx, { realm_id: realmId, id, type, created_at: now, ...toColumns(ctx, content) })
}

function toColumns(ctx: Context, { alias, displayName, description, steps }: FlowContent): store.FlowValues {
  return { alias, display_name: displayName, description, steps, updated_at: ctx.now }
}

async function finishChange(ctx: Context, alias: string): Promise<LoadedFlow> {
  await raiseRealmVersion(ctx)
  return loadFlow(ctx, alias, false)
}

async function keepAliasUnique(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (brokenUnique(error) !== null) throw aliasTaken()
    throw error
  }
}

function aliasTaken(): DomainError {
  return conflictError('alias', 'Another flow of the realm has this alias.')
}
