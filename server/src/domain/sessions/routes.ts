import { z } from 'zod'
import { fieldError, notFound } from '../../platform/errors/index.ts'
import { isUuid } from '../../platform/ids/index.ts'
import { isStorable } from '../../platform/text/index.ts'
import { type AnyAdminRoute, adminRoute, idParameter, pageQuery, pageResult, paging } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { permissionKeys } from '../permissions/index.ts'
import { exampleSession } from './example.ts'
import { revokeAllTokens, revokeSessionlessGrants, selectServiceAccounts } from '../tokens/index.ts'
import { ServiceAccountSession, Session, SessionQuery, Whoami } from './schema.ts'
import { toSession } from './record.ts'
import { endSessions } from './service.ts'
import { selectSessions } from './store.ts'

const read = { anyOf: ['view-events'] } as const
const write = { anyOf: ['manage-events'] } as const

async function loadSession(ctx: Context, id: string | undefined) {
  const [row] = await selectSessions(ctx.tx, {
    realmId: ctx.realmId,
    id: idParameter(id),
    now: ctx.now,
    offset: 0,
    limit: 1,
    after: null,
  })
  if (!row) throw notFound()
  return { record: toSession(ctx.realmId, row), version: row.version }
}

/** The caller's own session survives what ends many at once: nobody locks themselves out by mistake. */
function callingSession(ctx: Context): string | null {
  return ctx.actor.kind === 'USER' && ctx.actor.realmId === ctx.realmId ? ctx.actor.sessionId : null
}

// A clientId may be any text; the prefix tells a cursor of ours from one that somebody made up.
const cursorPrefix = 'c.'

function openCursor(cursor: string): string {
  const clientId = Buffer.from(cursor.slice(cursorPrefix.length), 'base64url').toString()
  const isOurs = cursor === cursorPrefix + Buffer.from(clientId).toString('base64url') && isStorable(clientId)
  if (!isOurs) throw fieldError('after', 'after is what rel="next" carries')
  return clientId
}

export const sessionRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/sessions',
    permission: read,
    summary: 'List active sessions',
    query: SessionQuery,
    response: { 200: z.array(Session) },
    example: {},
    async handle(ctx, { query }) {
      const page = paging(query)
      if (page.after !== null && !isUuid(page.after)) throw fieldError('after', 'after is the id of a session')
      const rows = await selectSessions(ctx.tx, {
        ...page,
        realmId: ctx.realmId,
        userId: query.userId,
        clientId: query.clientId,
        now: ctx.now,
      })
      return pageResult({
        rows: rows.map((row) => toSession(ctx.realmId, row)),
        paging: page,
        cursorOf: (session) => session.id,
        query,
      })
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/sessions',
    permission: write,
    summary: 'End all sessions of a user',
    description: 'The calling session stays.',
    query: z.strictObject({ userId: z.uuid() }),
    response: { 204: null },
    event: { subject: () => null },
    example: { query: { userId: '01980a51-0000-7000-8000-000000000000' } },
    async handle(ctx, { query }) {
      const ended = await endSessions(ctx, { userId: query.userId, exceptId: callingSession(ctx) })
      await revokeSessionlessGrants(ctx, query.userId)
      return { status: 204, changes: { userId: query.userId, ended } }
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/sessions/revoke-all',
    permission: write,
    summary: 'End all sessions of the realm',
    description:
      'The calling session stays. Access tokens issued until now are void, those of machines included, and offline access ends.',
    response: { 204: null },
    example: {},
    async handle(ctx) {
      const ended = await endSessions(ctx, { exceptId: callingSession(ctx) })
      await revokeAllTokens(ctx, callingSession(ctx))
      return { status: 204, changes: { ended } }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/sessions/service-accounts',
    permission: read,
    summary: 'List machines that hold tokens',
    description: 'From counters per client and minute, written every moment: figures lag by less than a second.',
    query: pageQuery,
    response: { 200: z.array(ServiceAccountSession) },
    example: {},
    async handle(ctx, { query }) {
      const page = paging(query)
      const after = page.after === null ? null : openCursor(page.after)
      const rows = await selectServiceAccounts(ctx.tx, ctx.realmId, { ...page, after, now: ctx.now })
      return pageResult({
        rows: rows.map((row) => ({
          clientId: row.client_id,
          name: row.name,
          activeTokens: Number(row.active_tokens),
          lastIssuedAt: Number(row.last_minute),
          agentId: (row.settings as { agentId?: string } | null)?.agentId ?? null,
        })),
        paging: page,
        cursorOf: (account) => cursorPrefix + Buffer.from(account.clientId).toString('base64url'),
        query,
      })
    },
  }),
  adminRoute({
    method: 'DELETE',
    path: '/sessions/{id}',
    permission: write,
    summary: 'End a session',
    response: { 204: null },
    load: (ctx, params) => loadSession(ctx, params.id),
    example: { fixture: exampleSession },
    async handle(ctx, { loaded }) {
      await endSessions(ctx, { id: loaded.record.id })
      return { status: 204 }
    },
  }),
  adminRoute({
    method: 'GET',
    path: '/whoami',
    permission: { signedIn: true },
    summary: 'Who is calling, and what they may do here',
    response: { 200: Whoami },
    example: {},
    async handle(ctx) {
      if (ctx.actor.kind !== 'USER') throw notFound()
      const { actor } = ctx
      const [row] = actor.sessionId
        ? await selectSessions(ctx.tx, {
            realmId: actor.realmId,
            id: actor.sessionId,
            now: ctx.now,
            offset: 0,
            limit: 1,
            after: null,
          })
        : []
      const session = row ? toSession(actor.realmId, row) : null
      const permissions = permissionKeys.filter((key) => actor.permissions.has(key))
      const { userId, username, realmId, sessionId } = actor
      return {
        status: 200,
        body: {
          userId,
          username,
          realmId,
          permissions,
          sessionId,
          expiresAt: session?.expiresAt ?? null,
          acr: session?.acr ?? null,
        },
      }
    },
  }),
]
