import type { Provider } from 'oidc-provider'
import type { Services } from '../../domain/context/index.ts'
import { modelId, revokeToken, toTokenUser } from '../../domain/tokens/index.ts'
import { audienceOf, createVerifier, type LiveToken, mappedClaims, readLiveToken } from './access-tokens.ts'
import { type FoundTokens, engineContext } from './internals.ts'
import type { IssuerParts } from './issuer.ts'
import { withEnd } from './payloads.ts'
import { currentUnit, type Payload } from './unit.ts'

export type FindLive = (token: string) => Promise<LiveToken | null>

/** Looks an access token up once for a request, under however many kinds the engine asks for it. */
export function createLiveLookup(services: Services, parts: IssuerParts): FindLive {
  const verify = createVerifier(services, parts)

  async function readLive(token: string): Promise<LiveToken | null> {
    const claims = await verify(token)
    return claims ? readLiveToken(services, parts.realmId, claims) : null
  }

  return (token) => {
    const unit = currentUnit()
    if (!unit) return readLive(token)
    unit.liveToken ??= readLive(token)
    return unit.liveToken
  }
}

/** How the engine finds access tokens again that nobody stored. */
export function createFoundTokens(
  services: Services,
  parts: IssuerParts,
  provider: Provider,
  findLive: FindLive,
): FoundTokens {
  return {
    async findAccessToken(token) {
      const live = await findLive(token)
      if (!live?.claims.gid || !live.userId) return undefined
      const { claims, userId, state } = live
      const audience = audienceOf(claims)
      // At the issuer's own endpoints only tokens meant for the issuer count; introspection tells others about theirs.
      const isIntrospection = engineContext()?.oidc.route !== 'userinfo'
      if (!isIntrospection && !audience.includes(parts.issuer)) return undefined
      rememberGrant(live)
      rememberActing(live)
      const user = toTokenUser(state)
      if (user) currentUnit()?.users.set(userId, user)
      return new provider.AccessToken({
        jti: claims.jti,
        iat: claims.iat,
        exp: claims.exp,
        accountId: userId,
        clientId: claims.client_id,
        grantId: claims.gid,
        scope: claims.scope,
        sid: claims.sid,
        jkt: claims.cnf?.jkt,
        extra: mappedClaims(claims),
        ...(claims.uic ? { claims: { userinfo: Object.fromEntries(claims.uic.map((name) => [name, null])) } } : {}),
        // The engine serves no token with an audience at userinfo; ours was checked above.
        ...(isIntrospection ? { aud: claims.aud } : {}),
      } as never)
    },
    async findClientToken(token) {
      const live = await findLive(token)
      if (!live || live.claims.gid) return undefined
      const { claims } = live
      return new provider.ClientCredentials({
        jti: claims.jti,
        iat: claims.iat,
        exp: claims.exp,
        clientId: claims.client_id,
        scope: claims.scope,
        jkt: claims.cnf?.jkt,
        aud: claims.aud,
        extra: { ...mappedClaims(claims), sub: claims.sub },
      } as never)
    },
    revoke: (jti, expSeconds) => revokeToken(services, parts.realmId, jti, expSeconds * 1000),
  }
}

/** Userinfo tells who acts as the person, as the tokens do. */
function rememberActing({ state }: LiveToken): void {
  const unit = currentUnit()
  if (!unit || state.impersonator_id === null) return
  unit.acting = { impersonatorId: state.impersonator_id, secondsLeft: 0, shown: null }
}

function rememberGrant({ claims, state }: LiveToken): void {
  const id = modelId('Grant', claims.gid!).toString('hex')
  // An exchanged token counts under the grant of the client it came from; the engine asks for the grant of the token's own.
  const payload = { ...(state.grant_payload as Payload), clientId: claims.client_id }
  currentUnit()?.grants.set(id, withEnd(payload, state.grant_expires_at!))
}
