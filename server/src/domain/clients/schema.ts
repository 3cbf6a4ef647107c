import { z } from 'zod'
import { booleanText, pageQuery } from '../admin-route/index.ts'
import { grantTypeSpellings, grantTypes } from './grant-types.ts'
import { judgedText, maxUris, settingMembers, shownSettings, tokenEndpointAuthMethods } from './settings-schema.ts'
import { redirectUriFault, webOriginFault } from './uris.ts'

/** RFC 6749 appendix A.1, without the space, which no URL and no Basic header carries well (contract 2.12). */
export const ClientId = z.string().regex(/^[!-~]{1,255}$/, '1 to 255 printable ASCII characters without space.')

const name = z.string().min(1).max(255).nullable().default(null)
// RFC 6749 section 3.3.
const scopeName = z.string().regex(/^[!#-[\]-~]{1,255}$/, 'This cannot be the name of a scope.')
// Contract 2.15: everything that is listed here is compared on every request.
const maxScopes = 100

export const Client = z
  .object({
    id: z.uuid(),
    clientId: z.string(),
    name: z.string().nullable(),
    publicClient: z.boolean(),
    grantTypes: z.array(z.enum(grantTypes)),
    redirectUris: z.array(z.string()),
    webOrigins: z.array(z.string()),
    scopes: z.array(z.string()).describe('Client scopes beyond the realm’s default ones.'),
    realmId: z.string(),
    enabled: z.boolean(),
    ...shownSettings,
    serviceAccountUserId: z.uuid().nullable(),
    allowedResources: z.array(z.string()).describe('Managed under /clients/{clientId}/allowed-resources.'),
    secretSet: z.boolean(),
    createdAt: z.int(),
    createdBy: z.enum(['ADMIN', 'DCR', 'CIMD', 'IMPORT']),
  })
  .meta({ id: 'Client' })
export type Client = z.infer<typeof Client>

/** The one record that shows a secret: the answer to its creation. */
export const CreatedClient = Client.extend({
  secret: z.string().optional().describe('Of a confidential client with a secret; never shown in a record again.'),
}).meta({ id: 'CreatedClient' })
export type CreatedClient = z.infer<typeof CreatedClient>

const writable = {
  name,
  enabled: z.boolean().default(true),
  publicClient: z.boolean().default(false).describe('A public client has no secret and must use PKCE.'),
  grantTypes: z
    .array(z.enum(grantTypeSpellings))
    .max(grantTypeSpellings.length)
    .default(['authorization_code', 'refresh_token']),
  redirectUris: z
    .array(judgedText(redirectUriFault))
    .max(maxUris)
    .default([])
    .describe('Compared character by character; only the port of http://127.0.0.1 and http://[::1] is free.'),
  webOrigins: z
    .array(judgedText(webOriginFault))
    .max(maxUris)
    .default([])
    .describe('Origins that may call from a browser; + stands for those of the redirect URIs.'),
  scopes: z.array(scopeName).max(maxScopes).default([]),
  ...settingMembers,
  tokenSigningAlg: settingMembers.tokenSigningAlg.unwrap().optional().describe('RS256 by default, PS256 with FAPI2.'),
  tokenEndpointAuthMethod: z
    .enum(tokenEndpointAuthMethods)
    .optional()
    .describe('client_secret_basic by default, none for public clients.'),
}

export const ClientInput = z.strictObject({ clientId: ClientId, ...writable }).meta({ id: 'ClientInput' })
export type ClientInput = z.infer<typeof ClientInput>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const ClientReplacement = z
  .strictObject({
    ...writable,
    clientId: ClientId.optional().describe('May only be sent unchanged.'),
    id: readOnly,
    realmId: readOnly,
    serviceAccountUserId: readOnly,
    allowedResources: readOnly,
    agentId: readOnly,
    secretSet: readOnly,
    createdAt: readOnly,
    createdBy: readOnly,
  })
  .meta({ id: 'ClientReplacement' })
export type ClientReplacement = z.infer<typeof ClientReplacement>

export const ClientQuery = pageQuery
  .extend({
    search: z.string().min(1).max(255).optional().describe('Prefix of the clientId; answers in its order.'),
    enabled: booleanText.optional(),
  })
  .meta({ id: 'ClientQuery' })
export type ClientQuery = z.infer<typeof ClientQuery>
