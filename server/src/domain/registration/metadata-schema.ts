import { z } from 'zod'
import { judgedText, maxUris, webUrlFault } from '../clients/index.ts'
import { toFault } from './faults.ts'

// What no reader sees and some are deceived by: control characters, and those that turn the direction of writing. The name is
// shown to people who decide whether they trust it.
// oxlint-disable-next-line no-control-regex -- these are exactly what is looked for.
const deceptive = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

// RFC 6749 appendix A.4, and the most that a client may list (contract 2.15) with names of usual length.
const maxScopeLength = 4096
const maxContacts = 10
const maxGrantTypes = 20
const maxResponseTypes = 20
const maxAcrValues = 10
const maxKeys = 20

const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((text) => !deceptive.test(text), 'Control characters are not allowed.')
const uris = z.array(z.string()).max(maxUris)
const webUrl = judgedText(webUrlFault)

/**
 * What an application says of itself (RFC 7591 section 2, OpenID Connect Registration 2, the logout specifications, RFC 9126,
 * RFC 9449). Members that are not here are ignored, as the RFC demands.
 */
export const ClientMetadata = z
  .object({
    client_name: line(255).optional().describe('What people read on the consent page.'),
    redirect_uris: uris.optional().describe('Compared character by character.'),
    grant_types: z.array(z.string().max(255)).max(maxGrantTypes).optional(),
    response_types: z.array(z.string().max(255)).max(maxResponseTypes).optional(),
    token_endpoint_auth_method: z.string().max(255).optional().describe('client_secret_basic when left out.'),
    scope: z.string().max(maxScopeLength).optional().describe('Names, with spaces between them.'),
    application_type: z.enum(['web', 'native']).optional(),
    contacts: z.array(line(255)).max(maxContacts).optional(),
    client_uri: webUrl.optional(),
    logo_uri: webUrl.optional(),
    tos_uri: webUrl.optional(),
    policy_uri: webUrl.optional(),
    software_id: line(255).optional(),
    software_version: line(255).optional(),
    jwks: z.looseObject({ keys: z.array(z.unknown()).max(maxKeys) }).optional(),
    jwks_uri: webUrl.optional(),
    post_logout_redirect_uris: uris.optional(),
    backchannel_logout_uri: webUrl.optional(),
    backchannel_logout_session_required: z.boolean().optional(),
    frontchannel_logout_uri: webUrl.optional(),
    id_token_signed_response_alg: z.enum(['RS256', 'PS256']).optional(),
    require_pushed_authorization_requests: z.boolean().optional(),
    dpop_bound_access_tokens: z.boolean().optional(),
    default_acr_values: z.array(z.string().max(255)).max(maxAcrValues).optional(),
    subject_type: z.enum(['public', 'pairwise']).optional(),
    sector_identifier_uri: webUrl.optional(),
  })
  .meta({ id: 'ClientMetadata', description: 'RFC 7591 section 2, OpenID Connect Dynamic Client Registration 2.' })
export type ClientMetadata = z.infer<typeof ClientMetadata>

/** Reads a document that somebody sent or published; throws a RegistrationFault that names every fault. */
export function parseClientMetadata(document: unknown): ClientMetadata {
  const result = ClientMetadata.safeParse(withoutNulls(document))
  if (result.success) return result.data
  throw toFault(result.error.issues.map(({ path, message }) => ({ field: fieldOf(path), message })))
}

/** RFC 7592 section 2.2: a member that is null is treated like one that is left out. */
function withoutNulls(document: unknown): unknown {
  if (document === null || typeof document !== 'object' || Array.isArray(document)) return document
  return Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))
}

/** `redirect_uris[1]`, as the faults of our own members are named. */
export function fieldOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'metadata'
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at ? `.${String(part)}` : part)).join('')
}
