import type { RealmEndpoints } from './schema.ts'

/** Where a realm's surfaces are (contract 4.20, 4.27, 2.33). */
export function describeEndpoints(baseUrl: string, realmId: string): RealmEndpoints {
  const issuer = `${baseUrl}/realms/${realmId}`
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    authorization: `${issuer}/authorize`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
    logout: `${issuer}/logout`,
    jwks: `${issuer}/.well-known/jwks.json`,
    introspection: `${issuer}/introspect`,
    revocation: `${issuer}/revoke`,
    deviceAuthorization: `${issuer}/device_authorization`,
    backchannelAuthentication: `${issuer}/bc-authorize`,
    pushedAuthorizationRequest: `${issuer}/par`,
    registration: `${issuer}/connect/register`,
    scim: `${issuer}/scim/v2`,
    samlMetadata: `${issuer}/saml/idp/metadata`,
    samlSso: `${issuer}/saml/idp/sso`,
    samlSlo: `${issuer}/saml/idp/slo`,
    account: `${issuer}/account`,
    workloadIdentityToken: `${issuer}/workload-identity/token`,
    agentDelegationToken: `${issuer}/agent/delegation/token`,
    protectedResourceMetadata: `${issuer}/.well-known/oauth-protected-resource`,
    adminApi: `${baseUrl}/admin/realms/${realmId}`,
  }
}
