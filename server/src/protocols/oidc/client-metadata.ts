import type { AdapterPayload, Client } from 'oidc-provider'
import { type ProtocolClient, standardGrantType } from '../../domain/clients/index.ts'
import { type ClaimMapper, type SubjectChoice, toClaimMapper } from '../../domain/claims/index.ts'
import { type TokenUser, toTokenUser } from '../../domain/tokens/index.ts'
import type { IssuerParts } from './issuer.ts'

/** What we know of a client beyond the metadata of the standards; travels with the engine's client as one member. */
export interface ClientFacts {
  id: string
  publicClient: boolean
  consentRequired: boolean
  requirePkce: boolean
  /** Held to FAPI 2.0. */
  fapi: boolean
  /** Gets no access token that is not bound to a key. */
  boundTokens: boolean
  webOrigins: string[]
  scopes: string[]
  allowedResources: string[]
  /** Came by itself (DCR, CIMD): nobody looked at it. */
  selfRegistered: boolean
  audiences: string[]
  tokenSigningAlg: string
  accessTokenLifetimeSeconds: number | null
  idTokenLifetimeSeconds: number | null
  refreshTokenLifetimeSeconds: number | null
  refreshTokenIdleSeconds: number | null
  refreshTokenGraceSeconds: number | null
  subject: Omit<SubjectChoice, 'pairwiseSalt'> | null
  sector: string
  mappers: ClaimMapper[]
  serviceAccountUserId: string | null
  serviceAccount: TokenUser | null
  /** Still accepted until its end, while programs learn the new one. */
  previousSecret: { secret: string; expiresAt: number } | null
  baseUrl: string | null
  frontchannelLogoutUri: string | null
}

export const factsMember = 'gatehouse'

export function clientFacts(client: Client | undefined): ClientFacts | null {
  return ((client as unknown as Record<string, unknown> | undefined)?.[factsMember] as ClientFacts | undefined) ?? null
}

/** In the specification's spellings; behind each of them is somebody who said yes. */
const grantsOfPeople = new Set(['authorization_code', 'refresh_token', 'device', 'CIBA'])

/** Our client in the terms of RFC 7591, as the engine wants it. */
export function toClientMetadata(client: ProtocolClient, parts: IssuerParts): AdapterPayload {
  const { settings } = client
  const grantTypes = client.grantTypes.map(standardGrantType)
  const usesCode = grantTypes.includes('authorization_code') && client.redirectUris.length > 0
  const method = client.publicClient ? 'none' : settings.tokenEndpointAuthMethod
  const isNative = client.redirectUris.some((uri) => !/^https?:/i.test(uri))
  return {
    client_id: client.clientId,
    client_name: client.name ?? client.clientId,
    application_type: isNative ? 'native' : 'web',
    token_endpoint_auth_method: method,
    ...keysOf(settings),
    ...(client.secret === null || method === 'none' ? {} : { client_secret: client.secret }),
    ...(settings.secretExpiresAt === null
      ? {}
      : { client_secret_expires_at: Math.floor(settings.secretExpiresAt / 1000) }),
    grant_types: grantTypes.filter((type) => parts.grantTypes.has(type) && (type !== 'authorization_code' || usesCode)),
    response_types: usesCode ? ['code'] : [],
    ...(client.grantTypes.includes('CIBA') ? { backchannel_token_delivery_mode: 'poll' } : {}),
    redirect_uris: usesCode ? client.redirectUris : [],
    post_logout_redirect_uris: settings.postLogoutRedirectUris,
    scope: allowedScopes(client, parts).join(' '),
    id_token_signed_response_alg: settings.tokenSigningAlg,
    authorization_signed_response_alg: settings.tokenSigningAlg,
    require_pushed_authorization_requests: settings.requirePushedAuthorizationRequests,
    dpop_bound_access_tokens: settings.dpopBoundAccessTokens,
    ...(settings.defaultAcrValues.length > 0 ? { default_acr_values: settings.defaultAcrValues } : {}),
    ...(settings.backchannelLogoutUri
      ? // The session is always named: a client that wants to may look at the person alone.
        { backchannel_logout_uri: settings.backchannelLogoutUri, backchannel_logout_session_required: true }
      : {}),
    [factsMember]: factsOf(client),
  }
}

/** Whoever has keys may sign requests with them, however it proves who it is (RFC 9101). */
function keysOf({ jwksUri, jwks, tokenEndpointAuthMethod }: ProtocolClient['settings']) {
  if (jwksUri) return { jwks_uri: jwksUri }
  return jwks || tokenEndpointAuthMethod === 'private_key_jwt' ? { jwks: jwks ?? { keys: [] } } : {}
}

