import { createHash } from 'node:crypto'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { asUser, type Services } from '../../domain/context/index.ts'
import { noteUse } from '../../domain/registration/index.ts'
import { readGrantSource } from '../../domain/tokens/index.ts'
import { pollIntervalSeconds } from './approvals/models.ts'
import { allowsOrigin } from './boundaries.ts'
import { clientFacts } from './client-metadata.ts'
import { countFailedClient } from './client-limits.ts'
import { keepOwnCookie } from './acting.ts'
import { answerOutage } from './failures.ts'
import { sourceOf } from './grant-source.ts'
import { noteExchange } from './grants/exchanged-tokens.ts'
import { passwordGrant } from './grants/names.ts'
import { reShowFormPost } from './form-post.ts'
import { findReplayOf, recordFailure, refuseLoser } from './token-failures.ts'
import type { IssuerParts } from './issuer.ts'
import { showFrontChannel } from './logout-pages.ts'
import { currentUnit, discardWrites, flushUnit, type Unit } from './unit.ts'

/**
 * Runs around the engine. When the engine has made its answer, what it gathered is written in one statement; only then is the
 * answer sent, and it is another one when somebody else was first.
 */
export function createAftermath(services: Services, parts: IssuerParts) {
  return async (koaCtx: unknown, next: () => Promise<unknown>): Promise<void> => {
    await next()
    const ctx = koaCtx as KoaContextWithOIDC
    const unit = currentUnit()
    // Paths the engine does not know have no context of its own.
    if (!unit || !('oidc' in ctx)) return
    keepOwnCookie(services, parts, ctx)
    try {
      await settle(services, parts, ctx, unit)
    } catch (error) {
      ctx.status = 500
      ctx.remove('location')
      ctx.body = { error: 'server_error', error_description: 'the request could not be completed' }
      answerOutage(services, ctx, error as Error)
    }
  }
}

async function settle(services: Services, parts: IssuerParts, ctx: KoaContextWithOIDC, unit: Unit): Promise<void> {
  await countFailedClient(services, parts.realmId, ctx)
  noteTokens(services, parts, ctx, unit)
  const outcome = await flushUnit(services, unit)
  if (outcome !== 'WRITTEN') await answerLoser(services, parts, ctx, unit, outcome)
  answerReplay(ctx, unit)
  if (ctx.oidc.route === 'token' && ctx.status === 200) {
    services.metrics.tokenIssued(parts.realmId)
    await noteClientUse(services, parts.realmId, ctx.oidc.client)
  }
  settleCors(ctx)
  if (ctx.oidc.route === 'end_session_confirm' && ctx.status === 303 && unit.authorizations) {
    await showFrontChannel(services, parts, ctx, unit.authorizations)
  }
  await reShowFormPost(services, parts, ctx)
  if (waitingRoutes.has(ctx.oidc.route) && ctx.status === 200)
    Object.assign(ctx.body as object, { interval: pollIntervalSeconds })
  if (ctx.oidc.route === 'discovery') {
    correctDiscovery(ctx)
    makeCacheable(ctx)
  }
}

/** Registrations that nobody uses end; those of administrators never do. */
export async function noteClientUse(services: Services, realmId: string, client: Client | undefined): Promise<void> {
  const facts = clientFacts(client)
  if (!facts?.selfRegistered) return
  // The tokens are written: whoever asked gets them, also when this note has to wait for the next time.
  await noteUse(services, realmId, facts.id).catch((err: unknown) => services.log.warn({ err }, 'a use was not noted'))
}

/** Puts the event of an issued token into the statement that issues it (contract 6.5). */
function noteTokens(services: Services, parts: IssuerParts, ctx: KoaContextWithOIDC, unit: Unit): void {
  const { realmId, settings } = parts
  const { oidc } = ctx
  if (oidc.route === 'revocation' && ctx.status === 200 && oidc.client) {
    const revoked = oidc.entities.RefreshToken ?? oidc.entities.AccessToken ?? oidc.entities.ClientCredentials
    const actor = { kind: 'CLIENT' as const, clientId: oidc.client.clientId }
    if (revoked)
      unit.events.push({ actor, event: { type: 'TOKEN_REVOKED', outcome: 'SUCCESS', clientId: actor.clientId } })
  }
  if (oidc.route !== 'token') return
  if (ctx.status !== 200) return recordFailure(services, realmId, ctx, unit)
  if (noteExchange(parts, ctx, unit)) return
  const clientId = oidc.client!.clientId
  const source = sourceOf(ctx)
  if (!source) {
    const token = oidc.entities.ClientCredentials
    services.eventBatch.countToken(realmId, clientId, services.clock.now() + (token?.expiration ?? 0) * 1000)
    if (settings.auditTokenEvents) noteMachineToken(services, realmId, clientId, unit)
    return
  }
  if (!settings.auditTokenEvents) return
  const userId = source.accountId!
  const username = unit.users.get(userId)?.username ?? ''
  const sessionId = source.sessionUid ?? null
  const actor = asUser(realmId, {
    id: userId,
    username,
    sessionId,
    impersonatorId: unit.acting?.impersonatorId ?? null,
  })
  const type = source.kind === 'RefreshToken' ? 'TOKEN_REFRESHED' : 'TOKEN_ISSUED'
  unit.events.push({ actor, event: { type, outcome: 'SUCCESS', clientId, sessionId } })
}

