import type {
  AuthorizationCode,
  BackchannelAuthenticationRequest,
  DeviceCode,
  KoaContextWithOIDC,
  RefreshToken,
} from 'oidc-provider'

type GrantSource = AuthorizationCode | DeviceCode | BackchannelAuthenticationRequest | RefreshToken

/** What the tokens of this request are made from; the refresh token comes last, because the others may bring a new one along. */
export function sourceOf(ctx: KoaContextWithOIDC | undefined): GrantSource | undefined {
  const entities = ctx?.oidc.entities
  return (
    entities?.AuthorizationCode ??
    entities?.DeviceCode ??
    entities?.BackchannelAuthenticationRequest ??
    entities?.RefreshToken
  )
}
