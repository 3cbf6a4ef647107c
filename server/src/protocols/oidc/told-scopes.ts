import { topLevelClaim } from '../../domain/claims/index.ts'
import type { ProtocolClient } from '../../domain/clients/index.ts'
import { allowedScopes } from './client-metadata.ts'
import type { IssuerParts } from './issuer.ts'

/**
 * What people are told of: the scopes that are asked for, and those that hold the single claims beside them (OpenID Connect Core
 * 5.5). A claim has no words of its own, and nobody may get somebody's e-mail address by not calling it a scope (S34).
 */
export function toldScopes(
  parts: IssuerParts,
  client: ProtocolClient,
  { scopes, claims }: { scopes: readonly string[]; claims: readonly string[] },
): string[] {
  const wanted = new Set(claims)
  const holding = allowedScopes(client, parts).filter((name) =>
    parts.scopes.get(name)?.claims.some((mapper) => wanted.has(topLevelClaim(mapper.claim))),
  )
  return [...new Set([...scopes, ...holding])]
}
