import { z } from 'zod'
import { newId } from '../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult, paging } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { CreatedRealm, Realm, RealmInput, RealmQuery, RealmReplacement } from './schema.ts'
import {
  createRealm,
  deleteRealm,
  loadRealm,
  type PreparedRealm,
  prepareRealm,
  replaceRealm,
  toRealm,
  visibleRealm,
} from './service.ts'
import { selectRealms } from './store.ts'

const system = { system: true } as const

async function exampleRealm(ctx: Context): Promise<Record<string, string>> {
  const name = `example-${newId()}`
  const { seed } = await prepareRealm(ctx, RealmInput.parse({ name }))
  await createRealm(ctx, { name, displayName: null, system: false }, seed)
  return { realm: name }
}

export const realmRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/realms',
    scope: 'server',
    permission: { anyAdmin: true },
    summary: 'List realms',
    description:
      'All realms for realm-admins of the system realm; administrators of another realm see their own. Sorted by name.',
    query: RealmQuery,
    response: { 200: z.array(Realm) },
    example: {},
    async handle(ctx, { query }) {
      const page = paging(query)
      const rows = await selectRealms(ctx.tx, { ...page, prefix: query.search ?? null, only: visibleRealm(ctx) })
      return pageResult({ rows: rows.map(toRealm), paging: page, cursorOf: (realm) => realm.realmId, query })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/realms',
    scope: 'server',
    permission: system,
    summary: 'Create a realm',
    description:
      'With its roles, signing key and administrator. A generated password is shown once and must be changed at the first sign-in.',
    body: RealmInput,
    response: { 201: CreatedRealm },
    errors: ['conflict'],
    example: { body: { name: 'acme', displayName: 'Acme' } },
    prepare: (ctx, { body }) => prepareRealm(ctx, body),
    async handle(ctx, { body, prepared }: { body: RealmInput; prepared: PreparedRealm }) {
      const realm = await createRealm(
        ctx,
        { name: body.name, displayName: body.displayName ?? null, system: false },
        prepared.seed,
      )
      const shown =
        prepared.generatedPassword === null ? realm : { ...realm, adminPassword: prepared.generatedPassword }
      return { status: 201, body: shown, resourceId: realm.realmId, version: 1 }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/realms/{realm}',
    scope: 'server',
    permission: { anyAdmin: true },
    summary: 'Read a realm',
    response: { 200: Realm },
    example: { fixture: exampleRealm },
    load: (ctx, params) => loadRealm(ctx, params.realm, false),
    async handle(_ctx, { loaded: { record } }) {
      const { system: _hidden, ...realm } = record
      return { status: 200, body: realm }
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/realms/{realm}',
    scope: 'server',
    permission: system,
    summary: 'Change a realm’s display name or disable it',
    body: RealmReplacement,
    response: { 200: Realm },
    errors: ['protected'],
    example: { fixture: exampleRealm, body: { displayName: 'Acme', enabled: true } },
    load: (ctx, params, forUpdate) => loadRealm(ctx, params.realm, forUpdate),
    async handle(ctx, { body, loaded }) {
      const realm = await replaceRealm(ctx, loaded.record, {
        displayName: body.displayName ?? null,
        enabled: body.enabled,
      })
      return { status: 200, body: realm, version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/realms/{realm}',
    scope: 'server',
    permission: system,
    summary: 'Delete a realm with everything in it',
    description: 'Answers at once; the rows are removed by a job, and the name is free again when that is done.',
    query: z.strictObject({ confirm: z.string().optional().describe('The realm’s name, once more.') }),
    response: { 204: null },
    errors: ['protected'],
    example: { fixture: exampleRealm, query: { confirm: '{realm}' } },
    load: (ctx, params, forUpdate) => loadRealm(ctx, params.realm, forUpdate),
    async handle(ctx, { query, loaded }) {
      await deleteRealm(ctx, loaded.record, query.confirm)
      return { status: 204 }
    },
  }),
]
