import { z } from 'zod'
import { newId } from '../../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { exampleClient, makeExampleClient } from '../example.ts'
import { loadNamedClient } from '../service.ts'
import { Mapper, MapperInput, MapperQuery, MapperReplacement } from './schema.ts'
import { createMapper, deleteMapper, listMappers, loadMapper, replaceMapper } from './service.ts'

const write = { anyOf: ['manage-clients'] } as const
const exampleBody = {
  name: 'department',
  type: 'ATTRIBUTE',
  config: { claim: 'department', sourceKey: 'department', inAccessToken: false },
}

async function exampleMapper(ctx: Context): Promise<Record<string, string>> {
  const client = await makeExampleClient(ctx)
  const input = MapperInput.parse({ ...exampleBody, name: `example-${newId()}` })
  return { clientId: client.id, mapperId: (await createMapper(ctx, client, input)).mapperId }
}

export const mapperRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/clients/{clientId}/mappers',
    permission: { anyOf: ['view-clients'] },
    summary: 'List the protocol mappers of a client',
    description: 'Newest first. Page with `after`.',
    query: MapperQuery,
    response: { 200: z.array(Mapper) },
    example: { fixture: exampleClient, query: { size: '20' } },
    async handle(ctx, { params, query }) {
      const { mappers, page, total } = await listMappers(ctx, params.clientId, query)
      return pageResult({ rows: mappers, paging: page, cursorOf: (mapper) => mapper.mapperId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/clients/{clientId}/mappers',
    permission: write,
    summary: 'Create a protocol mapper',
    description: 'Claims that only the service writes (iss, sub, aud, scope, …) are refused.',
    body: MapperInput,
    response: { 201: Mapper },
    errors: ['conflict', 'escalation', 'limit_reached'],
    example: { fixture: exampleClient, body: exampleBody },
    async handle(ctx, { params, body }) {
      const { record: client } = await loadNamedClient(ctx, params.clientId, true)
      const mapper = await createMapper(ctx, client, body)
      return { status: 201, body: mapper, resourceId: mapper.mapperId, version: 1 }
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/clients/{clientId}/mappers/{mapperId}',
    permission: write,
    summary: 'Replace a protocol mapper',
    description: 'The full desired state: omitted members of config take their defaults.',
    body: MapperReplacement,
    response: { 200: Mapper },
    errors: ['conflict', 'escalation'],
    load: loadMapper,
    example: { fixture: exampleMapper, body: exampleBody },
    async handle(ctx, { body, loaded }) {
      return { status: 200, body: await replaceMapper(ctx, loaded.record, body), version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/clients/{clientId}/mappers/{mapperId}',
    permission: write,
    summary: 'Delete a protocol mapper',
    response: { 204: null },
    errors: ['escalation'],
    load: loadMapper,
    example: { fixture: exampleMapper },
    async handle(ctx, { loaded }) {
      await deleteMapper(ctx, loaded.record)
      return { status: 204, changes: { mapperId: loaded.record.mapperId, name: loaded.record.name } }
    },
  }),
]
