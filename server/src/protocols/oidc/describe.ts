import { z } from 'zod'
import { routes } from './paths.ts'

const realm = z.object({ realm: z.string() })
const oauthError = z
  .object({ error: z.string(), error_description: z.string().optional() })
  .meta({ id: 'OAuthError', description: 'RFC 6749 section 5.2.' })
const tokenResponse = z
  .object({
    access_token: z.string(),
    token_type: z.enum(['Bearer', 'DPoP']),
    expires_in: z.int(),
    scope: z.string().optional(),
    refresh_token: z.string().optional(),
    id_token: z.string().optional(),
  })
  .meta({ id: 'TokenResponse', description: 'RFC 6749 section 5.1, OpenID Connect Core 3.1.3.3.' })
const anyDocument = z.looseObject({}).meta({ id: 'OAuthDocument', description: 'Members as the RFC names them.' })

const form = ['application/x-www-form-urlencoded']
const authentication = 'Client authentication as registered: basic, post, private_key_jwt or none.'

const authorizeParameters = z.object({
  client_id: z.string().optional(),
  redirect_uri: z.string().optional(),
  response_type: z.literal('code').optional(),
  response_mode: z
    .enum(['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'])
    .optional(),
  scope: z.string().optional(),
  state: z.string().optional(),
  nonce: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.literal('S256').optional(),
  prompt: z.string().optional(),
  max_age: z.string().optional(),
  acr_values: z.string().optional(),
  login_hint: z.string().optional(),
  ui_locales: z.string().optional(),
  claims: z.string().optional(),
  resource: z.string().optional(),
  request_uri: z.string().optional(),
  request: z.string().optional().describe('A signed request (RFC 9101), in place of all but client_id.'),
  dpop_jkt: z.string().optional().describe('The key that the code will be used with (RFC 9449 section 10).'),
})

type Schema = Record<string, unknown>

interface EngineRoute {
  path: string
  methods: string[]
  schema(method: string): Schema
  /** A part of another route's way that nobody calls by themselves. */
  hidden?: true
}

const base = (summary: string, description: string): Schema => ({
  tags: ['openid-connect'],
  summary,
  description: `${description} Permission: public.`,
  params: realm,
  security: [],
})

const failures = { 400: oauthError, 401: oauthError, 429: oauthError, 503: oauthError }

