import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { PushToken, PushTokenInput, PushTokenQuery } from './schema.ts'
import { deleteToken, listTokens, loadToken, registerToken } from './service.ts'

const permission = { anyOf: ['manage-realm'] } as const

/** The caller's own device. */
async function exampleOwner({ actor }: Context): Promise<Record<string, string>> {
  if (actor.kind !== 'USER') throw new Error('the example needs a person')
  return { userId: actor.userId }
}

async function exampleToken(ctx: Context): Promise<Record<string, string>> {
  const input = PushTokenInput.parse({ driver: 'fcm', token: randomBytes(32).toString('hex') })
  return { id: (await registerToken(ctx, input)).record.id }
}

export const pushTokenRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/messaging/push-tokens',
    permission,
    summary: 'List registered devices',
    description: 'Newest first. The tokens themselves are never shown.',
    query: PushTokenQuery,
    response: { 200: z.array(PushToken) },
    example: { query: { size: '20' } },
    async handle(ctx, { query }) {
      const { tokens, page, total } = await listTokens(ctx, query)
      return pageResult({ rows: tokens, paging: page, cursorOf: (token) => token.id, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/messaging/push-tokens',
    permission,
    summary: 'Register a device for push messages',
    description: 'A token that is registered already keeps its record and moves to the user named here.',
    body: PushTokenInput,
    response: { 201: PushToken },
    event: { subject: (_params, result) => (result.body as PushToken | undefined)?.userId ?? null },
    example: {
      fixture: exampleOwner,
      body: {
        userId: '{userId}',
        driver: 'fcm',
        deviceId: 'phone-1',
        token: 'dQw4w9WgXcQ:APA91bExampleTokenOfADevice',
      },
    },
    async handle(ctx, { body }) {
      const { record, version } = await registerToken(ctx, body)
      return { status: 201, body: record, resourceId: record.id, version }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/messaging/push-tokens/{id}',
    permission,
    summary: 'Remove a registered device',
    response: { 204: null },
    load: (ctx, params) => loadToken(ctx, params.id),
    example: { fixture: exampleToken },
    async handle(ctx, { loaded }) {
      await deleteToken(ctx, loaded.record)
      return { status: 204 }
    },
  }),
]
