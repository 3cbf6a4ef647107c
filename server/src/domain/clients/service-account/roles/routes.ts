import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../../admin-route/index.ts'
import type { Context } from '../../../context/index.ts'
import { RoleMapping } from '../../../users/roles/index.ts'
import { exampleClient } from '../../example.ts'
import { RoleToTake, ServiceAccountRole, ServiceAccountRoleQuery, TakeQuery } from './schema.ts'
import { giveRole, listRoles, roleToTake, takeRole } from './service.ts'

const write = { anyOf: ['manage-clients'] } as const

/** The seeded default role carries nothing, so everybody may give and take it. */
const role = { name: 'user' }

async function exampleWithRole(ctx: Context): Promise<Record<string, string>> {
  const params = await exampleClient(ctx)
  await giveRole(ctx, params.clientId, role)
  return params
}

async function exampleWithoutRole(ctx: Context): Promise<Record<string, string>> {
  const params = await exampleWithRole(ctx)
  await takeRole(ctx, params.clientId, role)
  return params
}

export const serviceAccountRoleRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/clients/{clientId}/service-account/roles',
    permission: { anyOf: ['view-clients'] },
    summary: 'List the roles of a service account',
    description: 'Directly assigned roles of the realm and of clients, the newest role first. Page with `after`.',
    query: ServiceAccountRoleQuery,
    response: { 200: z.array(RoleMapping) },
    example: { fixture: exampleClient, query: { size: '20' } },
    async handle(ctx, { params, query }) {
      const { mappings, page, total } = await listRoles(ctx, params.clientId, query)
      return pageResult({ rows: mappings, paging: page, cursorOf: (mapping) => mapping.roleId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/clients/{clientId}/service-account/roles',
    permission: write,
    summary: 'Assign a role to a service account',
    description: 'Answers 200 when it holds the role already. 409 when the client has no service account.',
    body: ServiceAccountRole,
    response: { 200: RoleMapping, 201: RoleMapping },
    errors: ['conflict', 'escalation'],
    example: { fixture: exampleWithoutRole, body: role },
    async handle(ctx, { params, body }) {
      const { mapping, created } = await giveRole(ctx, params.clientId, body)
      const { name, clientId } = mapping
      const place = `/admin/realms/${ctx.realmId}/clients/${encodeURIComponent(params.clientId!)}/service-account/roles`
      return {
        status: created ? 201 : 200,
        body: mapping,
        changes: created ? { roleAssigned: name, clientId } : null,
        ...(created ? { headers: { location: place } } : {}),
      }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/clients/{clientId}/service-account/roles',
    permission: write,
    summary: 'Take a role from a service account',
    description: 'The role is named in the body or in the query.',
    query: TakeQuery,
    body: RoleToTake,
    response: { 204: null },
    errors: ['conflict', 'escalation'],
    example: { fixture: exampleWithRole, body: role },
    async handle(ctx, { params, query, body }) {
      return { status: 204, changes: await takeRole(ctx, params.clientId, roleToTake(body, query)) }
    },
  }),
]
