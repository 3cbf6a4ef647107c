import { z } from 'zod'
import { newId } from '../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, pageResult } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { findUserIds } from './list/index.ts'
import { User, UserInput, UserQuery, UserReplacement } from './schema.ts'
import { createUser, deleteUser, loadUser, readUsers, replaceUser } from './service.ts'

const read = { anyOf: ['view-users'] } as const
const write = { anyOf: ['manage-users'] } as const
const subject = (params: Record<string, string>) => params.userId ?? null

/** A user for the examples of routes under /users/{userId}. */
export async function exampleUser(ctx: Context): Promise<Record<string, string>> {
  const username = `example-${newId()}`
  const input = UserInput.parse({ username, email: `${username}@example.org` })
  return { userId: (await createUser(ctx, input)).userId }
}

export const userRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/users',
    permission: read,
    summary: 'List users',
    description: 'Newest first; prefix filters answer in the order of the name they match. Page with `after`.',
    query: UserQuery,
    response: { 200: z.array(User) },
    example: { query: { search: 'ada', size: '20' } },
    async handle(ctx, { query }) {
      const { ids, page, total } = await findUserIds(ctx, query)
      const users = (await readUsers(ctx, ids)).map(({ record }) => record)
      return pageResult({ rows: users, paging: page, cursorOf: (user) => user.userId, query, total })
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/users',
    permission: write,
    summary: 'Create a user',
    body: UserInput,
    response: { 201: User },
    errors: ['conflict'],
    event: { subject: (_params, result) => result.resourceId ?? null },
    example: { body: { username: 'ada', email: 'ada@example.org', enabled: true, attributes: { firstName: 'Ada' } } },
    async handle(ctx, { body }) {
      const user = await createUser(ctx, body)
      return { status: 201, body: user, resourceId: user.userId, version: 1 }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/users/{userId}',
    permission: read,
    summary: 'Read a user',
    response: { 200: User },
    load: (ctx, params) => loadUser(ctx, params.userId, false),
    example: { fixture: exampleUser },
  }),
  adminRoute({
    method: 'PUT',
    path: '/users/{userId}',
    permission: write,
    summary: 'Replace a user',
    description:
      'The full desired state. Read-only members are ignored, omitted attributes are kept, roles have routes of their own.',
    body: UserReplacement,
    response: { 200: User },
    errors: ['conflict', 'escalation', 'last_admin'],
    mergePatch: true,
    event: { subject },
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleUser, body: { username: 'ada', email: 'ada@example.org', enabled: true } },
    async handle(ctx, { body, loaded }) {
      const user = await replaceUser(ctx, loaded.record, body)
      return { status: 200, body: user, version: loaded.version + 1 }
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/users/{userId}',
    permission: write,
    summary: 'Delete a user',
    description:
      'Ends the user’s sessions. The last enabled holder of realm-admin and users under a legal hold cannot be deleted. The audit ' +
      'trail still shows what the user did and from where; DELETE /users/{userId}/gdpr makes that unreadable, too.',
    response: { 204: null },
    errors: ['escalation', 'last_admin', 'legal_hold'],
    load: (ctx, params, forUpdate) => loadUser(ctx, params.userId, forUpdate),
    example: { fixture: exampleUser },
    async handle(ctx, { loaded }) {
      await deleteUser(ctx, loaded.record)
      return { status: 204 }
    },
  }),
]
