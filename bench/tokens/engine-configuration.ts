import { redirectUri, requestedScope } from './contender.ts'

export const machineClient = (secret: string) => ({
  client_id: 'machine',
  client_secret: secret,
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope: requestedScope,
})

export const webClient = (secret: string) => ({
  client_id: 'web',
  client_secret: secret,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [redirectUri],
  scope: requestedScope,
})

const person = {
  name: 'Ada Abbott',
  family_name: 'Abbott',
  given_name: 'Ada',
  preferred_username: 'ada.abbott',
  updated_at: 1_700_000_000,
  email: 'ada.abbott@example.org',
  email_verified: true,
}

/** The features ours has switched on, with the same kind of tokens. */
export function configureEngine(issuer: string, key: object) {
  const enabled = { enabled: true }
  return {
    jwks: { keys: [key] },
    routes: { token: '/token', userinfo: '/userinfo', introspection: '/introspect', jwks: '/.well-known/jwks.json' },
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'family_name', 'given_name', 'preferred_username', 'updated_at'],
      email: ['email', 'email_verified'],
    },
    responseTypes: ['code'],
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    cookies: { keys: ['bench'] },
    findAccount: async (_ctx: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ ...person, sub }) }),
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    // As long as ours, except codes, which are made ahead.
    ttl: { AccessToken: 300, ClientCredentials: 300, IdToken: 300, AuthorizationCode: 600, RefreshToken: 86_400 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: enabled,
      introspection: { enabled: true, allowedPolicy: async () => true },
      revocation: { enabled: true, allowedPolicy: async () => true },
      pushedAuthorizationRequests: enabled,
      rpInitiatedLogout: enabled,
      backchannelLogout: enabled,
      userinfo: enabled,
      claimsParameter: enabled,
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => issuer,
        useGrantedResource: async () => true,
        getResourceServerInfo: async () => ({
          audience: issuer,
          scope: requestedScope,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  }
}
