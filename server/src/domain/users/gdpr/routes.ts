import { z } from 'zod'
import { DomainError } from '../../../platform/errors/index.ts'
import { type AnyAdminRoute, adminRoute, idParameter, pageResult } from '../../admin-route/index.ts'
import { Consent, ConsentQuery, listConsents } from '../../consents/index.ts'
import { exampleUser } from '../routes.ts'
import { loadUser } from '../service.ts'
import { eraseUser } from './erase.ts'
import { exportUser } from './export.ts'
import { ExportDocument } from './schema.ts'

// A document of ten thousand events is opened and written out on the processor: a few at once leave the rest for sign-ins.
const exportLane = { width: 2, queue: 20 }

export const gdprRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/users/{userId}/gdpr/export',
    permission: { anyOf: ['manage-users'] },
    summary: 'Export everything that is kept of a user',
    description:
      'Recorded as DATA_EXPORTED. Holds no secret. A section shows its newest 10,000 entries at most (transactions: 2,000); ' +
      '`truncated` names those that were cut.',
    response: { 200: ExportDocument },
    event: { type: 'DATA_EXPORTED' },
    lane: exportLane,
    example: { fixture: exampleUser },
    async handle(ctx, { params }) {
      return { status: 200, body: await exportUser(ctx, idParameter(params.userId)) }
    },
  }),
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
  adminRoute({
    method: 'DELETE',
    path: '/users/{userId}/gdpr',
    permission: { anyOf: ['manage-users'] },
    summary: 'Erase a user and everything that is kept of them',
    description:
      'Cannot be undone. The audit trail keeps its rows with the opaque id; what was personal in them can never be read again. ' +
      'Refused under a legal hold (attribute `legalHold`), for the last holder of realm-admin, and for oneself.',
    response: { 204: null },
    errors: ['escalation', 'last_admin', 'legal_hold', 'protected'],
    reauthenticate: true,
    example: { fixture: exampleUser },
    async handle(ctx, { params }) {
      const userId = idParameter(params.userId)
      // Whoever erases somebody answers for it by name; one's own name would be gone with the account.
      if (ctx.actor.kind === 'USER' && ctx.actor.userId === userId) {
        throw new DomainError(
          'protected',
          'Another administrator has to erase your account, or you do it under /account.',
        )
      }
      await eraseUser(ctx, userId)
      return { status: 204 }
    },
  }),
]
