// What this client says of itself, in a registration (RFC 7591) and in its document (CIMD).

/** Issuers let a program on somebody's device choose its port when it asks (RFC 8252, 7.3). */
export const redirectUri = 'http://127.0.0.1/callback'

/** @returns {import('@modelcontextprotocol/client').OAuthClientMetadata} */
export function describeClient() {
  return {
    client_name: 'Notes client',
    application_type: 'native',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
