import { z } from 'zod'
import { pageResult } from '../../../domain/admin-route/index.ts'
import { readSessionOf, Whoami } from '../../../domain/sessions/index.ts'
import { permissionKeys } from '../../../domain/permissions/index.ts'
import { endOtherSessions, endOwnSession, listOwnSessions, OwnSession, SessionPageQuery } from '../actions/sessions.ts'
import { accountRoute, type AnyAccountRoute } from '../route.ts'

const AccountWhoami = Whoami.extend({
  impersonatorId: z.string().nullable().describe('Who acts as you, if somebody does.'),
}).meta({ id: 'AccountWhoami' })

const gone = z.null().describe('No body.')

export const sessionRoutes: AnyAccountRoute[] = [
  accountRoute({
    method: 'GET',
    path: '/whoami',
    demand: 'READ',
    summary: 'Who you are here',
    description: 'Of the session or the token that asks. A token brings no permissions to the account.',
    response: { 200: AccountWhoami },
    async handle(ctx, { holder }) {
      const { userId, username, realmId, sessionId, impersonatorId } = holder
      const session = sessionId ? await readSessionOf(ctx.tx, realmId, userId, sessionId, ctx.now) : null
      const permissions = permissionKeys.filter((key) => holder.permissions.has(key))
      const { expiresAt = null, acr = null } = session ?? {}
      return {
        status: 200,
        body: { userId, username, realmId, permissions, sessionId, expiresAt, acr, impersonatorId },
      }
    },
  }),
  accountRoute({
    method: 'GET',
    path: '/sessions',
    demand: 'READ',
    summary: 'List where you are signed in',
    description: 'Newest first. Page with `after`. Where an administrator acts as you, `impersonatorId` says so.',
    query: SessionPageQuery,
    response: { 200: z.array(OwnSession) },
    async handle(ctx, { holder, query }) {
      const { sessions, page } = await listOwnSessions(ctx, holder, query)
      return pageResult({ rows: sessions, paging: page, cursorOf: ({ id }) => id, query })
    },
  }),
  accountRoute({
    method: 'DELETE',
    path: '/sessions',
    demand: 'WRITE',
    summary: 'Sign out everywhere else',
    description: 'The session that asks stays. Applications hear of it, and their tokens end.',
    response: { 204: gone },
    async handle(ctx, { holder }) {
      await endOtherSessions(ctx, holder)
      return { status: 204 }
    },
  }),
  accountRoute({
    method: 'DELETE',
    path: '/sessions/:id',
    demand: 'WRITE',
    summary: 'End one of your sessions',
    description: 'Applications hear of it, and their tokens end.',
    response: { 204: gone, 404: z.null().describe('You have no such session.') },
    async handle(ctx, { holder, params }) {
      const { wasCurrent } = await endOwnSession(ctx, holder, params.id!)
      return { status: 204, clearSession: wasCurrent }
    },
  }),
]
