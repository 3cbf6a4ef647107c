import type { Adapter } from 'oidc-provider'
import { openContext, type Services, type SessionParticipant } from '../../domain/context/index.ts'
import { recordEvent } from '../../domain/events/index.ts'
import {
  acrOf,
  amr,
  authenticatedAt,
  authenticateSession,
  type AuthenticatedSession,
  csrfToken,
  deleteParticipant,
  endSessions,
  lastProvedAt,
  mayStillActFor,
  type Proof,
  readParticipants,
  readSessionById,
  sessionActor,
  vouchedAt,
} from '../../domain/sessions/index.ts'
import { modelId, readModel } from '../../domain/tokens/index.ts'
import { runRead, runTransaction } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { engineContext } from './internals.ts'
import type { IssuerParts } from './issuer.ts'
import { describeModel } from './payloads.ts'
import { type ActingUnit, currentUnit, type Payload } from './unit.ts'

/** The name under which applications of this protocol take part in a session. */
export const protocol = 'oidc'

// Long enough to read a question and answer it.
const logoutStateSeconds = 600

type SessionAdapter = Pick<Adapter, 'find' | 'findByUid' | 'upsert' | 'destroy'>

/**
 * The engine's session on the realm session (architecture 4): the cookie is ours, the engine only adds applications to it. What
 * it must remember between asking for a logout and doing it is kept apart, so that it works without a session, too.
 */
export function createSessionAdapter(services: Services, parts: IssuerParts): SessionAdapter {
  const { realmId } = parts
  return {
    async find(token) {
      const outcome = await authenticateSession(services, realmId, token, null)
      const session = outcome.realm === 'ENABLED' ? outcome.session : null
      const state = isLogout() ? await readLogoutState(services, realmId, token) : null
      if (!session) return state ? { jti: token, kind: 'Session', ...state } : undefined
      const participants = await runRead(() => readParticipants(services.db, realmId, session.sessionId))
      const authorizations = authorizationsOf(participants)
      const unit = currentUnit()
      if (unit) {
        unit.authorizations = structuredClone(authorizations)
        unit.provedAt = lastProvedAt(session.proofs)
        unit.signedInAt = authenticatedAt(session.proofs)
        unit.vouchedAt = vouchedAt(session.proofs)
        unit.acting = actingOf(session, services.clock.now())
      }
      return {
        kind: 'Session',
        jti: token,
        uid: session.sessionId,
        accountId: session.userId,
        loginTs: Math.floor(authenticatedAt(session.proofs) / 1000),
        acr: acrOf(session.proofs),
        amr: amr(session.proofs),
        exp: Math.floor(session.expiresAt / 1000),
        transient: !session.rememberMe,
        authorizations,
        ...state,
      } as Payload
    },
    async findByUid(sessionId) {
      const known = currentUnit()?.sessions.get(sessionId)
      if (known) return { ...known, jti: sessionId, kind: 'Session' }
      return readLiveSession(services, realmId, sessionId)
    },
    async upsert(token, payload) {
      const session = payload as Payload
      await addParticipants(services, realmId, session)
      if (session.state === undefined || !isLogout()) return
      const unit = currentUnit()
      const { state, uid } = session
      const row = { model: 'LogoutState', value: token, payload: { state, uid }, expiresIn: logoutStateSeconds }
      const described = describeModel(services, realmId, row)
      unit?.models.set(described.id.toString('hex'), described)
    },
    destroy: (token) => endByCookie(services, realmId, token),
  }
}

function actingOf(session: AuthenticatedSession, now: number): ActingUnit | null {
  const { impersonatorId, expiresAt, username, token } = session
  if (impersonatorId === null) return null
  const secondsLeft = Math.floor((expiresAt - now) / 1000)
  return { impersonatorId, secondsLeft, shown: { username, csrf: csrfToken(token) } }
}

function isLogout(): boolean {
  return (engineContext()?.oidc.route ?? '').startsWith('end_session')
}

async function readLogoutState(services: Services, realmId: string, token: string): Promise<Payload | null> {
  const row = await runRead(() => readModel(services.db, realmId, modelId('LogoutState', token)))
  return row && row.expires_at > services.clock.now() ? (row.payload as Payload) : null
}

/** A session by its public id, as refresh tokens name it. */
async function readLiveSession(services: Services, realmId: string, sessionId: string): Promise<Payload | undefined> {
  const [row, participants] = await runRead(() =>
    Promise.all([readSessionById(services.db, realmId, sessionId), readParticipants(services.db, realmId, sessionId)]),
  )
  const now = services.clock.now()
  if (!row || now >= row.expires_at || now >= row.last_access_at + row.idle_seconds * 1000) return undefined
  if (!row.enabled || (row.locked && row.locked_until === null)) return undefined
  const { impersonator_id: impersonatorId, user_id: userId } = row
  const isActing = impersonatorId !== null
  if (isActing && !(await mayStillActFor(services, realmId, { impersonatorId, userId }))) return undefined
  const proofs = row.proofs as Proof[]
  return {
    kind: 'Session',
    jti: sessionId,
    uid: sessionId,
    accountId: row.user_id,
    loginTs: Math.floor(authenticatedAt(proofs) / 1000),
    acr: acrOf(proofs),
    amr: amr(proofs),
    exp: Math.floor(row.expires_at / 1000),
    authorizations: authorizationsOf(participants),
  }
}

/** The engine's view of the applications in a session: what each is called there, by client. */
function authorizationsOf(participants: SessionParticipant[]): Record<string, Payload> {
  const own = participants.filter((participant) => participant.protocol === protocol)
  return Object.fromEntries(own.map(({ clientId, sessionKey }) => [clientId, { ...sessionKey }]))
}

/** Writes the applications that this request added to the session, or changed in it. */
async function addParticipants(services: Services, realmId: string, session: Payload): Promise<void> {
  const unit = currentUnit()
  const sessionId = session.uid as string
  if (!unit || !session.accountId) return
  const before = unit.authorizations ?? {}
  const after = (session.authorizations ?? {}) as Record<string, Payload>
  const now = services.clock.now()
  unit.participants = Object.entries(after)
    .filter(([clientId, key]) => JSON.stringify(before[clientId]) !== JSON.stringify(key))
    .map(([clientId, key]) => {
      const sessionKey = JSON.stringify(key)
      return { realmId, id: newId(now), sessionId, protocol, clientId, sessionKey, createdAt: now }
    })
  for (const clientId of Object.keys(before).filter((name) => !(name in after))) {
    unit.effects.push(() => deleteParticipant(services.db, realmId, { sessionId, protocol, clientId }))
  }
}

/** Logout: the session ends with its tokens, and every application in it hears of it (through reactions). */
async function endByCookie(services: Services, realmId: string, token: string): Promise<void> {
  const unit = currentUnit()
  const id = modelId('LogoutState', token)
  unit?.removals.set(id.toString('hex'), id)
  const outcome = await authenticateSession(services, realmId, token, null)
  const session = outcome.realm === 'UNKNOWN' ? null : outcome.session
  if (!session || !unit) return
  const clientId = engineContext()?.oidc.client?.clientId ?? null
  await runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: sessionActor(session), origin: unit.origin })
    await endSessions(ctx, { id: session.sessionId })
    // Nothing is left that a page of this answer could offer to end.
    if (unit.acting) unit.acting.shown = null
    // The person did not sign out; whoever acted as them has stopped, which is an event of its own.
    if (session.impersonatorId !== null) return
    await recordEvent(ctx, { type: 'LOGOUT', outcome: 'SUCCESS', sessionId: session.sessionId, clientId })
  })
}
