import { type AnyAdminRoute, adminRoute } from '../admin-route/index.ts'
import { chainRoutes } from './chain/routes.ts'
import { type EventQuery, eventPage, eventQuery } from './schema.ts'
import { listEvents } from './service.ts'

export const eventRoutes: AnyAdminRoute[] = [
  adminRoute<EventQuery>({
    method: 'GET',
    path: '/events',
    permission: { anyOf: ['view-events'] },
    summary: 'Search the audit trail',
    description:
      'Newest first. Events cannot be changed or deleted. `total` is exact without filters and for type, category and ' +
      'outcome; other filters count up to 100,000 and then say `totalCapped`. Go deeper than page × size = 100,000 with `before`.',
    query: eventQuery,
    response: { 200: eventPage },
    handle: async (ctx, { query }) => ({ status: 200, body: await listEvents(ctx, query) }),
    example: { query: { category: 'ADMIN', size: '20' } },
  }),
  ...chainRoutes,
]
