import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import {
  CreatedInitialAccessToken,
  InitialAccessToken,
  InitialAccessTokenInput,
  InitialAccessTokenQuery,
} from './schema.ts'
import { countTokens, createToken, deleteToken, listTokens, loadToken, maxTokens } from './service.ts'

const permission = { anyOf: ['manage-realm'] } as const

async function exampleToken(ctx: Context): Promise<Record<string, string>> {
  return { id: (await createToken(ctx, InitialAccessTokenInput.parse({}))).id }
}

export const initialAccessTokenRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/provisioning/initial-access-tokens',
    permission,
    summary: 'List initial access tokens',
    description: 'Newest first, with the used up ones until they expire. The tokens themselves are never shown.',
    query: InitialAccessTokenQuery,
    response: { 200: z.array(InitialAccessToken) },
    example: { query: { size: '20' } },
    async handle(ctx, { query }) {
      const { tokens, page, total } = await listTokens(ctx, query)
      return pageResult({ rows: tokens, paging: page, cursorOf: (token) => token.id, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/provisioning/initial-access-tokens',
    permission,
    summary: 'Mint an initial access token',
    description: 'With it somebody may register `count` clients at /connect/register. The answer shows it, this once.',
    body: InitialAccessTokenInput,
    response: { 201: CreatedInitialAccessToken },
    errors: ['limit_reached'],
    quota: { name: 'initial access tokens', limit: maxTokens, count: countTokens },
    example: { body: { expiresInSeconds: 3600, count: 1 } },
    async handle(ctx, { body }) {
      const token = await createToken(ctx, body)
      return { status: 201, body: token, resourceId: token.id }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/provisioning/initial-access-tokens/{id}',
    permission,
    summary: 'Delete an initial access token',
    description: 'Nobody registers with it any more. Clients that were registered with it stay.',
    response: { 204: null },
    load: (ctx, params) => loadToken(ctx, params.id),
    example: { fixture: exampleToken },
    async handle(ctx, { loaded }) {
      await deleteToken(ctx, loaded.record)
      return { status: 204 }
    },
  }),
]
