import type { AccessToken, Client, ClientCredentials, KoaContextWithOIDC } from 'oidc-provider'
import { topLevelClaim } from '../../domain/claims/index.ts'
import type { Services } from '../../domain/context/index.ts'
import { actClaim } from './acting.ts'
import { claimsOf, findUsableUser, mappersFor } from './account.ts'
import { clientFacts } from './client-metadata.ts'
import { sourceOf } from './grant-source.ts'
import { describeExchanged, exchangeOf, shapeExchanged } from './grants/exchanged-tokens.ts'
import { errors } from './internals.ts'
import type { IssuerParts } from './issuer.ts'

type AnyToken = AccessToken | ClientCredentials

/** What an access token says beyond the engine's own claims: how the person signed in, and what mappers make of them. */
export async function describeTokenClaims(
  services: Services,
  parts: IssuerParts,
  ctx: KoaContextWithOIDC | undefined,
  token: AnyToken,
): Promise<Record<string, unknown>> {
  const client = (token as unknown as { client: Client }).client
  const exchange = exchangeOf(token)
  if (exchange) return describeExchanged(services, parts, client, exchange)
  if (token.kind === 'ClientCredentials') return describeMachine(services, parts, client, token.scope)
  const { accountId, grantId, scope, sid, expiresWithSession } = token as AccessToken
  const source = sourceOf(ctx)
  const session = source?.authTime
    ? { authTime: source.authTime, acr: source.acr ?? '', amr: source.amr ?? [], sid: sid ?? '' }
    : null
  const user = await findUsableUser(services, parts.realmId, accountId)
  if (!user) throw new errors.InvalidGrant('the person may not sign in')
  const mappers = mappersFor(parts, client, (scope ?? '').split(' '))
  const claims = await claimsOf(services, parts, { user, mappers, target: 'ACCESS_TOKEN', session })
  const isOwn = [(token as { aud?: string | string[] }).aud].flat().includes(parts.issuer)
  const named = isOwn ? namedClaims(parts, source?.claims as RequestedClaims | undefined) : []
  return {
    ...claims,
    gid: grantId,
    // One grant holds both kinds; what is not offline ends with the session (S12).
    ...(expiresWithSession ? {} : { offline: true }),
    ...(named.length > 0 ? { uic: named } : {}),
    ...(sid ? { sid } : {}),
    ...actClaim(),
    ...(session ? { auth_time: session.authTime, acr: session.acr, amr: session.amr } : {}),
  }
}

interface RequestedClaims {
  userinfo?: Record<string, unknown>
}

/** What the `claims` parameter asked of userinfo: nobody stores the token, so it says so itself (OpenID Connect Core 5.5). */
function namedClaims(parts: IssuerParts, requested: RequestedClaims | undefined): string[] {
  if (!requested?.userinfo) return []
  const mappers = [...parts.scopes.values()].flatMap((scope) => scope.claims)
  const known = new Set(mappers.map((mapper) => topLevelClaim(mapper.claim)))
  return Object.keys(requested.userinfo).filter((name) => known.has(name))
}

/** A machine speaks for its service account, whose roles it has; a disabled account gets no tokens (S12). */
async function describeMachine(
  services: Services,
  parts: IssuerParts,
  client: Client,
  scope: string | undefined,
): Promise<Record<string, unknown>> {
  const { serviceAccountUserId, serviceAccount: user } = clientFacts(client)!
  if (!serviceAccountUserId) return {}
  const mappers = mappersFor(parts, client, (scope ?? '').split(' '))
  if (!user?.usable) throw new errors.InvalidGrant('the service account is disabled')
  return claimsOf(services, parts, { user, mappers, target: 'ACCESS_TOKEN', session: null })
}

interface Jwt {
  payload: { aud: string | string[]; sub?: string }
}

/** Further audiences, and the service account as the subject of a machine's token (contract 2.16, 4.40). */
export function shapeAccessToken(token: AnyToken & { client: Client }, jwt: Jwt): void {
  const facts = clientFacts(token.client)
  if (!facts) return
  const exchange = exchangeOf(token)
  if (exchange) return shapeExchanged(exchange, jwt)
  const audiences = [...new Set([jwt.payload.aud, ...facts.audiences].flat())]
  jwt.payload.aud = audiences.length === 1 ? audiences[0]! : audiences
  if (token.kind === 'ClientCredentials' && facts.serviceAccountUserId) jwt.payload.sub = facts.serviceAccountUserId
}
