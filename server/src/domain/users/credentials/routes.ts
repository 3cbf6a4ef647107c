import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { prepareReset, resetPassword, setPassword } from '../password/index.ts'
import { exampleUser } from '../routes.ts'
import { loadUser } from '../service.ts'
import { Credential, CredentialInput, CredentialQuery } from './schema.ts'
import { listCredentials, loadCredential, readCredential, removeCredential } from './service.ts'

const write = { anyOf: ['manage-users'] } as const
const subject = (params: Record<string, string>) => params.userId ?? null

async function exampleCredential(ctx: Context): Promise<Record<string, string>> {
  const { userId } = await exampleUser(ctx)
  const hash = await ctx.services.passwords.hash('lantern-orchid-47-granite')
  return { userId: userId!, type: 'password', id: await setPassword(ctx, userId!, { hash, temporary: false }) }
}

export const credentialRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/users/{userId}/credentials',
    permission: { anyOf: ['view-users'] },
    summary: 'List a user’s credentials',
    description: 'Newest first. Secret material is never shown.',
    query: CredentialQuery,
    response: { 200: z.array(Credential) },
    example: { fixture: exampleUser },
    async handle(ctx, { params, query }) {
      const { credentials, page, total } = await listCredentials(ctx, params.userId, query)
      return pageResult({ rows: credentials, paging: page, cursorOf: (credential) => credential.id, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/users/{userId}/credentials',
    permission: write,
    summary: 'Give a user a credential',
    description:
      'Of the types, password can be set here; it takes the place of the one before and ends the user’s other sessions.',
    body: CredentialInput,
    response: { 201: Credential },
    errors: ['escalation', 'password_policy', 'password_history', 'password_breached', 'protected'],
    event: { subject },
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleUser, body: { type: 'password', value: 'lantern-orchid-47-granite', temporary: true } },
    prepare: (ctx, { params, body }) => prepareReset(ctx, params.userId, { password: body.value, field: 'value' }),
    async handle(ctx, { body, loaded, prepared }) {
      const { userId } = loaded.record
      const reset = { temporary: body.temporary, revokeSessions: true, label: body.label }
      const { credentialId, changes } = await resetPassword(ctx, userId, prepared, reset)
      return {
        status: 201,
        body: await readCredential(ctx, userId, credentialId),
        headers: { location: `/admin/realms/${ctx.realmId}/users/${userId}/credentials/password/${credentialId}` },
        changes,
      }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/users/{userId}/credentials/{type}/{id}',
    permission: write,
    summary: 'Revoke a credential',
    response: { 204: null },
    errors: ['escalation'],
    event: { subject },
    load: loadCredential,
    example: { fixture: exampleCredential },
    async handle(ctx, { params, loaded }) {
      await removeCredential(ctx, params.userId!, loaded.record)
      return { status: 204, changes: { credentialRemoved: loaded.record.type } }
    },
  }),
]
