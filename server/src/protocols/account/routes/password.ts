import { z } from 'zod'
import { changePassword, PasswordChange, preparePassword } from '../actions/password.ts'
import { accountRoute, type AnyAccountRoute } from '../route.ts'

export const passwordRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'POST',
    path: '/password',
    demand: 'FRESH',
    summary: 'Change your password',
    description:
      'Wrong passwords count as they do at sign-in. Your other sessions end, and the tokens of your applications with them. ' +
      'Whoever has no password yet sets a first one without `currentPassword`.',
    body: PasswordChange,
    response: { 204: z.null().describe('No body.') },
    prepare: (call) => preparePassword(call, call.body),
    async handle(ctx, { holder }, prepared) {
      await changePassword(ctx, holder, prepared)
      return { status: 204 }
    },
  }),
]
