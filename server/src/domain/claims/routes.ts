import { z } from 'zod'
import { newId } from '../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { Claim, ClaimInput, ClaimQuery, ClaimReplacement } from './schema.ts'
import { countClaims, createClaim, deleteClaim, listClaims, loadClaim, maxClaims, replaceClaim } from './service.ts'

const read = { anyOf: ['view-clients', 'manage-authorization'] } as const
const write = { anyOf: ['manage-authorization'] } as const

/** A mapper for the examples of routes that name one. */
export async function exampleClaim(ctx: Context): Promise<Record<string, string>> {
  const name = `example-${newId()}`
  const input = ClaimInput.parse({ name, claim: 'department', source: 'ATTRIBUTE', sourceKey: 'department' })
  return { claimId: (await createClaim(ctx, input)).claimId }
}

export const claimRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/claims',
    permission: read,
    summary: 'List claim mappers',
    description: 'Sorted by name. Page with `after`.',
    query: ClaimQuery,
    response: { 200: z.array(Claim) },
    example: { query: { size: '20' } },
    async handle(ctx, { query }) {
      const { claims, page, total } = await listClaims(ctx, query)
      return pageResult({ rows: claims, paging: page, cursorOf: (claim) => claim.claimId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/claims',
    permission: write,
    summary: 'Create a claim mapper',
    description:
      'It counts once it is attached to a client scope. Claims that the issuer alone sets, such as `sub` or `aud`, are refused.',
    body: ClaimInput,
    response: { 201: Claim },
    errors: ['conflict', 'limit_reached'],
    quota: { name: 'claim mappers', limit: maxClaims, count: countClaims },
    example: { body: { name: 'Department', claim: 'department', source: 'ATTRIBUTE', sourceKey: 'department' } },
    async handle(ctx, { body }) {
      const claim = await createClaim(ctx, body)
      return { status: 201, body: claim, resourceId: claim.claimId, version: 1 }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/claims/{claimId}',
    permission: read,
    summary: 'Read a claim mapper',
    response: { 200: Claim },
    load: (ctx, params) => loadClaim(ctx, params.claimId, false),
    example: { fixture: exampleClaim },
  }),
  adminRoute({
    method: 'PUT',
    path: '/claims/{claimId}',
    permission: write,
    summary: 'Replace a claim mapper',
    description: 'The full desired state: an omitted member has its default. Tokens made from now on follow it.',
    body: ClaimReplacement,
    response: { 200: Claim },
    errors: ['conflict'],
    load: (ctx, params, forUpdate) => loadClaim(ctx, params.claimId, forUpdate),
    example: {
      fixture: exampleClaim,
      body: { name: 'Cost centre', claim: 'cost_centre', source: 'ATTRIBUTE', sourceKey: 'costCentre', type: 'NUMBER' },
    },
    async handle(ctx, { body, loaded }) {
      return { status: 200, body: await replaceClaim(ctx, loaded.record, body), version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/claims/{claimId}',
    permission: write,
    summary: 'Delete a claim mapper',
    description: 'Client scopes that had it go on without it.',
    response: { 204: null },
    load: (ctx, params, forUpdate) => loadClaim(ctx, params.claimId, forUpdate),
    example: { fixture: exampleClaim },
    async handle(ctx, { loaded }) {
      await deleteClaim(ctx, loaded.record)
      return { status: 204, changes: { name: loaded.record.name } }
    },
  }),
]
