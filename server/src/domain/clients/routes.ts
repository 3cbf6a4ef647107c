import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../admin-route/index.ts'
import { exampleClientId } from './example.ts'
import { Client, ClientInput, ClientQuery, ClientReplacement, CreatedClient } from './schema.ts'
import {
  countClients,
  createClient,
  deleteClient,
  listClients,
  loadClient,
  maxClients,
  replaceClient,
} from './service.ts'

const read = { anyOf: ['view-clients'] } as const
const write = { anyOf: ['manage-clients'] } as const

export const clientRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/clients',
    permission: read,
    summary: 'List clients',
    description:
      'Newest first; with `search` in the order of the clientId. Page with `after`. Secrets are never listed.',
    query: ClientQuery,
    response: { 200: z.array(Client) },
    example: { query: { search: 'shop', size: '20' } },
    async handle(ctx, { query }) {
      const { clients, page, total } = await listClients(ctx, query)
      return pageResult({ rows: clients, paging: page, cursorOf: (client) => client.id, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/clients',
    permission: write,
    summary: 'Create a client',
    description:
      'The answer carries the secret of a confidential client, this once. With client_credentials the client gets a service account.',
    body: ClientInput,
    response: { 201: CreatedClient },
    errors: ['conflict', 'escalation', 'limit_reached'],
    quota: { name: 'clients', limit: maxClients, count: countClients },
    example: {
      body: {
        clientId: 'shop',
        name: 'The shop',
        redirectUris: ['https://shop.example.com/callback'],
        webOrigins: ['+'],
      },
    },
    async handle(ctx, { body }) {
      const client = await createClient(ctx, body)
      return { status: 201, body: client, resourceId: client.id, version: 1 }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/clients/{id}',
    permission: read,
    summary: 'Read a client',
    description: 'Without its secret, which has a route of its own.',
    response: { 200: Client },
    load: (ctx, params) => loadClient(ctx, params.id, false),
    example: { fixture: exampleClientId },
  }),
  adminRoute({
    method: 'PUT',
    path: '/clients/{id}',
    permission: write,
    summary: 'Replace a client',
    description:
      'The full desired state. Read-only members are ignored. A client that becomes public loses its secret; one that becomes confidential gets one, to be read under /clients/{id}/secret. A client that can do more than you is not yours to change.',
    body: ClientReplacement,
    response: { 200: Client },
    errors: ['conflict', 'escalation'],
    mergePatch: true,
    load: (ctx, params, forUpdate) => loadClient(ctx, params.id, forUpdate),
    example: {
      fixture: exampleClientId,
      body: { name: 'The shop', redirectUris: ['https://shop.example.com/callback'], requirePkce: true },
    },
    async handle(ctx, { body, loaded }) {
      return { status: 200, body: await replaceClient(ctx, loaded.record, body), version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/clients/{id}',
    permission: write,
    summary: 'Delete a client',
    description: 'With its service account, roles, mappers and the consents that people gave it. Its tokens end.',
    response: { 204: null },
    errors: ['escalation'],
    load: (ctx, params, forUpdate) => loadClient(ctx, params.id, forUpdate),
    example: { fixture: exampleClientId },
    async handle(ctx, { loaded }) {
      await deleteClient(ctx, loaded.record)
      return { status: 204, changes: { clientId: loaded.record.clientId } }
    },
  }),
]
