import { z } from 'zod'
import { newId } from '../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult } from '../admin-route/index.ts'
import { exampleClaim } from '../claims/index.ts'
import type { Context } from '../context/index.ts'
import {
  ClientScope,
  ClientScopeDeletion,
  ClientScopeInput,
  ClientScopeQuery,
  ClientScopeReplacement,
} from './schema.ts'
import {
  attachClaim,
  countScopes,
  createScope,
  deleteScope,
  detachClaim,
  listScopes,
  loadScope,
  maxScopes,
  replaceScope,
} from './service.ts'

const read = { anyOf: ['view-clients', 'manage-authorization'] } as const
const write = { anyOf: ['manage-authorization'] } as const

/** A scope for the examples of routes that name one. */
async function exampleScope(ctx: Context): Promise<Record<string, string>> {
  return { scopeId: (await createScope(ctx, ClientScopeInput.parse({ name: `example-${newId()}` }))).scopeId }
}

async function exampleScopeAndClaim(ctx: Context): Promise<Record<string, string>> {
  return { ...(await exampleScope(ctx)), ...(await exampleClaim(ctx)) }
}

async function exampleAttachedClaim(ctx: Context): Promise<Record<string, string>> {
  const params = await exampleScopeAndClaim(ctx)
  await attachClaim(ctx, (await loadScope(ctx, params.scopeId, false)).record, params.claimId)
  return params
}

export const clientScopeRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/client-scopes',
    permission: read,
    summary: 'List client scopes',
    description: 'Sorted by name. Page with `after`.',
    query: ClientScopeQuery,
    response: { 200: z.array(ClientScope) },
    example: { query: { size: '20' } },
    async handle(ctx, { query }) {
      const { scopes, page, total } = await listScopes(ctx, query)
      return pageResult({ rows: scopes, paging: page, cursorOf: (scope) => scope.scopeId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/client-scopes',
    permission: write,
    summary: 'Create a client scope',
    body: ClientScopeInput,
    response: { 201: ClientScope },
    errors: ['conflict', 'limit_reached'],
    quota: { name: 'client scopes', limit: maxScopes, count: countScopes },
    example: {
      body: { name: 'invoices', description: 'Invoices of the customer', consentText: 'See your invoices' },
    },
    async handle(ctx, { body }) {
      const scope = await createScope(ctx, body)
      return { status: 201, body: scope, resourceId: scope.scopeId, version: 1 }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/client-scopes/{scopeId}',
    permission: read,
    summary: 'Read a client scope',
    response: { 200: ClientScope },
    load: (ctx, params) => loadScope(ctx, params.scopeId, false),
    example: { fixture: exampleScope },
  }),
  adminRoute({
    method: 'PUT',
    path: '/client-scopes/{scopeId}',
    permission: write,
    summary: 'Replace a client scope',
    description: 'The full desired state: an omitted member has its default. The name stays as it is.',
    body: ClientScopeReplacement,
    response: { 200: ClientScope },
    load: (ctx, params, forUpdate) => loadScope(ctx, params.scopeId, forUpdate),
    example: { fixture: exampleScope, body: { description: 'Invoices', consentText: 'See your invoices' } },
    async handle(ctx, { body, loaded }) {
      return { status: 200, body: await replaceScope(ctx, loaded.record, body), version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/client-scopes/{scopeId}',
    permission: write,
    summary: 'Delete a client scope',
    description: 'Refused while a client lists it, unless `force=true` takes it from those clients.',
    query: ClientScopeDeletion,
    response: { 204: null },
    errors: ['conflict', 'protected'],
    load: (ctx, params, forUpdate) => loadScope(ctx, params.scopeId, forUpdate),
    example: { fixture: exampleScope },
    async handle(ctx, { loaded, query }) {
      const clientsChanged = await deleteScope(ctx, loaded.record, query.force === 'true')
      return { status: 204, changes: { name: loaded.record.name, clientsChanged } }
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/client-scopes/{scopeId}/claims/{claimId}',
    permission: write,
    summary: 'Attach a claim mapper to a client scope',
    response: { 204: null },
    errors: ['limit_reached'],
    load: (ctx, params, forUpdate) => loadScope(ctx, params.scopeId, forUpdate),
    example: { fixture: exampleScopeAndClaim },
    async handle(ctx, { params, loaded }) {
      await attachClaim(ctx, loaded.record, params.claimId)
      return { status: 204, changes: { claimAttached: params.claimId } }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/client-scopes/{scopeId}/claims/{claimId}',
    permission: write,
    summary: 'Detach a claim mapper from a client scope',
    response: { 204: null },
    load: (ctx, params, forUpdate) => loadScope(ctx, params.scopeId, forUpdate),
    example: { fixture: exampleAttachedClaim },
    async handle(ctx, { params, loaded }) {
      await detachClaim(ctx, loaded.record, params.claimId)
      return { status: 204, changes: { claimDetached: params.claimId } }
    },
  }),
]
