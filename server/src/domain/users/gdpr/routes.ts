import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import { Consent, ConsentQuery, listConsents } from '../../consents/index.ts'
import { exampleUser } from '../routes.ts'
import { loadUser } from '../service.ts'

export const gdprRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/users/{userId}/gdpr/consents',
    permission: { anyOf: ['view-users'] },
    summary: 'List what a user allowed applications',
    query: ConsentQuery,
    response: { 200: z.array(Consent) },
    example: { fixture: exampleUser },
    async handle(ctx, { params, query }) {
      const { record: user } = await loadUser(ctx, params.userId, false)
      const { rows, page } = await listConsents(ctx.tx, ctx.realmId, user.userId, query)
      const result = pageResult({ rows, paging: page, cursorOf: ({ cursor }) => cursor, query })
      return { ...result, body: (result.body as typeof rows).map(({ consent }) => consent) }
    },
  }),
]
