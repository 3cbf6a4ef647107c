import { z } from 'zod'
import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { MessagingProvider, MessagingProviderInput, ProviderTestInput, ProviderTestResult } from './schema.ts'
import { checkProvider, deleteProvider, listProviders, loadProvider, upsertProvider } from './service.ts'
import { sendTest } from './test-send.ts'

const permission = { anyOf: ['manage-realm'] } as const

const exampleBody = {
  channel: 'EMAIL',
  driver: 'smtp',
  fromAddress: 'login@example.com',
  fromName: 'Example',
  config: { host: 'smtp.example.com', port: 587, username: 'login@example.com' },
  secret: 'app-password-of-the-mailbox',
}

/** An address that no connection is ever made to, so that the example of a test needs no network. */
export async function exampleProvider(ctx: Context): Promise<Record<string, string>> {
  const config = { host: '192.0.2.1', port: 587 }
  await upsertProvider(ctx, MessagingProviderInput.parse({ ...exampleBody, config }))
  return { channel: 'EMAIL', driver: 'smtp' }
}

export const providerRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/messaging/providers',
    permission,
    summary: 'List messaging providers',
    description:
      'In the order in which they are tried; not paged, because there are as many as drivers. Secrets are never shown.',
    response: { 200: z.array(MessagingProvider) },
    example: {},
    async handle(ctx) {
      return { status: 200, body: await listProviders(ctx.tx, ctx.realmId) }
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/messaging/providers',
    permission,
    summary: 'Set up a messaging provider',
    description:
      'Creates or replaces the record of the channel and driver. The secret is write-only: omitted or null keeps it, an empty text clears it.',
    body: MessagingProviderInput,
    response: { 200: MessagingProvider },
    example: { fixture: exampleProvider, body: exampleBody },
    async handle(ctx, { body }) {
      checkProvider(ctx.services, body)
      const { provider, version } = await upsertProvider(ctx, body)
      return { status: 200, body: provider, version }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/messaging/providers/{channel}/{driver}',
    permission,
    summary: 'Remove a messaging provider',
    description: 'Messages that are on their way use the next provider of the channel, if there is one.',
    response: { 204: null },
    load: (ctx, params, forUpdate) => loadProvider(ctx, params, forUpdate),
    example: { fixture: exampleProvider },
    async handle(ctx, { loaded }) {
      await deleteProvider(ctx, loaded.record)
      return { status: 204 }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/messaging/providers/{channel}/test',
    permission,
    summary: 'Send a test message',
    description:
      'Sent at once through the provider that is first in line; nothing is stored. 200 also when it failed: `delivered` and `error` tell.',
    body: ProviderTestInput,
    response: { 200: ProviderTestResult },
    errors: ['no_provider'],
    // A repetition is another test.
    idempotencyKey: false,
    // Each holds a connection to a foreign server for up to ten seconds.
    lane: { width: 8, queue: 32 },
    example: { fixture: exampleProvider, body: { to: 'ada@example.com' } },
    prepare: (ctx, { params, body }) => sendTest(ctx, params.channel, body.to),
    async handle(_ctx, { prepared }) {
      const { driver, delivered } = prepared
      return { status: 200, body: prepared, changes: { driver, delivered } }
    },
  }),
]
