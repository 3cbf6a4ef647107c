import { z } from 'zod'
import { pageResult } from '../../../domain/admin-route/index.ts'
import { Application, ApplicationQuery } from '../../../domain/users/applications/index.ts'
import { notFound } from '../../../platform/errors/index.ts'
import { listApplications } from '../actions/applications.ts'
import { accountRoute, type AnyAccountRoute } from '../route.ts'

const LinkedAccount = z
  .object({ alias: z.string(), protocol: z.string(), externalId: z.string(), linkedAt: z.int() })
  .meta({ id: 'AccountLink' })

const Agent = z
  .object({ agentId: z.uuid(), name: z.string(), scopes: z.array(z.string()), grantedAt: z.int() })
  .meta({ id: 'AccountAgent' })

export const applicationRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'GET',
    path: '/applications',
    demand: 'READ',
    summary: 'List your applications',
    description:
      'Those that you allowed something, are signed in to, or that may go on acting for you. Page with `after`.',
    query: ApplicationQuery,
    response: { 200: z.array(Application) },
    async handle(ctx, { holder, query }) {
      const { rows, page } = await listApplications(ctx, holder, query)
      const result = pageResult({ rows, paging: page, cursorOf: ({ cursor }) => cursor, query })
      return { ...result, body: (result.body as typeof rows).map(({ application }) => application) }
    },
  }),
  ...emptyRoutes({
    path: '/linked-accounts',
    key: 'alias',
    entry: LinkedAccount,
    summary: 'accounts at other identity providers that are linked to yours',
    reason: 'This server does not broker sign-ins to other identity providers yet, so nobody has one.',
  }),
  ...emptyRoutes({
    path: '/agents',
    key: 'id',
    entry: Agent,
    summary: 'agents that you let act for you',
    reason: 'This server does not keep delegations to agents yet, so nobody has one.',
  }),
]

interface Empty {
  path: string
  key: string
  entry: z.ZodType
  summary: string
  reason: string
}

/** Addresses of the contract whose part is not there: they answer what is true, that there is none. */
function emptyRoutes({ path, key, entry, summary, reason }: Empty): AnyAccountRoute[] {
  return [
    accountRoute({
      method: 'GET',
      path,
      demand: 'READ',
      summary: `List ${summary}`,
      description: `${reason} The list is empty.`,
      response: { 200: z.array(entry) },
      handle: async () => ({ status: 200, body: [] }),
    }),
    accountRoute({
      method: 'DELETE',
      path: `${path}/:${key}`,
      demand: 'FRESH',
      summary: `Remove one of the ${summary}`,
      description: `${reason} It always answers 404.`,
      response: { 404: z.null().describe('There is none.') },
      handle: async () => {
        throw notFound()
      },
    }),
  ]
}
