import { z } from 'zod'
import { ClientMetadata } from '../../domain/registration/index.ts'

const realm = { realm: z.string() }
const managed = z.object({ ...realm, clientInternalId: z.string().describe('The client’s id, from its registration.') })

const oauthError = z.object({ error: z.string(), error_description: z.string().optional() })
const failures = {
  401: oauthError.describe('invalid_token: no token, or one that is of no use here.'),
  403: oauthError.describe('access_denied: the realm does not let applications register, or no more of them.'),
  429: oauthError.describe('Too many registrations without a token, or that failed, from this address.'),
}
const unusable = { 400: oauthError.describe('invalid_redirect_uri or invalid_client_metadata.') }

const RegisteredClient = ClientMetadata.extend({
  client_id: z.string(),
  client_id_issued_at: z.int(),
  client_secret: z.string().optional(),
  client_secret_expires_at: z.int().optional().describe('0 = never.'),
  registration_access_token: z.string(),
  registration_client_uri: z.string(),
}).meta({ id: 'RegisteredClient', description: 'RFC 7591 section 3.2.1, RFC 7592 section 3.' })

const token = 'Permission: the registration access token of this client.'
const base = { tags: ['openid-connect'], security: [{ bearer: [] }] }

export const registerDescription = {
  ...base,
  summary: 'Register a client',
  description:
    'RFC 7591. The answer says what is registered, which may be less than what was asked for. ' +
    'Permission: an initial access token, or none where the realm allows that.',
  params: z.object(realm),
  body: ClientMetadata,
  response: { 201: RegisteredClient, ...unusable, ...failures },
}

export const readDescription = {
  ...base,
  summary: 'Read a registered client',
  description: `RFC 7592. ${token}`,
  params: managed,
  response: { 200: RegisteredClient, ...failures },
}

export const replaceDescription = {
  ...base,
  summary: 'Replace a registered client',
  description: `RFC 7592. The full desired state with client_id; the answer has a new token, the old one dies. ${token}`,
  params: managed,
  body: ClientMetadata.extend({ client_id: z.string() }).meta({ id: 'ClientMetadataReplacement' }),
  response: { 200: RegisteredClient, ...unusable, ...failures },
}

export const deleteDescription = {
  ...base,
  summary: 'Delete a registered client',
  description: `RFC 7592. Its tokens and what people allowed it end with it. ${token}`,
  params: managed,
  response: { 204: z.null().describe('No body.'), ...failures },
}
