import type { OauthErrorKind } from './kind.ts'

/** Codes about the request as such: they are answered at most endpoints. */
export const requestCodes = {
  invalid_request: {
    status: 400,
    title: 'The request is not complete or not well-formed',
    standard: 'RFC 6749, 4.1.2.1 and 5.2',
    places: [
      ...(['authorize', 'par', 'token', 'device_authorization', 'bc-authorize', 'introspect', 'revoke'] as const),
      ...(['logout', 'userinfo', 'connect/register'] as const),
    ],
    explanation: 'A parameter is missing, is there twice, or has a value that cannot be; often PKCE is missing.',
    remedy: 'Read `error_description`: it names the parameter.',
    causes: [
      {
        cause:
          'PKCE is missing: every client needs `code_challenge` and `code_challenge_method=S256` unless its `requirePkce` is off.',
        remedy: 'Switch PKCE on in the library. Only a confidential client may have `requirePkce` switched off.',
      },
      {
        cause: 'The client has `requirePushedAuthorizationRequests`, and the parameters came to /authorize directly.',
        remedy: 'Push them to /par first.',
      },
      {
        cause: 'The body is not `application/x-www-form-urlencoded`.',
        remedy: 'Send a form, not JSON, to every endpoint but /connect/register.',
      },
    ],
  },
  invalid_client: {
    status: 401,
    title: 'The application is not known, or did not prove who it is',
    standard: 'RFC 6749, 5.2',
    places: [
      ...(['authorize', 'par', 'token', 'device_authorization', 'bc-authorize', 'introspect', 'revoke'] as const),
      'logout',
    ],
    explanation: 'There is no enabled client of this `client_id` in this realm, or its credentials are wrong.',
    remedy: 'Compare `client_id`, the realm in the address, `tokenEndpointAuthMethod` and the secret with the client.',
    causes: [
      {
        cause: 'The realm in the address is another one, or the client is not `enabled`.',
        remedy: 'Look at `GET /clients/{clientId}` of the realm that the issuer names.',
      },
      {
        cause: 'The secret is wrong, was regenerated, or has ended (`secretExpiresAt`).',
        remedy: 'Read it at `/clients/{clientId}/secret`, or regenerate it with a `graceSeconds`.',
      },
      {
        cause:
          'The secret is sent in another way than the client’s `tokenEndpointAuthMethod` says (header, body, assertion, none).',
        remedy: 'Change the library or `tokenEndpointAuthMethod`; with the header, encode both halves as in a form.',
      },
      {
        cause:
          'private_key_jwt: `iss` and `sub` are not the `client_id`, `aud` is not the issuer, `jti` was used before, it lives longer than 300 seconds, or the key is not in `jwks` or `jwksUri`.',
        remedy: 'Run `gatehouse token inspect` on the assertion.',
      },
      {
        cause: 'A public client (`publicClient`) sends a secret, or a confidential one sends none.',
        remedy: 'Make the client what the application is: who can be read by its users is public.',
      },
    ],
  },
  invalid_redirect_uri: {
    status: 400,
    title: 'The address to return to is not registered',
    standard: 'RFC 6749, 3.1.2.4; RFC 7591, 3.2.2',
    places: ['authorize', 'par', 'connect/register'],
    explanation: 'The `redirect_uri` is not, letter by letter, one of the client’s `redirectUris`.',
    remedy: 'Register the address exactly as it is sent.',
    causes: [
      {
        cause:
          '`http` for `https`, another port, a slash at the end, another case of letters, or `localhost` for `127.0.0.1`.',
        remedy: 'Copy the address from the error page into the client’s `redirectUris`.',
      },
      {
        cause:
          'At /connect/register: the address has a fragment or a wildcard, or is `http` on a host that is not the machine itself.',
        remedy: 'Register full https addresses; `http` only for `127.0.0.1`, `[::1]` and `localhost`.',
      },
    ],
  },
  invalid_scope: {
    status: 400,
    title: 'The application asks for a scope it may not have',
    standard: 'RFC 6749, 4.1.2.1 and 5.2',
    places: ['authorize', 'par', 'token', 'device_authorization', 'bc-authorize'],
    explanation: 'A scope is not known in this realm, or the client may not ask for it.',
    remedy: 'Add the scope to the client’s `scopes`, or do not ask for it.',
    causes: [
      {
        cause: 'Only `openid profile email roles` are open to every client; others must be in its `scopes`.',
        remedy: 'Add it: `PATCH /clients/{clientId}` with `scopes`.',
      },
      {
        cause: 'The client came by itself, and the scope is not in `dcrAllowedScopes` of the realm’s /provisioning.',
        remedy: 'Add it there; often it is `offline_access`.',
      },
      { cause: 'The realm has no client scope of this name.', remedy: 'Create it: `POST /client-scopes`.' },
      {
        cause: 'A refresh or a token exchange asks for more than was granted before.',
        remedy: 'Ask for the same or less; for more, go through /authorize again.',
      },
    ],
  },
  invalid_target: {
    status: 400,
    title: 'No tokens for this resource',
    standard: 'RFC 8707, 2',
    places: ['authorize', 'par', 'token', 'device_authorization', 'bc-authorize'],
    explanation: 'The client may not have tokens for the address in `resource` or `audience`.',
    remedy: 'Name it among the client’s allowed resources: `PUT /clients/{clientId}/allowed-resources`.',
    causes: [
      {
        cause: 'The address is not, letter by letter, one of the client’s `allowedResources`.',
        remedy: 'Compare the slash at the end and the scheme.',
      },
      {
        cause:
          'The client came by itself, and the address is not in `dcrAllowedResources` of the realm’s /provisioning.',
        remedy: 'Add the address there, exactly as the protected resource names itself.',
      },
      {
        cause: 'At /token: `resource` was not asked for at /authorize, or several were sent at once.',
        remedy: 'Name every resource at /authorize, and one of them in each token request.',
      },
      { cause: 'It is not an absolute address, or has a fragment.', remedy: 'Send an absolute https address.' },
    ],
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Busy, or a part is away',
    standard: 'RFC 6749, 4.1.2.1',
    places: [
      'authorize',
      'par',
      'token',
      'device_authorization',
      'bc-authorize',
      'introspect',
      'revoke',
      'userinfo',
      'connect/register',
    ],
    explanation: 'The service, or the share of it that one client may use, is busy, or its database cannot be reached.',
    remedy: 'Wait as many seconds as `Retry-After` says, then send the same request again.',
    causes: [
      {
        cause: 'The client sends many requests with wrong credentials or asks for a token for every call.',
        remedy: 'Keep a token until shortly before it ends.',
      },
      { cause: 'The operator restarts or moves the database.', remedy: 'Try again with growing pauses.' },
    ],
  },
  server_error: {
    status: 500,
    title: 'Something went wrong on our side',
    standard: 'RFC 6749, 4.1.2.1',
    places: [
      'authorize',
      'par',
      'token',
      'device_authorization',
      'bc-authorize',
      'introspect',
      'revoke',
      'userinfo',
      'connect/register',
    ],
    explanation: 'The request could not be completed; nothing was issued.',
    remedy: 'Try again; if it stays, give the operator the time and the trace id of the answer.',
    causes: [{ cause: 'A fault of this service.', remedy: 'The trace id finds it in the operator’s log.' }],
  },
} satisfies Record<string, OauthErrorKind>
