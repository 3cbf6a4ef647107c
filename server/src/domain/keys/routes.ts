import { z } from 'zod'
import { type AnyAdminRoute, adminRoute, pageResult } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { KeyQuery, RealmKey } from './schema.ts'
import { deleteKey, listKeys, loadKey, rotateRealmKey } from './service.ts'

const permission = { anyOf: ['manage-realm'] } as const

/** A retired key: the seeded one, after a rotation. */
async function exampleRetiredKey(ctx: Context): Promise<Record<string, string>> {
  const { previousKeyId } = await rotateRealmKey(ctx, await ctx.services.keySource.take())
  return { keyId: previousKeyId! }
}

export const keyRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/keys',
    permission,
    summary: 'List the realm’s signing keys',
    description: 'The active and the retained ones, newest first. Private halves are never shown.',
    query: KeyQuery,
    response: { 200: z.array(RealmKey) },
    example: {},
    async handle(ctx, { query }) {
      const { keys, page, total } = await listKeys(ctx, query)
      return pageResult({ rows: keys, paging: page, cursorOf: (key) => key.keyId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/keys/rotate',
    permission,
    summary: 'Put a new signing key in place',
    description:
      'The new key signs tokens and SAML assertions from now on. The one before stays published, so that what it signed stays valid.',
    response: { 201: RealmKey },
    errors: ['limit_reached', 'reauthentication_required'],
    reauthenticate: true,
    example: {},
    prepare: (ctx) => ctx.services.keySource.take(),
    async handle(ctx, { prepared }) {
      const { key, previousKeyId } = await rotateRealmKey(ctx, prepared)
      return {
        status: 201,
        body: key,
        resourceId: key.keyId,
        headers: { location: `/admin/realms/${ctx.realmId}/keys/${key.keyId}` },
        changes: { keyId: key.keyId, previousKeyId },
      }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/keys/{keyId}',
    permission,
    summary: 'Delete a retired signing key',
    description: 'Meant for keys past their deletableAt; before that, tokens that are still live are cut off.',
    response: { 204: null },
    errors: ['key_active', 'reauthentication_required'],
    reauthenticate: true,
    load: (ctx, params, forUpdate) => loadKey(ctx, params.keyId, forUpdate),
    example: { fixture: exampleRetiredKey },
    async handle(ctx, { loaded }) {
      return { status: 204, changes: await deleteKey(ctx, loaded.record) }
    },
  }),
]
