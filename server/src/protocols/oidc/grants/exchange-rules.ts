import type { AccessClaims } from '../access-tokens.ts'
import { audienceOf, holderMark } from '../access-tokens.ts'
import { errors } from '../internals.ts'

/** Who acts for somebody; `act` is who acted before (RFC 8693 section 4.1). */
export interface Act {
  sub: string
  client_id?: string
  act?: Act
}

/** Claims of a token that an exchange looks at beside those of every token. */
export interface ExchangeClaims extends AccessClaims {
  act?: Act
  may_act?: unknown
}

/** The client that asks, as the rules see it. */
export interface Asker {
  clientId: string
  /** What its own tokens have as `sub`. */
  subject: string
  scopes: readonly string[]
  allowedResources: readonly string[]
}

/**
 * Whether a client may use a token at all: it was issued to it, or it names the client as its audience. An address that the client
 * may ask tokens for does not count: that the client may call an API does not make it that API (S28).
 */
export function mayUse({ clientId }: Asker, claims: AccessClaims): boolean {
  return claims.client_id === clientId || audienceOf(claims).includes(clientId)
}

/**
 * Whom the new token is for: the client itself, an address its configuration allows, or the issuer where the subject's token was
 * for it. Without a wish it is what of the subject's audience is allowed, and else the client itself.
 */
export function chooseAudience(asker: Asker, issuer: string, claims: AccessClaims, targets: string[]): string[] {
  const before = audienceOf(claims)
  const isAllowed = (target: string) =>
    target === asker.clientId ||
    asker.allowedResources.includes(target) ||
    (target === issuer && before.includes(issuer))
  if (!targets.every(isAllowed))
    throw new errors.InvalidTarget('the client may not ask for tokens for this resource or audience')
  if (targets.length > 0) return targets
  const kept = before.filter(isAllowed)
  return kept.length > 0 ? kept : [asker.clientId]
}

/** Requested, and the subject's, and the client's; an exchange never brings offline access. */
export function chooseScopes(asker: Asker, claims: AccessClaims, asked: string[] | null): string[] {
  const held = (claims.scope ?? '').split(' ').filter(Boolean)
  const wanted = asked ?? held
  return [...new Set(wanted)].filter(
    (scope) => held.includes(scope) && asker.scopes.includes(scope) && scope !== 'offline_access',
  )
}

// A chain that anybody still reads; every entry travels in every request.
const maxActors = 5

/** The chain of who acts: the new actor in front of those before; without one it stays as it is. */
export function chainActors(claims: ExchangeClaims, actor: AccessClaims | null): Act | undefined {
  if (!actor) return claims.act
  const before = claims.act ? { act: claims.act } : {}
  const act: Act = { sub: actor.sub ?? '', client_id: actor.client_id, ...before }
  if (depthOf(act) > maxActors) throw new errors.InvalidRequest(`at most ${maxActors} actors may stand in a row`)
  return act
}

function depthOf({ act }: Act): number {
  return act ? 1 + depthOf(act) : 1
}

/** Members by which `may_act` can name somebody we can tell apart; with any other we cannot say that it is them. */
const namingMembers: ReadonlySet<string> = new Set(['sub', 'client_id', 'iss'])

/**
 * RFC 8693 section 4.4: a token that says who may act on it is for nobody else. Without an actor token the client itself is the
 * actor.
 */
export function checkMayAct(asker: Asker, issuer: string, claims: ExchangeClaims, actor: AccessClaims | null): void {
  if (claims.may_act === undefined) return
  const named = (typeof claims.may_act === 'object' ? claims.may_act : null) as Record<string, unknown> | null
  const known: Record<string, unknown> = {
    sub: actor ? actor.sub : asker.subject,
    client_id: actor ? actor.client_id : asker.clientId,
    iss: issuer,
  }
  const members = Object.keys(named ?? {})
  const names = members.includes('sub') || members.includes('client_id')
  const matches = members.every((member) => namingMembers.has(member) && named![member] === known[member])
  if (!names || !matches) throw new errors.AccessDenied('the subject token may be acted on by somebody else only')
}

/** What an exchanged token came from, so that it ends with it: names of revocations, and the client it was first issued to. */
export interface Ancestry {
  from: string[]
  origin?: string
}

// Each exchange adds two names, and one with an actor; nobody needs more in a row, and the token must stay small.
const maxNames = 20
const tokenMark = 'jti:'

/** Whoever acts holds nothing of the person’s, so of an actor only the tokens count. */
export function ancestryOf(asker: Asker, claims: AccessClaims, actor: AccessClaims | null): Ancestry {
  const { from = [], origin = claims.client_id } = claims.xch ?? {}
  const acting = actor ? [...(actor.xch?.from ?? []), tokenMark + actor.jti] : []
  const own = [tokenMark + claims.jti, holderMark + claims.client_id]
  const names = [...new Set([...from, ...own, ...acting.filter((name) => name.startsWith(tokenMark))])]
  if (names.length > maxNames) throw new errors.InvalidRequest('the subject token was exchanged too often')
  return { from: names, ...(origin === asker.clientId ? {} : { origin }) }
}