/** The realm's default scopes and the client's own (contract 2.15). Never empty: to the engine that would mean any. */
export function allowedScopes(client: ProtocolClient, parts: IssuerParts): string[] {
  const defaults = [...parts.scopes.values()].filter((scope) => scope.defaultScope).map((scope) => scope.name)
  const own = [...client.scopes, ...openScopes(client, parts)].filter((name) => parts.scopes.has(name))
  return [...new Set(['openid', ...defaults, ...own])]
}

/**
 * What anybody may register for, whoever did may ask people for, also when its registration named less: applications step up to
 * scopes that they hear of later, or name none at all. Only for those that get nothing without a person who is asked.
 */
function openScopes(client: ProtocolClient, { provisioning }: IssuerParts): readonly string[] {
  const isOpen = client.createdBy === 'CIMD' || (client.createdBy === 'DCR' && provisioning.dcrAnonymousAllowed)
  const asksPeople = client.grantTypes.every((type) => grantsOfPeople.has(type))
  return isOpen && asksPeople ? provisioning.dcrAllowedScopes : []
}

function isSelfRegistered({ createdBy }: ProtocolClient): boolean {
  return createdBy === 'CIMD' || createdBy === 'DCR'
}

function factsOf(client: ProtocolClient): ClientFacts {
  const { settings, previousSecret } = client
  return {
    id: client.id,
    publicClient: client.publicClient,
    consentRequired: settings.consentRequired,
    // A public client has nothing but PKCE to prove that it is the one that asked (S24).
    requirePkce: settings.requirePkce || client.publicClient,
    fapi: settings.securityProfile === 'FAPI2',
    boundTokens: settings.dpopBoundAccessTokens,
    webOrigins: expandOrigins(client),
    scopes: client.scopes,
    allowedResources: client.allowedResources,
    selfRegistered: isSelfRegistered(client),
    audiences: [...settings.audiences, ...(settings.includeClientIdInAudience ? [client.clientId] : [])],
    tokenSigningAlg: settings.tokenSigningAlg,
    accessTokenLifetimeSeconds: settings.accessTokenLifetimeSeconds,
    idTokenLifetimeSeconds: settings.idTokenLifetimeSeconds,
    refreshTokenLifetimeSeconds: settings.refreshTokenLifetimeSeconds,
    refreshTokenIdleSeconds: settings.refreshTokenIdleSeconds,
    refreshTokenGraceSeconds: settings.refreshTokenGraceSeconds,
    subject: settings.subjectClaim as ClientFacts['subject'],
    sector: sectorOf(client),
    mappers: client.mappers.map(toClaimMapper).filter((mapper) => mapper !== null),
    serviceAccountUserId: client.serviceAccountUserId,
    serviceAccount: toTokenUser(client.serviceAccount),
    previousSecret,
    baseUrl: settings.baseUrl,
    frontchannelLogoutUri: settings.frontchannelLogoutUri,
  }
}

/** `+` stands for the origins of all redirect URIs (contract 2.14). */
function expandOrigins({ webOrigins, redirectUris }: ProtocolClient): string[] {
  if (!webOrigins.includes('+')) return webOrigins
  const own = redirectUris.filter((uri) => /^https?:/i.test(uri)).map((uri) => new URL(uri).origin)
  return [...new Set([...webOrigins.filter((origin) => origin !== '+'), ...own])]
}

/** Clients of one sector see the same pairwise subject (OpenID Connect Core 8.1). */
function sectorOf(client: ProtocolClient): string {
  const { settings, redirectUris, clientId } = client
  if (settings.sectorIdentifierUri) return new URL(settings.sectorIdentifierUri).host
  const hosts = new Set(redirectUris.filter((uri) => /^https?:/i.test(uri)).map((uri) => new URL(uri).host))
  return hosts.size === 1 && provesHost(client) ? [...hosts][0]! : clientId
}

/**
 * A client that nobody looked at may name the host of another. It proves the host by receiving codes there, which it does not
 * where tokens reach it without one, and which any program does on loopback.
 */
function provesHost(client: ProtocolClient): boolean {
  const { grantTypes, redirectUris } = client
  const isByCode = grantTypes.every((type) => type === 'authorization_code' || type === 'refresh_token')
  return !isSelfRegistered(client) || (isByCode && redirectUris.every((uri) => uri.startsWith('https:')))
}
