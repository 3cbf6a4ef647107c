import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, type Loaded } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { assertMayControl, assertMayReach } from '../control.ts'
import { exampleClient } from '../example.ts'
import type { Client } from '../schema.ts'
import { loadNamedClient } from '../service.ts'
import { judgedText, maxUris } from '../settings-schema.ts'
import { updateClient } from '../store.ts'
import { absoluteUriFault } from '../uris.ts'

const Shown = z.object({ allowedResources: z.array(z.string()) }).meta({ id: 'AllowedResources' })
type Shown = z.infer<typeof Shown>
const AllowedResourcesInput = z
  .strictObject({
    allowedResources: z
      .array(judgedText(absoluteUriFault))
      .max(maxUris)
      .describe('Absolute URIs without a fragment, compared exactly; an empty list refuses every `resource`.'),
  })
  .meta({ id: 'AllowedResourcesInput' })

/** Only the list is shown and compared; the client itself goes along for the checks. */
async function loadList(ctx: Context, clientId: string | undefined, forUpdate: boolean): Promise<Loaded<Shown>> {
  const { record, version } = await loadNamedClient(ctx, clientId, forUpdate)
  return { record: { allowedResources: record.allowedResources }, version }
}

async function replaceList(ctx: Context, client: Client, wanted: string[]): Promise<Shown> {
  await assertMayControl(ctx, client)
  assertMayReach(ctx, wanted)
  const allowedResources = [...new Set(wanted)]
  await updateClient(ctx.tx, ctx.realmId, client.id, { allowed_resources: allowedResources })
  return { allowedResources }
}

export const allowedResourceRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/clients/{clientId}/allowed-resources',
    permission: { anyOf: ['view-clients'] },
    summary: 'Read the resources a client may ask tokens for',
    response: { 200: Shown },
    load: (ctx, params) => loadList(ctx, params.clientId, false),
    example: { fixture: exampleClient },
  }),
  adminRoute({
    method: 'PUT',
    path: '/clients/{clientId}/allowed-resources',
    permission: { anyOf: ['manage-clients'] },
    summary: 'Replace the resources a client may ask tokens for',
    description: 'The admin API ({base_url}/admin) can be listed by a holder of realm-admin only.',
    body: AllowedResourcesInput,
    response: { 200: Shown },
    errors: ['escalation'],
    load: (ctx, params, forUpdate) => loadList(ctx, params.clientId, forUpdate),
    example: { fixture: exampleClient, body: { allowedResources: ['https://api.example.com/orders'] } },
    async handle(ctx, { params, body, loaded }) {
      const { record: client } = await loadNamedClient(ctx, params.clientId, false)
      const list = await replaceList(ctx, client, body.allowedResources)
      return { status: 200, body: list, version: loaded.version + 1 }
    },
  }),
]
