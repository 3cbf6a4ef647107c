import { z } from 'zod'
import { newId } from '../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult, type Result } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { Authenticator, authenticators } from './authenticators.ts'
import { BrowserFlowInput, Flow, FlowInput, FlowQuery, FlowReplacement } from './schema.ts'
import {
  bindFlow,
  countFlows,
  createFlow,
  deleteFlow,
  listFlows,
  type LoadedFlow,
  loadBrowserFlow,
  loadFlow,
  maxFlows,
  replaceFlow,
  resetFlow,
  saveBrowserFlow,
} from './service.ts'

const read = { anyOf: ['view-clients', 'manage-authorization'] } as const
const write = { anyOf: ['manage-authorization'] } as const

const exampleSteps = [
  { authenticator: 'cookie', requirement: 'ALTERNATIVE' },
  { authenticator: 'username-password', requirement: 'ALTERNATIVE' },
]

/** A flow for the examples of routes that name one. */
async function exampleFlow(ctx: Context): Promise<Record<string, string>> {
  const input = { alias: `example-${newId()}`, type: 'BROWSER', steps: exampleSteps }
  return { alias: (await createFlow(ctx, FlowInput.parse(input))).record.alias }
}

const toResult = ({ record, version }: LoadedFlow): Result<Flow> => ({ status: 200, body: record, version })

const lifeRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/flows',
    permission: read,
    summary: 'List authentication flows',
    description: 'The built-in flows, which every realm has, then the realm’s own by alias. Page with `after`.',
    query: FlowQuery,
    response: { 200: z.array(Flow) },
    example: { query: { type: 'BROWSER' } },
    async handle(ctx, { query }) {
      const { entries, page, total } = await listFlows(ctx, query)
      const result = pageResult({ rows: entries, paging: page, cursorOf: (entry) => entry.id, query, total })
      return { ...result, body: (result.body as typeof entries).map(({ flow }) => flow) }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/flows',
    permission: write,
    summary: 'Create an authentication flow',
    description:
      'Takes a whole document, so that a flow that was read is copied under another alias. It is in use once it is bound.',
    body: FlowInput,
    response: { 201: Flow },
    errors: ['conflict', 'limit_reached'],
    quota: { name: 'flows', limit: maxFlows, count: countFlows },
    example: { body: { alias: 'staff', type: 'BROWSER', displayName: 'Staff', steps: exampleSteps } },
    async handle(ctx, { body }) {
      const { record, version } = await createFlow(ctx, body)
      return { status: 201, body: record, resourceId: record.alias, version }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/flows/{alias}',
    permission: read,
    summary: 'Read an authentication flow',
    response: { 200: Flow },
    load: (ctx, params) => loadFlow(ctx, params.alias, false),
    example: { fixture: exampleFlow },
  }),
  adminRoute({
    method: 'PUT',
    path: '/flows/{alias}',
    permission: write,
    summary: 'Replace an authentication flow',
    description:
      'The full desired state; another `alias` renames the flow. A flow in use is tried first: one that lets people in unproved, or lets no administrator in, is refused.',
    body: FlowReplacement,
    response: { 200: Flow },
    errors: ['conflict', 'flow_unsafe', 'protected'],
    mergePatch: true,
    load: (ctx, params, forUpdate) => loadFlow(ctx, params.alias, forUpdate),
    example: { fixture: exampleFlow, body: { displayName: 'Staff', steps: exampleSteps } },
    handle: async (ctx, { body, loaded }) => toResult(await replaceFlow(ctx, loaded.record, body)),
  }),
  adminRoute({
    method: 'DELETE',
    path: '/flows/{alias}',
    permission: write,
    summary: 'Delete an authentication flow',
    description: 'Neither built-in flows nor the one in use for a type can be deleted.',
    response: { 204: null },
    errors: ['protected'],
    load: (ctx, params, forUpdate) => loadFlow(ctx, params.alias, forUpdate),
    example: { fixture: exampleFlow },
    async handle(ctx, { loaded }) {
      await deleteFlow(ctx, loaded.record)
      return { status: 204, changes: { type: loaded.record.type } }
    },
  }),
]

const useRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'PUT',
    path: '/flows/{alias}/bind',
    permission: write,
    summary: 'Put an authentication flow in use for its type',
    description: 'Sign-ins under way end by the flow they began with. Bind the built-in flow to go back to it.',
    response: { 200: Flow },
    errors: ['flow_unsafe'],
    load: (ctx, params, forUpdate) => loadFlow(ctx, params.alias, forUpdate),
    example: { fixture: exampleFlow },
    handle: async (ctx, { loaded }) => toResult(await bindFlow(ctx, loaded.record)),
  }),
  adminRoute({
    method: 'POST',
    path: '/flows/{alias}/reset',
    permission: write,
    summary: 'Give a flow the steps of the built-in flow of its type',
    description: 'A built-in flow is then as if it had never been edited.',
    response: { 200: Flow },
    errors: ['flow_unsafe'],
    load: (ctx, params, forUpdate) => loadFlow(ctx, params.alias, forUpdate),
    // Last path segment a verb (contract 6.2).
    event: { type: 'ADMIN_ACTION' },
    example: { fixture: exampleFlow },
    handle: async (ctx, { loaded }) => toResult(await resetFlow(ctx, loaded.record)),
  }),
  adminRoute({
    method: 'GET',
    path: '/flow',
    permission: read,
    summary: 'Read the flow of browser sign-ins',
    response: { 200: Flow },
    load: (ctx) => loadBrowserFlow(ctx, false),
    example: {},
  }),
  adminRoute({
    method: 'PUT',
    path: '/flow',
    permission: write,
    summary: 'Save the flow of browser sign-ins, or put another one in use',
    description: 'A whole document is saved under the alias in use. `{"alias": …}` alone puts that flow in use.',
    body: BrowserFlowInput,
    response: { 200: Flow },
    errors: ['flow_unsafe'],
    load: (ctx, _params, forUpdate) => loadBrowserFlow(ctx, forUpdate),
    // Contract 2.90.
    event: { resourceType: 'flows' },
    example: { body: { displayName: 'Sign-in', steps: exampleSteps } },
    async handle(ctx, { body, loaded }) {
      const saved = await saveBrowserFlow(ctx, loaded.record, body)
      return { ...toResult(saved), resourceId: saved.record.alias }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/authenticators',
    permission: read,
    summary: 'List what flows can be made of',
    response: { 200: z.array(Authenticator) },
    example: {},
    handle: async () => ({ status: 200, body: [...authenticators.values()] }),
  }),
]

export const flowRoutes: AnyAdminRoute[] = [...lifeRoutes, ...useRoutes]
