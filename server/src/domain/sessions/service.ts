import { hashToken, newToken } from '../../platform/crypto/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { truncate } from '../../platform/text/index.ts'
import { type Context, react } from '../context/index.ts'
import {
  deleteSessions,
  findSessionByToken,
  insertSession,
  renewalPart,
  type SessionInsert,
  type SessionSelection,
  sessionPart,
} from './store.ts'

/** How and when a person proved who they are; acr, amr and auth_time follow from these. */
export interface Proof {
  method: string
  at: number
  /** When the person had proved themselves to whatever vouched for them, where the method is the yes of another screen. */
  since?: number
}

export interface NewSession {
  userId: string
  proofs: Proof[]
  rememberMe: boolean
  idleSeconds: number
  maxSeconds: number
  impersonatorId?: string | null
}

/** A session with a new secret: signing in never keeps an old one (fixation). */
export async function createSession(ctx: Context, session: NewSession) {
  const { insert, ...created } = describeSession(ctx, session)
  countSessions(ctx, 1)
  await insertSession(ctx.tx, insert)
  return created
}

/**
 * The session that a sign-in ends in, to be written together with other parts of the change. Somebody who signs in again in the
 * same browser keeps their session under a new secret, so that their applications are not signed out; anybody else's ends here,
 * and so does acting as somebody (`actingToken`): whoever signs in is themselves.
 */
export async function prepareSession(
  ctx: Context,
  session: NewSession,
  previousToken: string | null,
  actingToken: string | null = null,
) {
  const acting = actingToken ? await findSessionByToken(ctx.tx, ctx.realmId, hashToken(actingToken)) : undefined
  if (acting && acting.impersonator_id !== null) await endSessions(ctx, { id: acting.id })
  const previous = previousToken ? await findSessionByToken(ctx.tx, ctx.realmId, hashToken(previousToken)) : undefined
  if (previous && previous.user_id === session.userId && previous.impersonator_id === null) {
    const { insert, token, expiresAt } = describeSession(ctx, session)
    return { id: previous.id, token, expiresAt, part: renewalPart({ ...insert, id: previous.id }) }
  }
  if (previous) await endSessions(ctx, { id: previous.id })
  const { insert, ...created } = describeSession(ctx, session)
  countSessions(ctx, 1)
  return { ...created, part: sessionPart(insert) }
}

function describeSession(ctx: Context, session: NewSession) {
  const token = newToken()
  const id = newId(ctx.now)
  const expiresAt = ctx.now + session.maxSeconds * 1000
  const insert: SessionInsert = {
    realm_id: ctx.realmId,
    id,
    token_hash: hashToken(token),
    user_id: session.userId,
    proofs: JSON.stringify(session.proofs),
    remember_me: session.rememberMe,
    impersonator_id: session.impersonatorId ?? null,
    source_ip: ctx.origin.sourceIp,
    user_agent: ctx.origin.userAgent ? truncate(ctx.origin.userAgent, 512) : null,
    started_at: ctx.now,
    last_access_at: ctx.now,
    last_admin_at: ctx.now,
    idle_seconds: session.idleSeconds,
    expires_at: expiresAt,
  }
  return { id, token, expiresAt, insert }
}

/** Ends sessions and lets other folders follow: tokens, logout at the applications. Returns how many there were. */
export async function endSessions(ctx: Context, selection: SessionSelection): Promise<number> {
  const ended = await deleteSessions(ctx.tx, ctx.realmId, selection)
  if (ended.length > 0) {
    countSessions(ctx, -ended.length)
    await react(ctx, 'sessionEnded', ended)
  }
  return ended.length
}

function countSessions({ realmId, services, afterCommit }: Context, by: number): void {
  afterCommit(() => services.activity.countSessions(realmId, by))
}