export function noteMachineToken(
  services: Services,
  realmId: string,
  clientId: string,
  unit: Pick<Unit, 'origin'>,
): void {
  services.eventBatch.add({
    realmId,
    actor: { kind: 'CLIENT', clientId },
    origin: unit.origin,
    at: services.clock.now(),
    event: { type: 'TOKEN_ISSUED', outcome: 'SUCCESS', clientId },
  })
}

/** Somebody else used the code or refresh token first, or it was revoked in between: nothing of this request was written. */
async function answerLoser(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  unit: Unit,
  outcome: 'USED' | 'REVOKED',
): Promise<void> {
  const { rotating, consumptions } = unit
  const used = [...consumptions.values()].map((use) => use.id)
  discardWrites(unit)
  if (outcome === 'USED' && rotating) {
    const row = await readGrantSource(services.db, parts.realmId, rotating.id)
    unit.replay = row ? findReplayOf(parts, ctx, rotating.value, row, services.clock.now()) : null
    if (unit.replay) return
  }
  if (outcome === 'USED') {
    // A second use of something that may be used once: whoever has it is not only its owner (RFC 6749 4.1.2, S25).
    for (const id of used) {
      const row = await readGrantSource(services.db, parts.realmId, id)
      if (row?.grant_id) unit.removals.set(row.grant_id.toString('hex'), row.grant_id)
    }
    if (rotating) noteReuse(ctx, parts.realmId, unit)
  }
  await flushUnit(services, unit)
  await refuseLoser(services, parts, ctx, outcome)
}

function noteReuse(ctx: KoaContextWithOIDC, realmId: string, unit: Unit): void {
  const source = ctx.oidc.entities.RotatedRefreshToken ?? ctx.oidc.entities.RefreshToken
  const clientId = ctx.oidc.client!.clientId
  const userId = source?.accountId ?? ''
  const actor = asUser(realmId, { id: userId, username: unit.users.get(userId)?.username ?? '' })
  unit.events.push({ actor, event: { type: 'REFRESH_TOKEN_REUSE', outcome: 'FAILURE', clientId } })
}

function answerReplay(ctx: KoaContextWithOIDC, { replay }: Unit): void {
  const body = ctx.body as Record<string, unknown> | undefined
  if (replay && ctx.oidc.route === 'token' && ctx.status === 200 && body) body.refresh_token = replay.successor
}

/**
 * What the engine says and we do not mean. Whoever must use passwords was told so by an administrator, and nobody shall find the
 * way by discovery (RFC 9700 section 2.4); people have no code of their own to send with a CIBA request.
 */
function correctDiscovery(ctx: KoaContextWithOIDC): void {
  const body = ctx.body as { grant_types_supported: string[]; backchannel_user_code_parameter_supported: boolean }
  body.grant_types_supported = body.grant_types_supported.filter((name) => name !== passwordGrant)
  body.backchannel_user_code_parameter_supported = false
}

// As long as verifiers keep the keys; see documents.ts.
const discoverySeconds = 300

function makeCacheable(ctx: KoaContextWithOIDC): void {
  const text = JSON.stringify(ctx.body)
  ctx.set('cache-control', `public, max-age=${discoverySeconds}`)
  ctx.set('etag', `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`)
  if (ctx.fresh) ctx.status = 304
}

// The engine leaves the interval out, which means 5 seconds; programs read it where it is said (RFC 8628 section 3.2).
const waitingRoutes = new Set(['device_authorization', 'backchannel_authentication'])

const clientRoutes = new Set([
  'device_authorization',
  'token',
  'userinfo',
  'introspection',
  'revocation',
  'pushed_authorization_request',
])

/** The engine answers every origin until it knows the client; an origin that no client vouched for learns nothing (S33). */
function settleCors(ctx: KoaContextWithOIDC): void {
  const origin = ctx.get('origin')
  if (!origin || ctx.method === 'OPTIONS' || !clientRoutes.has(ctx.oidc.route)) return
  const { client } = ctx.oidc
  if (!client || !allowsOrigin(client, origin)) ctx.remove('Access-Control-Allow-Origin')
}
