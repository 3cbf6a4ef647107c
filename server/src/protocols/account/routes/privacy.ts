import { z } from 'zod'
import { pageResult } from '../../../domain/admin-route/index.ts'
import { Consent, ConsentQuery, listConsents } from '../../../domain/consents/index.ts'
import { eventPage, OwnEventQuery } from '../../../domain/events/index.ts'
import { ExportDocument } from '../../../domain/users/gdpr/index.ts'
import { listActivity } from '../actions/activity.ts'
import { revokeOwnConsent } from '../actions/applications.ts'
import { eraseOwnAccount } from '../actions/erase.ts'
import { exportOwnData } from '../actions/export.ts'
import { accountRoute, type AnyAccountRoute } from '../route.ts'

const gone = z.null().describe('No body.')

const consentRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'GET',
    path: '/gdpr/consents',
    demand: 'READ',
    summary: 'List what you allowed applications',
    description: 'Page with `after`.',
    query: ConsentQuery,
    response: { 200: z.array(Consent) },
    async handle(ctx, { holder, query }) {
      const { rows, page } = await listConsents(ctx.tx, ctx.realmId, holder.userId, query)
      const result = pageResult({ rows, paging: page, cursorOf: ({ cursor }) => cursor, query })
      return { ...result, body: (result.body as typeof rows).map(({ consent }) => consent) }
    },
  }),
  accountRoute({
    method: 'DELETE',
    path: '/gdpr/consents/:clientId',
    demand: 'WRITE',
    summary: 'Take back what you allowed an application',
    description: 'Its refresh tokens for you end with it. `clientId` is the client’s id or its clientId.',
    response: { 204: gone, 404: z.null().describe('Nothing was allowed to such an application.') },
    async handle(ctx, { holder, params }) {
      await revokeOwnConsent(ctx, holder, params.clientId!)
      return { status: 204 }
    },
  }),
]

export const privacyRoutes: AnyAccountRoute[] = [
  ...consentRoutes,
  accountRoute({
    method: 'GET',
    path: '/gdpr/export',
    // It is the person's to carry away; administrators have a route of their own, in their own name.
    demand: 'WRITE',
    summary: 'Download what is kept of you',
    description: 'One JSON document without any secret. Five times an hour.',
    response: { 200: ExportDocument },
    async handle(ctx, { holder }) {
      const headers = { 'content-disposition': `attachment; filename="account-${ctx.realmId}.json"` }
      return { status: 200, body: await exportOwnData(ctx, holder), headers }
    },
  }),
  accountRoute({
    method: 'GET',
    path: '/activity',
    demand: 'READ',
    summary: 'List what happened in your account',
    description:
      'Your sign-ins and what concerns the security of your account, newest first. Of what an administrator did you see that ' +
      'it was done, not who did it, from where, or their notes. `total` counts up to 1000; go on with `before`.',
    query: OwnEventQuery,
    response: { 200: eventPage },
    handle: async (ctx, { holder, query }) => ({ status: 200, body: await listActivity(ctx, holder, query) }),
  }),
  accountRoute({
    method: 'DELETE',
    path: '',
    demand: 'FRESH',
    summary: 'Delete your account',
    description: 'For good, with everything that is kept of you. The realm’s setting selfDeletionAllowed must be on.',
    response: { 204: gone, 409: z.null().describe('You are the last administrator, or under a legal hold.') },
    async handle(ctx, { holder }) {
      await eraseOwnAccount(ctx, holder)
      return { status: 204, clearSession: true }
    },
  }),
]
