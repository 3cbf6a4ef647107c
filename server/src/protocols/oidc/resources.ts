import type { Client, KoaContextWithOIDC, ResourceServer } from 'oidc-provider'
import { type ClientFacts, clientFacts } from './client-metadata.ts'
import { errors } from './internals.ts'
import type { IssuerParts } from './issuer.ts'
import { requestedScope } from './profiles/index.ts'

/** What a token for this address says and how it is made (RFC 8707, RFC 9068). */
export function describeResource(
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  resource: string,
  client: Client,
): ResourceServer {
  const facts = clientFacts(client)!
  if (resource !== parts.issuer && !facts.allowedResources.includes(resource) && !isOpen(parts, ctx, resource, facts)) {
    throw new errors.InvalidTarget('the client may not ask for tokens for this resource')
  }
  if (ctx.oidc.params?.grant_type === 'client_credentials') applyMachineScope(ctx, client, facts.scopes)
  return describeAudience(client, resource)
}

/** What the realm lets applications ask for that came by themselves. A machine asks no person, so it gets nothing this way. */
function isOpen(
  parts: IssuerParts,
  ctx: KoaContextWithOIDC,
  resource: string,
  { selfRegistered }: ClientFacts,
): boolean {
  const asksPeople = ctx.oidc.params?.grant_type !== 'client_credentials'
  return selfRegistered && asksPeople && parts.provisioning.dcrAllowedResources.includes(resource)
}

/** How a token for an address is made: a signed JWT with the client's algorithm. */
export function describeAudience(client: Client, resource: string): ResourceServer {
  const alg = clientFacts(client)!.tokenSigningAlg as 'RS256'
  return {
    audience: resource,
    scope: client.scope ?? '',
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg } },
  } as ResourceServer
}

/** A machine that names no scope gets its own ones; a scope it does not have is refused, not dropped (contract 2.15). */
function applyMachineScope(ctx: KoaContextWithOIDC, client: Client, own: string[]): void {
  const params = ctx.oidc.params as Record<string, string | undefined>
  if (params.scope === undefined) params.scope = own.join(' ') || undefined
  else refuseUnknown(params.scope.split(' '), client)
}

/** Refuses what is not among the client's scopes, instead of dropping it. */
export function refuseUnknown(requested: string[], client: Client): void {
  const allowed = new Set((client.scope ?? '').split(' '))
  const refused = requested.find((scope) => scope !== '' && !allowed.has(scope))
  if (refused !== undefined) throw new errors.InvalidScope('requested scope is not allowed', refused)
}

/**
 * Runs after the engine's own check of an authorization request. The engine drops scopes it does not know, and `offline_access`
 * without `prompt=consent`; we refuse the former and honour the latter, whose consent our own rules ask for.
 */
export function checkRequestedScopes(ctx: KoaContextWithOIDC, client: Client): void {
  const { oidc } = ctx
  const sent = requestedScope(ctx)
  if (typeof sent !== 'string' || sent === '') return
  const requested = sent.split(' ')
  refuseUnknown(requested, client)
  const isOffline = requested.includes('offline_access') && client.grantTypeAllowed('refresh_token')
  const kept = new Set(((oidc.params?.scope as string | undefined) ?? '').split(' ').filter(Boolean))
  if (isOffline && !kept.has('offline_access')) {
    ;(oidc.params as Record<string, unknown>).scope = [...kept, 'offline_access'].join(' ')
  }
}
