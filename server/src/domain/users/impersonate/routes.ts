import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import { impersonationCookie } from '../../sessions/index.ts'
import { exampleUser } from '../routes.ts'
import { loadUser } from '../service.ts'
import { Impersonation, ImpersonationInput } from './schema.ts'
import { startImpersonation } from './service.ts'

export const impersonateRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'POST',
    path: '/users/{userId}/impersonate',
    permission: { anyOf: ['manage-users'] },
    summary: 'Act as a user',
    description:
      'Starts a session of at most 30 minutes as the user and sets its cookie for the realm’s own pages; the caller’s own session ' +
      'stays. The user is told by mail. Such a session changes nothing of the user’s own, consents to nothing and never calls ' +
      'this API. Needs a session, not an access token, and the setting impersonationEnabled. An earlier one of the caller ends.',
    body: ImpersonationInput,
    response: { 200: Impersonation },
    errors: ['escalation', 'conflict', 'rate_limited'],
    event: { subject: (params) => params.userId ?? null },
    reauthenticate: true,
    // The answer carries a secret, which nobody keeps to show it again.
    idempotencyKey: false,
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleUser, body: { reason: 'Ticket 4711' } },
    async handle(ctx, { body, loaded }) {
      const { impersonation, token, lifetimeSeconds } = await startImpersonation(ctx, loaded.record, body)
      const { sessionId, expiresAt, redirectUrl } = impersonation
      const { secure } = ctx.services.config
      const cookie = { 'set-cookie': impersonationCookie(secure, ctx.realmId, token, lifetimeSeconds) }
      return {
        status: 200,
        body: impersonation,
        changes: { sessionId, expiresAt, redirectUrl },
        // A dry run leaves no session behind, so there is nothing for a cookie to open.
        ...(ctx.dryRun ? {} : { headers: cookie }),
      }
    },
  }),
]
