import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { type Actor, asUser, type Services } from '../../../domain/context/index.ts'
import { toTokenUser } from '../../../domain/tokens/index.ts'
import type { LiveToken } from '../access-tokens.ts'
import { claimsOf, mappersFor } from '../account.ts'
import { errors } from '../internals.ts'
import type { IssuerParts } from '../issuer.ts'
import type { Unit } from '../unit.ts'
import type { Act, Ancestry, ExchangeClaims } from './exchange-rules.ts'

/** What was decided about a token that is made from another. */
export interface Exchange {
  subject: LiveToken
  audience: string[]
  scopes: string[]
  act: Act | undefined
  ancestry: Ancestry
}

// What the engine's token model has no member for.
const exchanges = new WeakMap<object, Exchange>()
const subjects = new WeakMap<object, LiveToken>()

export function rememberExchange(token: object, exchange: Exchange): void {
  exchanges.set(token, exchange)
}

export function exchangeOf(token: object | undefined): Exchange | undefined {
  return token ? exchanges.get(token) : undefined
}

/** Whom an exchange is about, also when it is refused after all. */
export function rememberSubject(ctx: KoaContextWithOIDC, subject: LiveToken): void {
  subjects.set(ctx, subject)
}

/** The claims of the new token: how the person signed in stays what it was, the rest is made for its new client. */
export async function describeExchanged(
  services: Services,
  parts: IssuerParts,
  client: Client,
  { subject, scopes, act, ancestry }: Exchange,
): Promise<Record<string, unknown>> {
  const { gid, offline, sid, auth_time, acr, amr, may_act } = subject.claims as ExchangeClaims & Proofs
  const session = auth_time ? { authTime: auth_time, acr: acr ?? '', amr: amr ?? [], sid: sid ?? '' } : null
  const user = toTokenUser(subject.state)
  const mappers = mappersFor(parts, client, scopes)
  const claims = user ? await claimsOf(services, parts, { user, mappers, target: 'ACCESS_TOKEN', session }) : {}
  // Who may act was said by whoever issued the first token; the new client’s mappers do not change that.
  const { may_act: _own, ...mapped } = claims
  const kept = { gid, offline, sid, auth_time, acr, amr, act, may_act, xch: ancestry }
  return { ...mapped, ...Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) }
}

interface Proofs {
  auth_time?: number
  acr?: string
  amr?: string[]
}

interface Jwt {
  payload: { aud: string | string[]; sub?: string }
}

/** Nothing is added to the audience that was decided, and a machine's token stays the machine's. */
export function shapeExchanged({ subject, audience }: Exchange, { payload }: Jwt): void {
  payload.aud = audience.length === 1 ? audience[0]! : audience
  if (subject.claims.gid) return
  if (!subject.claims.sub) throw new errors.InvalidGrant('the subject token names nobody')
  payload.sub = subject.claims.sub
}

/** True when the answer is an exchanged token; then its event is in the request's statement (contract 6.5). */
export function noteExchange(parts: IssuerParts, ctx: KoaContextWithOIDC, unit: Unit): boolean {
  const { entities, client } = ctx.oidc
  const exchange = exchangeOf(entities.AccessToken ?? entities.ClientCredentials)
  if (!exchange) return false
  if (!parts.settings.auditTokenEvents) return true
  const { subject, audience, act } = exchange
  const detail = [
    `a token of ${subject.claims.client_id} for ${audience.join(', ')}`,
    ...(act ? [`${act.sub} acts`] : []),
  ].join('; ')
  const event = { type: 'TOKEN_EXCHANGE' as const, outcome: 'SUCCESS' as const, clientId: client!.clientId, detail }
  unit.events.push({ actor: actorOf(parts.realmId, subject), event })
  return true
}

/** The person or machine of a refused exchange; undefined while nobody was found. */
export function exchangingActor(realmId: string, ctx: KoaContextWithOIDC): Actor | undefined {
  const subject = subjects.get(ctx)
  return subject ? actorOf(realmId, subject) : undefined
}

function actorOf(realmId: string, { claims, state }: LiveToken): Actor {
  if (!claims.gid) return { kind: 'CLIENT', clientId: claims.xch?.origin ?? claims.client_id }
  const impersonatorId = state.impersonator_id
  return asUser(realmId, { id: state.user_id ?? '', username: state.username ?? '', impersonatorId })
}
