import { z } from 'zod'
import { newId } from '../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { Role, RoleInput, RoleQuery, RoleReplacement } from './schema.ts'
import {
  countRoles,
  createRole,
  deleteRole,
  listRoles,
  loadRole,
  makeDefaultRole,
  maxRoles,
  replaceRole,
} from './service.ts'

const read = { anyOf: ['view-users', 'manage-roles'] } as const
const write = { anyOf: ['manage-roles'] } as const

/** A role for the examples of routes that name one. */
export async function exampleRole(ctx: Context): Promise<Record<string, string>> {
  return { roleId: (await createRole(ctx, RoleInput.parse({ name: `example-${newId()}` }))).roleId }
}

export const roleRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/roles',
    permission: read,
    summary: 'List realm roles',
    description: 'Sorted by name. Page with `after`.',
    query: RoleQuery,
    response: { 200: z.array(Role) },
    example: { query: { size: '20' } },
    async handle(ctx, { query }) {
      const { roles, page, total } = await listRoles(ctx, query)
      return pageResult({ rows: roles, paging: page, cursorOf: (role) => role.roleId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/roles',
    permission: write,
    summary: 'Create a realm role',
    description: 'A role may be composed of roles whose permissions the caller holds.',
    body: RoleInput,
    response: { 201: Role },
    errors: ['conflict', 'escalation', 'limit_reached'],
    quota: { name: 'roles', limit: maxRoles, count: countRoles },
    example: { body: { name: 'support', description: 'People who answer the telephone' } },
    async handle(ctx, { body }) {
      const role = await createRole(ctx, body)
      return { status: 201, body: role, resourceId: role.roleId, version: 1 }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/roles/{roleId}',
    permission: read,
    summary: 'Read a realm role',
    response: { 200: Role },
    load: (ctx, params) => loadRole(ctx, params.roleId, false),
    example: { fixture: exampleRole },
  }),
  adminRoute({
    method: 'PUT',
    path: '/roles/{roleId}',
    permission: write,
    summary: 'Replace a realm role',
    description:
      'The full desired state: an omitted description or list of roles is emptied. The role admin keeps its name.',
    body: RoleReplacement,
    response: { 200: Role },
    errors: ['conflict', 'escalation', 'last_admin', 'protected'],
    mergePatch: true,
    load: (ctx, params, forUpdate) => loadRole(ctx, params.roleId, forUpdate),
    example: {
      fixture: exampleRole,
      body: { name: 'support', description: 'First line', compositeRoleNames: ['user'] },
    },
    async handle(ctx, { body, loaded }) {
      return { status: 200, body: await replaceRole(ctx, loaded.record, body), version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/roles/{roleId}',
    permission: write,
    summary: 'Delete a realm role',
    description: 'Takes the role from all its holders. The role admin and the default role cannot be deleted.',
    response: { 204: null },
    errors: ['escalation', 'last_admin', 'protected'],
    load: (ctx, params, forUpdate) => loadRole(ctx, params.roleId, forUpdate),
    example: { fixture: exampleRole },
    async handle(ctx, { loaded }) {
      await deleteRole(ctx, loaded.record)
      return { status: 204, changes: { name: loaded.record.name } }
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/roles/{roleId}/default',
    permission: write,
    summary: 'Make a role the default role',
    description:
      'New users get it from now on; the role that was the default before no longer is. Users who exist keep theirs.',
    response: { 200: Role },
    errors: ['escalation'],
    load: (ctx, params, forUpdate) => loadRole(ctx, params.roleId, forUpdate),
    example: { fixture: exampleRole },
    async handle(ctx, { loaded }) {
      const role = await makeDefaultRole(ctx, loaded.record)
      return { status: 200, body: role, version: loaded.version + (loaded.record.defaultRole ? 0 : 1) }
    },
  }),
]