/** Every path that the engine answers, as it is described and mounted. */
export const engineRoutes: EngineRoute[] = [
  {
    path: routes.authorization,
    methods: ['GET', 'POST'],
    schema: (method) => ({
      ...base(
        method === 'GET' ? 'Ask for a sign-in' : 'Ask for a sign-in by form',
        'RFC 6749, OpenID Connect Core 3.1.2, PKCE S256 (RFC 7636), RFC 9207. A form is answered 303 to the same request as GET.',
      ),
      ...(method === 'GET' ? { querystring: authorizeParameters } : { consumes: form, body: authorizeParameters }),
      response: {
        200: z.string().describe('The page of form_post.'),
        303: z.null().describe('To the application, the sign-in or the consent page.'),
        400: z.string().describe('A page for people; the request names no application we may return to.'),
      },
    }),
  },
  { path: `${routes.authorization}/:uid`, methods: ['GET'], hidden: true, schema: () => ({}) },
  {
    path: routes.token,
    methods: ['POST', 'OPTIONS'],
    schema: () => ({
      ...base(
        'Get tokens',
        `Grants authorization_code, refresh_token, client_credentials, device_code, ciba, token-exchange and password, as the client lists them. ${authentication}`,
      ),
      consumes: form,
      body: z.object({
        grant_type: z.string(),
        code: z.string().optional(),
        redirect_uri: z.string().optional(),
        code_verifier: z.string().optional(),
        refresh_token: z.string().optional(),
        device_code: z.string().optional(),
        auth_req_id: z.string().optional(),
        scope: z.string().optional(),
        resource: z.string().optional(),
        client_id: z.string().optional(),
        client_secret: z.string().optional(),
        client_assertion: z.string().optional(),
        client_assertion_type: z.string().optional(),
      }),
      response: { 200: tokenResponse, ...failures },
    }),
  },
  {
    path: routes.userinfo,
    methods: ['GET', 'POST', 'OPTIONS'],
    schema: () => ({
      ...base('Who signed in', 'OpenID Connect Core 5.3. Needs an access token for the issuer with scope openid.'),
      security: [{ bearer: [] }],
      response: { 200: anyDocument, 400: oauthError, 401: oauthError, 403: oauthError },
    }),
  },
  {
    path: routes.end_session,
    methods: ['GET', 'POST'],
    schema: (method) => {
      const parameters = z.object({
        id_token_hint: z.string().optional(),
        client_id: z.string().optional(),
        post_logout_redirect_uri: z.string().optional(),
        state: z.string().optional(),
      })
      return {
        ...base(method === 'GET' ? 'Sign out' : 'Sign out by form', 'OpenID Connect RP-Initiated Logout 1.0.'),
        ...(method === 'GET' ? { querystring: parameters } : { consumes: form, body: parameters }),
        response:
          method === 'GET'
            ? { 200: z.string().describe('A question, or the way on.'), 400: z.string() }
            : { 303: z.null().describe('To the same request as GET.') },
      }
    },
  },
  { path: `${routes.end_session}/confirm`, methods: ['POST'], hidden: true, schema: () => ({}) },
  { path: `${routes.end_session}/success`, methods: ['GET'], hidden: true, schema: () => ({}) },
  {
    path: routes.introspection,
    methods: ['POST', 'OPTIONS'],
    schema: () => ({
      ...base('Ask about a token', `RFC 7662. ${authentication}`),
      consumes: form,
      body: z.object({ token: z.string(), token_type_hint: z.string().optional() }),
      response: { 200: z.looseObject({ active: z.boolean() }), ...failures },
    }),
  },
  {
    path: routes.revocation,
    methods: ['POST', 'OPTIONS'],
    schema: () => ({
      ...base('Revoke a token', `RFC 7009. ${authentication}`),
      consumes: form,
      body: z.object({ token: z.string(), token_type_hint: z.string().optional() }),
      response: { 200: z.null(), ...failures },
    }),
  },
  {
    path: routes.pushed_authorization_request,
    methods: ['POST', 'OPTIONS'],
    schema: () => ({
      ...base('Push an authorization request', `RFC 9126. ${authentication}`),
      consumes: form,
      body: authorizeParameters,
      response: { 201: z.object({ request_uri: z.string(), expires_in: z.int() }), ...failures },
    }),
  },
  {
    path: routes.device_authorization,
    methods: ['POST', 'OPTIONS'],
    schema: () => ({
      ...base('Begin the sign-in of a device', `RFC 8628. ${authentication}`),
      consumes: form,
      body: z.object({
        client_id: z.string().optional(),
        scope: z.string().optional(),
        resource: z.string().optional(),
        acr_values: z.string().optional(),
        max_age: z.string().optional(),
      }),
      response: {
        200: z.object({
          device_code: z.string(),
          user_code: z.string(),
          verification_uri: z.string(),
          verification_uri_complete: z.string(),
          expires_in: z.int(),
          interval: z.int(),
        }),
        ...failures,
      },
    }),
  },
  {
    path: routes.backchannel_authentication,
    methods: ['POST'],
    schema: () => ({
      ...base('Ask a person for their approval', `OpenID Connect CIBA Core 1.0, poll mode. ${authentication}`),
      consumes: form,
      body: z.object({
        scope: z.string(),
        login_hint: z.string().optional(),
        id_token_hint: z.string().optional(),
        binding_message: z.string().max(80).optional(),
        requested_expiry: z.string().optional(),
        acr_values: z.string().optional(),
        resource: z.string().optional(),
        request: z.string().optional(),
      }),
      response: {
        200: z.object({ auth_req_id: z.string(), expires_in: z.int(), interval: z.int() }),
        ...failures,
      },
    }),
  },
  ...['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'].map(
    (path): EngineRoute => ({
      path,
      methods: ['GET', 'OPTIONS'],
      schema: () => ({
        ...base('What this issuer offers', path.includes('openid') ? 'OpenID Connect Discovery 1.0.' : 'RFC 8414.'),
        response: { 200: anyDocument },
      }),
    }),
  ),
]

export const documentDescription = (summary: string, rfc: string) => ({
  ...base(summary, rfc),
  response: { 200: anyDocument, 304: z.null() },
})
