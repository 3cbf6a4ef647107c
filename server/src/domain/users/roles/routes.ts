import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { findRoleByName } from '../../roles/index.ts'
import { exampleUser } from '../routes.ts'
import { loadUser } from '../service.ts'
import { RoleAssignment, RoleMapping, RoleMappingQuery } from './schema.ts'
import { assignRole, listMappings, unassignRole } from './service.ts'

const write = { anyOf: ['manage-users'] } as const
const subject = (params: Record<string, string>) => params.userId ?? null

/** Every new user holds the seeded default role. */
async function exampleAssignment(ctx: Context): Promise<Record<string, string>> {
  return { ...(await exampleUser(ctx)), roleId: (await findRoleByName(ctx, 'user'))!.roleId }
}

export const userRoleRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/users/{userId}/roles',
    permission: { anyOf: ['view-users', 'manage-roles'] },
    summary: 'List a user’s roles',
    description:
      'Directly assigned ones; with `effective=true` also those held through composite roles. Sorted by name.',
    query: RoleMappingQuery,
    response: { 200: z.array(RoleMapping) },
    example: { fixture: exampleUser, query: { effective: 'true' } },
    async handle(ctx, { params, query }) {
      const { mappings, page, total } = await listMappings(ctx, params.userId, query)
      return pageResult({ rows: mappings, paging: page, cursorOf: (mapping) => mapping.roleId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/users/{userId}/roles',
    permission: write,
    summary: 'Assign a realm role to a user',
    description: 'Answers 200 when the user holds the role already.',
    body: RoleAssignment,
    response: { 200: RoleMapping, 201: RoleMapping },
    errors: ['escalation'],
    event: { subject },
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleUser, body: { name: 'auditor' } },
    async handle(ctx, { body, loaded }) {
      const { mapping, created } = await assignRole(ctx, loaded.record, body.name)
      return {
        status: created ? 201 : 200,
        body: mapping,
        resourceId: mapping.roleId,
        changes: created ? { roleAssigned: mapping.name } : null,
      }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/users/{userId}/roles/{roleId}',
    permission: write,
    summary: 'Take a role from a user',
    description: 'The last enabled holder of realm-admin keeps it.',
    response: { 204: null },
    errors: ['escalation', 'last_admin'],
    event: { subject },
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleAssignment },
    async handle(ctx, { params, loaded }) {
      return { status: 204, changes: { roleUnassigned: await unassignRole(ctx, loaded.record, params.roleId) } }
    },
  }),
]
