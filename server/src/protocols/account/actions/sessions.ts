import { z } from 'zod'
import { pageQuery, type Paging } from '../../../domain/admin-route/index.ts'
import type { Context, UserActor } from '../../../domain/context/index.ts'
import { recordEvent } from '../../../domain/events/index.ts'
import { endSessions, listSessionsOf, readSessionOf, Session } from '../../../domain/sessions/index.ts'
import { revokeSessionlessGrants } from '../../../domain/tokens/index.ts'
import { tellOfChange } from '../../../domain/users/notices/index.ts'
import { notFound } from '../../../platform/errors/index.ts'
import { isUuid } from '../../../platform/ids/index.ts'

export const OwnSession = Session.extend({
  current: z.boolean().describe('The one that asks.'),
}).meta({ id: 'AccountSession' })
export type OwnSession = z.infer<typeof OwnSession>

export const SessionPageQuery = pageQuery.omit({ count: true }).meta({ id: 'AccountSessionQuery' })
export type SessionPageQuery = z.infer<typeof SessionPageQuery>

/** Newest first, one more than the page. An administrator who acts as the person is named as such, and their place is not shown. */
export async function listOwnSessions(
  ctx: Context,
  holder: UserActor,
  query: SessionPageQuery,
): Promise<{ sessions: OwnSession[]; page: Paging }> {
  const { sessions, page } = await listSessionsOf(ctx.tx, ctx.realmId, holder.userId, query, ctx.now)
  return { sessions: sessions.map((session) => toOwnSession(session, holder)), page }
}

function toOwnSession(session: Session, { sessionId }: UserActor): OwnSession {
  const current = session.id === sessionId
  const isForeign = session.impersonatorId !== null && !current
  return { ...session, ...(isForeign ? { sourceIp: null, userAgent: null } : {}), current }
}

/** Its tokens go with it, and its applications hear of it. */
export async function endOwnSession(ctx: Context, holder: UserActor, id: string): Promise<{ wasCurrent: boolean }> {
  const session = isUuid(id) ? await readSessionOf(ctx.tx, ctx.realmId, holder.userId, id, ctx.now) : null
  if (!session) throw notFound()
  await endSessions(ctx, { id: session.id, userId: holder.userId })
  await recordEnd(ctx, holder, session.id, 1)
  return { wasCurrent: session.id === holder.sessionId }
}

/** All but the one that asks, and what was opened by the password alone. */
export async function endOtherSessions(ctx: Context, holder: UserActor): Promise<number> {
  const { userId, sessionId } = holder
  const ended = await endSessions(ctx, { userId, exceptId: sessionId })
  await revokeSessionlessGrants(ctx, userId)
  if (ended > 0) await recordEnd(ctx, holder, null, ended)
  return ended
}

async function recordEnd(ctx: Context, { userId }: UserActor, ended: string | null, count: number): Promise<void> {
  await recordEvent(ctx, {
    type: 'LOGOUT',
    outcome: 'SUCCESS',
    resourceType: 'sessions',
    resourceId: ended,
    detail: JSON.stringify({ endedFromAccount: count }),
    detailSubject: userId,
  })
  await tellOfChange(ctx, userId, 'SESSION_ENDED')
}
