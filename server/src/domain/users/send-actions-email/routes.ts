import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { exampleProvider } from '../../messaging/index.ts'
import { exampleUser } from '../routes.ts'
import { ActionsEmail } from './schema.ts'
import { sendActionsEmail } from './service.ts'

/** Somebody with an address, in a realm that can send mail. */
async function exampleReader(ctx: Context): Promise<Record<string, string>> {
  await exampleProvider(ctx)
  return exampleUser(ctx)
}

export const actionsEmailRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'POST',
    path: '/users/{userId}/send-actions-email',
    permission: { anyOf: ['manage-users'] },
    summary: 'Mail a user a link to required actions',
    description:
      'An invitation where UPDATE_PASSWORD is among them. The link works once, replaces an earlier one, and asks for any second ' +
      'factor the user has. Needs a messaging provider for EMAIL.',
    body: ActionsEmail,
    response: { 204: null },
    errors: ['escalation', 'no_provider', 'conflict', 'rate_limited'],
    event: { type: 'ADMIN_ACTION', subject: (params) => params.userId ?? null },
    example: { fixture: exampleReader, body: { actions: ['UPDATE_PASSWORD'] } },
    async handle(ctx, { params, body }) {
      await sendActionsEmail(ctx, params.userId, body)
      return { status: 204, changes: { actions: body.actions } }
    },
  }),
]
