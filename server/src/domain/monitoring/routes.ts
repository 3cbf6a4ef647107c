import { type AnyAdminRoute, adminRoute } from '../admin-route/index.ts'
import { describeEndpoints } from './endpoints.ts'
import { checkRealmHealth } from './realm-health.ts'
import { healthResponse, metricsSummary, realmEndpoints } from './schema.ts'
import { summarizeMetrics } from './summary.ts'

export const monitoringAdminRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/endpoints',
    permission: { anyAdmin: true },
    summary: 'List the URLs of the realm',
    response: { 200: realmEndpoints },
    handle: async (ctx) => ({ status: 200, body: describeEndpoints(ctx.services.config.baseUrl, ctx.realmId) }),
    example: {},
  }),
  adminRoute({
    method: 'GET',
    path: '/health',
    permission: { anyAdmin: true },
    summary: 'Check the health of the realm',
    description: 'Answers 200 also when a component is DOWN; UNKNOWN is what nothing is configured for.',
    response: { 200: healthResponse },
    handle: async (ctx) => ({ status: 200, body: await checkRealmHealth(ctx) }),
    example: {},
  }),
  adminRoute({
    method: 'GET',
    path: '/metrics/summary',
    scope: 'server',
    permission: { anyOf: ['view-events'] },
    summary: 'Read the totals of the server',
    description:
      'Administrators outside the system realm see the figures of their own realm. Activity lags by a few seconds.',
    response: { 200: metricsSummary },
    handle: async (ctx) => ({ status: 200, body: await summarizeMetrics(ctx) }),
    example: {},
  }),
]
