import { type AnyAdminRoute, adminRoute } from '../../admin-route/index.ts'
import { exampleUser } from '../routes.ts'
import { loadUser } from '../service.ts'
import { PasswordInput } from './schema.ts'
import { prepareReset, resetPassword } from './service.ts'

export const passwordRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'PUT',
    path: '/users/{userId}/password',
    permission: { anyOf: ['manage-users'] },
    summary: 'Set a user’s password',
    description:
      'Checked against the realm’s policy, the user’s earlier passwords and lists of publicly known ones; all faults are listed at once. Unlocks the user.',
    body: PasswordInput,
    response: { 204: null },
    errors: ['escalation', 'password_policy', 'password_history', 'password_breached', 'protected'],
    event: { subject: (params) => params.userId ?? null },
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleUser, body: { newPassword: 'lantern-orchid-47-granite', temporary: true } },
    prepare: (ctx, { params, body }) =>
      prepareReset(ctx, params.userId, { password: body.newPassword, field: 'newPassword' }),
    async handle(ctx, { body, loaded, prepared }) {
      const { changes } = await resetPassword(ctx, loaded.record.userId, prepared, body)
      return { status: 204, changes }
    },
  }),
]
