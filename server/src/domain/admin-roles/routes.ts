import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../admin-route/index.ts'
import { permissionCatalogue } from '../permissions/index.ts'
import { exampleRole } from '../roles/index.ts'
import { AdminRole, AdminRoleQuery, AdminRoleReplacement, PermissionEntry } from './schema.ts'
import { listAdminRoles, loadAdminRole, replacePermissions } from './service.ts'

const permission = { anyOf: ['manage-roles'] } as const

export const adminRoleRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/admin-roles',
    permission,
    summary: 'List what each realm role may administer',
    description: 'Every realm role, also those without admin permissions, sorted by roleName. Page with `after`.',
    query: AdminRoleQuery,
    response: { 200: z.array(AdminRole) },
    example: { query: { size: '20' } },
    async handle(ctx, { query }) {
      const { entries, page, total } = await listAdminRoles(ctx, query)
      return pageResult({ rows: entries, paging: page, cursorOf: (entry) => entry.roleId, query, total })
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/admin-roles/permissions',
    permission,
    summary: 'List the admin permissions that exist',
    response: { 200: z.array(PermissionEntry) },
    example: {},
    handle: async () => ({ status: 200, body: permissionCatalogue }),
  }),
  adminRoute({
    method: 'PUT',
    path: '/admin-roles/{roleId}',
    permission,
    summary: 'Replace what a realm role may administer',
    description:
      'Counts from the next request of every holder on. Permissions that the caller does not hold can be neither added nor taken away. `If-Match` takes the ETag of /roles/{roleId}.',
    body: AdminRoleReplacement,
    response: { 200: AdminRole },
    errors: ['escalation', 'last_admin'],
    load: (ctx, params, forUpdate) => loadAdminRole(ctx, params.roleId, forUpdate),
    example: { fixture: exampleRole, body: { permissions: ['view-users', 'view-events'] } },
    async handle(ctx, { body, loaded }) {
      const entry = await replacePermissions(ctx, loaded.record, body.permissions)
      return { status: 200, body: entry, version: loaded.version + (entry === loaded.record ? 0 : 1) }
    },
  }),
]
