import { z } from 'zod'
import { DomainError, fieldError } from '../../../../platform/errors/index.ts'
import { type AnyAdminRoute, adminRoute } from '../../../admin-route/index.ts'
import type { Context } from '../../../context/index.ts'
import { assertMayActOn } from '../../../permissions/index.ts'
import { exampleUser } from '../../routes.ts'
import { recordAdded } from '../record-added.ts'
import { Credential } from '../schema.ts'
import { loadCredential, readCredential } from '../service.ts'
import { codeAt } from './codes.ts'
import { confirmTotp, startTotp } from './service.ts'

const TotpCode = z
  .strictObject({ code: z.string().max(32).describe('Six digits; spaces do not matter.') })
  .meta({ id: 'TotpCode' })

async function exampleApp(ctx: Context): Promise<Record<string, string>> {
  const { userId } = await exampleUser(ctx)
  const naming = { issuerName: ctx.realmId, username: 'ada' }
  const { id, secret } = await startTotp(ctx, { userId: userId!, label: null, ...naming })
  return { userId: userId!, id, code: codeAt(secret, ctx.now) }
}

export const totpRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'POST',
    path: '/users/{userId}/credentials/totp/{id}/confirm',
    permission: { anyOf: ['manage-users'] },
    summary: 'Confirm a user’s authenticator app',
    description:
      'With a code of the app, after which it counts as a second factor. A good code at sign-in does the same.',
    body: TotpCode,
    response: { 200: Credential },
    errors: ['escalation', 'conflict'],
    event: { subject: (params) => params.userId ?? null },
    load: (ctx, params, forUpdate) => loadCredential(ctx, { ...params, type: 'totp' }, forUpdate),
    // The braces stand for what the fixture made, as in a query.
    example: { fixture: exampleApp, body: { code: '{code}' } },
    async handle(ctx, { params, body, loaded }) {
      const { userId, id } = params as { userId: string; id: string }
      await assertMayActOn(ctx, userId)
      if (loaded.record.details.pending !== true) throw new DomainError('conflict', 'The app is confirmed already.')
      if (!(await confirmTotp(ctx, userId, id, body.code))) {
        throw fieldError('code', 'This is not the code that the app shows now.')
      }
      await recordAdded(ctx, userId, 'totp', id)
      return { status: 200, body: await readCredential(ctx, userId, id), version: loaded.version + 1 }
    },
  }),
]
