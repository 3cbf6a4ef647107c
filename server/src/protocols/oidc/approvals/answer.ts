import { randomUUID } from 'node:crypto'
import { recordConsent } from '../../../domain/consents/index.ts'
import { type Context, openContext, type Origin, type Services } from '../../../domain/context/index.ts'
import { recordEvent } from '../../../domain/events/index.ts'
import { forgetCounter, ledgerSubject } from '../../../domain/lockout/index.ts'
import {
  amr,
  authenticatedAt,
  type AuthenticatedSession,
  participantPart,
  readParticipants,
  sessionActor,
} from '../../../domain/sessions/index.ts'
import { answerWaiting, type ModelInsert, modelId, modelPart } from '../../../domain/tokens/index.ts'
import { runTogether, runTransaction } from '../../../platform/db/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { protocol } from '../session-adapter.ts'
import { createUnit, runInUnit } from '../unit.ts'
import { claimNames, readAsked } from './asked.ts'
import type { WaitingRequest } from './waiting-request.ts'

export interface Answerer {
  session: AuthenticatedSession
  origin: Origin
  /** The class of the sign-in, as the application asked for it. */
  acr: string
}

/** The person says yes: the program that asks gets its tokens next time. False when somebody answered before. */
export async function approveRequest(services: Services, request: WaitingRequest, who: Answerer): Promise<boolean> {
  const { session, origin, acr } = who
  const { issuer, client, kind } = request
  const { realmId } = issuer
  const asked = readAsked(request)
  const isOffline = asked.scopes.includes('offline_access') && client.grantTypes.includes('refresh_token')
  const scopes = asked.scopes.filter((name) => name !== 'offline_access' || isOffline)
  const grant = await makeGrant(services, request, session, { ...asked, scopes }, isOffline)
  return runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: sessionActor(session), origin })
    const sid = await joinSession(ctx, request, session, grant.value)
    await runTogether(ctx.tx, [modelPart(grant.row)])
    const isFirst = await answerWaiting(ctx.tx, realmId, {
      id: request.id,
      grantId: grant.row.id,
      userId: session.userId,
      sessionId: session.sessionId,
      offline: isOffline,
      payload: {
        accountId: session.userId,
        grantId: grant.value,
        scope: scopes.join(' '),
        ...{ acr, amr: amr(session.proofs), authTime: Math.floor(authenticatedAt(session.proofs) / 1000) },
        ...{ sid, sessionUid: session.sessionId },
        ...(isOffline ? {} : { expiresWithSession: true }),
        resource: asked.resources.length > 1 ? asked.resources : asked.resources[0],
        ...(Object.keys(asked.claims).length > 0 ? { claims: asked.claims } : {}),
      },
    })
    if (!isFirst) throw new AnsweredBefore()
    if (client.settings.consentRequired) {
      const others = asked.resources.filter((resource) => resource !== issuer.issuer)
      const resources = Object.fromEntries(others.map((resource) => [resource, scopes]))
      const claims = claimNames(asked.claims)
      await recordConsent(ctx, { userId: session.userId, clientUuid: client.id, scopes, claims, resources })
    }
    await recordEvent(ctx, {
      type: kind === 'device' ? 'DEVICE_AUTHORIZED' : 'CIBA_APPROVED',
      outcome: 'SUCCESS',
      clientId: client.clientId,
      sessionId: session.sessionId,
      detail: describePlace(request),
    })
    // Whoever says yes was not pestered: the counter of unanswered requests starts anew.
    if (kind === 'ciba') {
      await runTogether(ctx.tx, [forgetCounter(realmId, ledgerSubject(session.userId, ''), 'APPROVAL')])
    }
    return true
  }).catch((error: unknown) => {
    if (error instanceof AnsweredBefore) return false
    throw error
  })
}

/** Undoes what was written for an answer that came second. */
class AnsweredBefore extends Error {}

/** The person says no, or cannot be known as surely as the application wants. */
export async function refuseRequest(
  services: Services,
  request: WaitingRequest,
  { session, origin }: Omit<Answerer, 'acr'>,
  refusal = { error: 'access_denied', errorDescription: 'the person refused the request' },
): Promise<boolean> {
  const { realmId } = request.issuer
  return runTransaction(services.db, async (work) => {
    const ctx = openContext(services, work, { realmId, actor: sessionActor(session), origin })
    const { userId, sessionId } = session
    const answer = { id: request.id, payload: refusal, grantId: null, userId, sessionId, offline: false }
    if (!(await answerWaiting(ctx.tx, realmId, answer))) return false
    await recordEvent(ctx, {
      type: request.kind === 'device' ? 'DEVICE_AUTHORIZED' : 'CIBA_DENIED',
      outcome: request.kind === 'device' ? 'FAILURE' : 'SUCCESS',
      clientId: request.client.clientId,
      sessionId,
      detail: refusal.errorDescription,
    })
    return true
  })
}

function describePlace({ place }: WaitingRequest): string {
  return place.ip === null ? 'asked from an unknown address' : `asked from ${place.ip}`
}

type Asked = ReturnType<typeof readAsked>

/** A grant of its own: a device that is signed out later takes nothing else of the person along. */
async function makeGrant(
  services: Services,
  { issuer, client }: WaitingRequest,
  session: AuthenticatedSession,
  { scopes, resources, claims }: Asked,
  isOffline: boolean,
): Promise<{ value: string; row: ModelInsert }> {
  const unit = createUnit(issuer.realmId, { sourceIp: null, userAgent: null, traceId: '' })
  const value = await runInUnit(unit, async () => {
    const grant = new issuer.provider.Grant({ accountId: session.userId, clientId: client.clientId })
    grant.addOIDCScope(scopes.join(' '))
    const names = claimNames(claims)
    if (names.length > 0) grant.addOIDCClaims(names)
    for (const resource of resources) grant.addResourceScope(resource, scopes.join(' '))
    return grant.save()
  })
  const row = unit.models.get(modelId('Grant', value).toString('hex'))!
  return { value, row: { ...row, sessionId: session.sessionId, offline: isOffline } }
}

/** The application takes part in the session, under the name it has there already if it was here before. */
async function joinSession(
  ctx: Context,
  { client }: WaitingRequest,
  session: AuthenticatedSession,
  grantId: string,
): Promise<string> {
  const { realmId, now } = ctx
  const { sessionId } = session
  const participants = await readParticipants(ctx.tx, realmId, sessionId)
  const before = participants.find((one) => one.protocol === protocol && one.clientId === client.clientId)
  const known = before?.sessionKey.sid
  if (typeof known === 'string') return known
  const sid = randomUUID()
  const sessionKey = JSON.stringify({ sid, grantId })
  const participant = {
    realmId,
    id: newId(now),
    sessionId,
    protocol,
    clientId: client.clientId,
    sessionKey,
    createdAt: now,
  }
  await runTogether(ctx.tx, [participantPart(participant)])
  return sid
}
