import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../../admin-route/index.ts'
import type { Context } from '../../context/index.ts'
import { prepareReset, setPassword } from '../password/index.ts'
import { exampleUser } from '../routes.ts'
import { loadUser } from '../service.ts'
import { addCredential } from './add.ts'
import {
  Credential,
  CredentialInput,
  CredentialQuery,
  CredentialReplacement,
  NewCredential,
  NewDevice,
} from './schema.ts'
import { listCredentials, loadCredential, removeCredential, renameCredential } from './service.ts'

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
      'A password takes the place of the one before and ends the user’s other sessions. totp answers the secret once and waits for a first good code; recovery-codes answers the codes once, and earlier ones stop working; device answers a token with which the user’s app enrolls itself within ten minutes.',
    body: CredentialInput,
    response: { 201: z.union([NewCredential, NewDevice]) },
    errors: ['escalation', 'password_policy', 'password_history', 'password_breached', 'protected', 'limit_reached'],
    event: { subject },
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleUser, body: { type: 'password', value: 'lantern-orchid-47-granite', temporary: true } },
    prepare: async (ctx, { params, body: { value } }) =>
      value === undefined ? null : prepareReset(ctx, params.userId, { password: value, field: 'value' }),
    async handle(ctx, { body, loaded, prepared }) {
      const { userId } = loaded.record
      const { credential, changes } = await addCredential(ctx, loaded.record, body, prepared)
      // A device that is to be enrolled has no address yet.
      if (!('id' in credential)) return { status: 201, body: credential, changes }
      const location = `/admin/realms/${ctx.realmId}/users/${userId}/credentials/${credential.type}/${credential.id}`
      return { status: 201, body: credential, headers: { location }, changes }
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/users/{userId}/credentials/{type}/{id}',
    permission: write,
    summary: 'Rename a credential',
    description: 'Only the label can be changed; the other members may be sent as they were read.',
    body: CredentialReplacement,
    response: { 200: Credential },
    errors: ['escalation', 'conflict'],
    mergePatch: true,
    event: { subject },
    load: loadCredential,
    example: { fixture: exampleCredential, body: { label: 'Spare key' } },
    async handle(ctx, { params, body, loaded }) {
      const credential = await renameCredential(ctx, params.userId!, loaded.record, body.label)
      return { status: 200, body: credential, version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/users/{userId}/credentials/{type}/{id}',
    permission: write,
    summary: 'Revoke a credential',
    description: 'Browsers that the user trusted are asked for a second factor again.',
    response: { 204: null },
    errors: ['escalation', 'conflict'],
    event: { subject },
    load: loadCredential,
    example: { fixture: exampleCredential },
    async handle(ctx, { params, loaded }) {
      await removeCredential(ctx, params.userId!, loaded.record)
      return { status: 204, changes: { credentialRemoved: loaded.record.type } }
    },
  }),
]
