import type { RealmScopes } from '../client-scopes/index.ts'
import { type Client, standardGrantType } from '../clients/index.ts'
import type { ClientMetadata } from './metadata-schema.ts'
import { applicationType } from './redirect-checks.ts'

/** What is kept of the metadata beside the client, because nothing here acts on it. */
export type SelfDescription = Pick<
  ClientMetadata,
  'contacts' | 'logo_uri' | 'tos_uri' | 'policy_uri' | 'software_id' | 'software_version' | 'application_type'
>

export function selfDescriptionOf(metadata: ClientMetadata): SelfDescription {
  const { contacts, logo_uri, tos_uri, policy_uri, software_id, software_version } = metadata
  const application_type = applicationType(metadata)
  return { application_type, contacts, logo_uri, tos_uri, policy_uri, software_id, software_version }
}

/** What is registered, in the names of the standards: which is not always what was asked for (RFC 7591 section 3.2.1). */
export function toMetadata(client: Client, said: SelfDescription, realmScopes: RealmScopes): ClientMetadata {
  const grantTypes = client.grantTypes.map(standardGrantType)
  return withoutUnset({
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: grantTypes,
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    scope: scopesOf(client, realmScopes).join(' '),
    client_uri: client.baseUrl,
    jwks: client.jwks,
    jwks_uri: client.jwksUri,
    ...(client.postLogoutRedirectUris.length > 0 ? { post_logout_redirect_uris: client.postLogoutRedirectUris } : {}),
    backchannel_logout_uri: client.backchannelLogoutUri,
    ...(client.backchannelLogoutUri
      ? { backchannel_logout_session_required: client.backchannelLogoutSessionRequired }
      : {}),
    frontchannel_logout_uri: client.frontchannelLogoutUri,
    id_token_signed_response_alg: client.tokenSigningAlg,
    require_pushed_authorization_requests: client.requirePushedAuthorizationRequests,
    dpop_bound_access_tokens: client.dpopBoundAccessTokens,
    ...(client.defaultAcrValues.length > 0 ? { default_acr_values: client.defaultAcrValues } : {}),
    // Without one of its own the realm decides, today and tomorrow.
    ...(client.subjectClaim?.strategy === 'PAIRWISE' ? { subject_type: 'pairwise' } : {}),
    ...said,
  })
}

/** The realm's default scopes and the client's own (contract 2.15); what anybody may ask for besides is not registered. */
function scopesOf(client: Client, realmScopes: RealmScopes): string[] {
  const defaults = [...realmScopes.values()].filter(({ defaultScope }) => defaultScope).map(({ name }) => name)
  return [...new Set([...defaults, ...client.scopes.filter((name) => realmScopes.has(name))])]
}

function withoutUnset(members: Record<string, unknown>): ClientMetadata {
  const set = Object.entries(members).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(set) as ClientMetadata
}
