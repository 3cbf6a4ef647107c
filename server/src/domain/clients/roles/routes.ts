import { z } from 'zod'
import { newId } from '../../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { exampleClient, makeExampleClient } from '../example.ts'
import { loadNamedClient } from '../service.ts'
import { ClientRole, ClientRoleInput, ClientRoleQuery } from './schema.ts'
import { createClientRole, deleteClientRole, listClientRoles } from './service.ts'

// The catalogue says of manage-roles that it is for the roles of clients, too.
const read = { anyOf: ['view-clients', 'manage-roles'] } as const
const write = { anyOf: ['manage-clients', 'manage-roles'] } as const

async function exampleRole(ctx: Context): Promise<Record<string, string>> {
  const client = await makeExampleClient(ctx)
  const role = await createClientRole(ctx, client, ClientRoleInput.parse({ name: `example-${newId()}` }))
  return { clientId: client.id, name: role.name }
}

export const clientRoleRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/clients/{clientId}/roles',
    permission: read,
    summary: 'List the roles of a client',
    description: 'Sorted by name. Page with `after`.',
    query: ClientRoleQuery,
    response: { 200: z.array(ClientRole) },
    example: { fixture: exampleClient, query: { size: '20' } },
    async handle(ctx, { params, query }) {
      const { roles, page, total } = await listClientRoles(ctx, params.clientId, query)
      return pageResult({ rows: roles, paging: page, cursorOf: (role) => role.roleId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/clients/{clientId}/roles',
    permission: write,
    summary: 'Create a role of a client',
    body: ClientRoleInput,
    response: { 201: ClientRole },
    errors: ['conflict', 'limit_reached'],
    example: { fixture: exampleClient, body: { name: 'editor', description: 'May change orders' } },
    async handle(ctx, { params, body }) {
      const { record: client } = await loadNamedClient(ctx, params.clientId, false)
      const role = await createClientRole(ctx, client, body)
      return { status: 201, body: role, resourceId: role.name }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/clients/{clientId}/roles/{name}',
    permission: write,
    summary: 'Delete a role of a client',
    description: 'Takes the role from all its holders.',
    response: { 204: null },
    example: { fixture: exampleRole },
    async handle(ctx, { params }) {
      await deleteClientRole(ctx, params.clientId, params.name)
      return { status: 204, changes: { name: params.name } }
    },
  }),
]
