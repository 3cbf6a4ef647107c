import type { Egress } from '../../platform/egress/index.ts'
import type { FieldError } from '../../platform/errors/index.ts'
import type { RealmScopes } from '../client-scopes/index.ts'
import {
  ClientInput,
  type GrantType,
  type GrantTypeSpelling,
  grantTypeSpellings,
  normaliseGrantTypes,
  standardGrantType,
  tokenEndpointAuthMethods,
} from '../clients/index.ts'
import { metadataFault, toFault } from './faults.ts'
import { type ClientMetadata, fieldOf } from './metadata-schema.ts'
import { frontchannelFaults, redirectFaults } from './redirect-checks.ts'

export { ClientMetadata, parseClientMetadata } from './metadata-schema.ts'

/** What an application that registers itself may have; `readRegistrationRules` reads it for a realm. */
export interface RegistrationRules {
  /** In the specification's spellings. */
  allowedGrantTypes: readonly GrantType[]
  /** Beyond the realm's default scopes, which every client may ask for (contract 2.15). */
  allowedScopes: readonly string[]
  /** Hosts, or custom schemes with their colon; empty = any. */
  allowedRedirectHosts: readonly string[]
  realmScopes: RealmScopes
  egress: Pick<Egress, 'check'>
}

type AuthMethod = (typeof tokenEndpointAuthMethods)[number]
type Fault = Pick<FieldError, 'field' | 'message'>

/**
 * What an application says of itself as a client of ours, or a RegistrationFault. Only the members of the standards have any
 * effect: mappers, roles, audiences, resources and the like are for administrators, and people are always asked (contract 2.25).
 */
export function toClientInput(metadata: ClientMetadata, clientId: string, rules: RegistrationRules): ClientInput {
  const method = authMethodOf(metadata)
  const publicClient = method === 'none'
  const grantTypes = grantTypesOf(metadata, rules, publicClient)
  const faults = [
    ...redirectFaults(metadata, publicClient, rules.allowedRedirectHosts),
    ...redirectNeed(metadata, grantTypes),
    ...frontchannelFaults(metadata),
    ...internalAddresses(metadata, rules),
    ...sectorFaults(metadata),
  ]
  const input = ClientInput.safeParse({
    clientId,
    name: metadata.client_name ?? null,
    publicClient,
    grantTypes,
    tokenEndpointAuthMethod: method,
    redirectUris: metadata.redirect_uris ?? [],
    postLogoutRedirectUris: metadata.post_logout_redirect_uris ?? [],
    // An application in a browser calls the token endpoint itself, from where people are sent back to.
    webOrigins: publicClient ? ['+'] : [],
    scopes: scopesOf(metadata, rules),
    baseUrl: metadata.client_uri ?? null,
    jwks: metadata.jwks ?? null,
    jwksUri: metadata.jwks_uri ?? null,
    tokenSigningAlg: metadata.id_token_signed_response_alg ?? 'RS256',
    // `public` leaves it to the realm: nobody may undo its choice of pairwise subjects by registering.
    subjectClaim: metadata.subject_type === 'pairwise' ? { strategy: 'PAIRWISE', attribute: null } : null,
    requirePushedAuthorizationRequests: metadata.require_pushed_authorization_requests ?? false,
    dpopBoundAccessTokens: metadata.dpop_bound_access_tokens ?? false,
    backchannelLogoutUri: metadata.backchannel_logout_uri ?? null,
    backchannelLogoutSessionRequired: metadata.backchannel_logout_session_required ?? false,
    frontchannelLogoutUri: metadata.frontchannel_logout_uri ?? null,
    defaultAcrValues: metadata.default_acr_values ?? [],
    consentRequired: true,
  })
  const judged = (input.error?.issues ?? []).map(({ path, message }) => ({ field: fieldOf(path), message }))
  if (!input.success || faults.length > 0) throw toFault([...judged, ...faults])
  return input.data
}

function authMethodOf({ token_endpoint_auth_method: wanted = 'client_secret_basic' }: ClientMetadata): AuthMethod {
  const method = tokenEndpointAuthMethods.find((known) => known === wanted)
  if (method) return method
  throw metadataFault('token_endpoint_auth_method', `Use one of ${tokenEndpointAuthMethods.join(', ')}.`)
}

/** What is not allowed is left out, and the answer says what is registered (RFC 7591 section 2). */
function grantTypesOf(metadata: ClientMetadata, rules: RegistrationRules, publicClient: boolean): GrantType[] {
  const wanted = metadata.grant_types ?? ['authorization_code', 'refresh_token']
  const known = wanted.filter((name): name is GrantTypeSpelling =>
    (grantTypeSpellings as readonly string[]).includes(name),
  )
  const granted = normaliseGrantTypes(known).filter((name) => rules.allowedGrantTypes.includes(name))
  if (granted.length === 0) {
    throw metadataFault('grant_types', `The realm allows ${rules.allowedGrantTypes.map(standardGrantType).join(', ')}.`)
  }
  if (publicClient && granted.includes('client_credentials')) {
    throw metadataFault('grant_types', 'client_credentials is for clients that authenticate, not for method none.')
  }
  const { response_types: answers } = metadata
  if (granted.includes('authorization_code') && answers && !answers.includes('code')) {
    throw metadataFault('response_types', 'The only response type is code, which belongs to authorization_code.')
  }
  return granted
}

/** Names that are not allowed, or not there, are left out; with nothing left the client has the realm's default scopes. */
function scopesOf({ scope = '' }: ClientMetadata, { allowedScopes, realmScopes }: RegistrationRules): string[] {
  const wanted = new Set(scope.split(' '))
  return allowedScopes.filter((name) => wanted.has(name) && realmScopes.get(name)?.defaultScope === false)
}

function redirectNeed({ redirect_uris = [] }: ClientMetadata, grantTypes: GrantType[]): Fault[] {
  if (!grantTypes.includes('authorization_code') || redirect_uris.length > 0) return []
  return [{ field: 'redirect_uris', message: 'authorization_code needs at least one redirect URI.' }]
}

/** Whoever shares a sector knows people by the same names, so only administrators say that hosts belong together. */
function sectorFaults({
  subject_type: type,
  sector_identifier_uri: sector,
  redirect_uris = [],
}: ClientMetadata): Fault[] {
  if (sector !== undefined) {
    const message = 'Sectors are set by administrators; register one client for each host, or ask them.'
    return [{ field: 'sector_identifier_uri', message }]
  }
  const hosts = new Set(redirect_uris.map((uri) => URL.parse(uri)?.host))
  if (type !== 'pairwise' || hosts.size < 2) return []
  // OpenID Connect Core 8.1.
  return [{ field: 'redirect_uris', message: 'With pairwise subjects all redirect URIs have the same host.' }]
}

/** The service itself calls these, so they may not lead to what only it can reach (S45). */
function internalAddresses(metadata: ClientMetadata, { egress }: RegistrationRules): Fault[] {
  return (['jwks_uri', 'backchannel_logout_uri'] as const).flatMap((field) => {
    const uri = metadata[field]
    return uri === undefined || egress.check(uri).ok
      ? []
      : [{ field, message: 'The service may not call this address.' }]
  })
}
