import { z } from 'zod'
import {
  absoluteUriFault,
  type GrantType,
  grantTypeSpellings,
  grantTypes,
  judgedText,
  maxUris,
} from '../clients/index.ts'

// All of them are compared at every registration, and they are part of the realm's snapshot.
const maxHosts = 200
const maxScopes = 100
// Contract 8.6: a realm has no more clients than this.
const maxClients = 10_000
const maxTtlDays = 3650

/**
 * A client that nobody looked at must never see what people type as their password (RFC 9700 section 2.4), nor find out who has an
 * account and write to them in the realm's name.
 */
const registrableGrantTypes = grantTypes.filter((name) => name !== 'password' && name !== 'CIBA')
const isCiba = (name: string) => /ciba$/i.test(name)
const spellings = grantTypeSpellings.filter((name) => name !== 'password' && !isCiba(name))

const hostName = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$|^\[[0-9a-f:.]+\]$/
const customScheme = /^[a-z][a-z0-9+.-]*:$/
const host = z.string().max(255)
const hosts = z.array(host.regex(hostName, 'A host in lower case, or *. and a host.')).max(maxHosts)
const places = z.array(
  host.refine(
    (text) => hostName.test(text) || customScheme.test(text),
    'A host in lower case, *. and a host, or a scheme with its colon.',
  ),
)
const scopeName = z.string().min(1).max(255)

const members = {
  dcrEnabled: z.boolean().describe('Applications may register at /connect/register.'),
  dcrAnonymousAllowed: z.boolean().describe('Also without an initial access token.'),
  dcrAllowedGrantTypes: z.array(z.enum(registrableGrantTypes)),
  dcrAllowedScopes: z.array(scopeName).max(maxScopes).describe('Beyond the default scopes; empty = only those.'),
  dcrAllowedRedirectHosts: places
    .max(maxHosts)
    .describe('Hosts, *. and a host for all below it, or custom schemes with their colon; empty = any.'),
  dcrAllowedResources: z
    .array(judgedText(absoluteUriFault))
    .max(maxUris)
    .describe('What applications that came by themselves may ask people’s tokens for (RFC 8707), such as MCP servers.'),
  dcrMaxClients: z.int().min(0).max(maxClients).describe('Registered ones and those of documents together.'),
  dcrClientTtlDays: z.int().min(1).max(maxTtlDays).nullable().describe('Unused clients end after; null = never.'),
  cimdEnabled: z.boolean().describe('A client_id may be the address of a document that describes the client.'),
  cimdAllowedHosts: hosts.describe('Where such documents may be; empty = anywhere.'),
  scimEnabled: z.boolean(),
  jitEnabled: z.boolean().describe('People who come from an identity provider get a user at their first sign-in.'),
}

export const Provisioning = z.object({ ...members, scimBaseUrl: z.string() }).meta({ id: 'Provisioning' })
export type Provisioning = z.infer<typeof Provisioning>

/** What is stored: `scimBaseUrl` follows from the realm. */
export type StoredProvisioning = Omit<Provisioning, 'scimBaseUrl'>

export const defaultProvisioning: Readonly<StoredProvisioning> = Object.freeze({
  dcrEnabled: true,
  dcrAnonymousAllowed: false,
  dcrAllowedGrantTypes: ['authorization_code', 'refresh_token', 'client_credentials', 'device'] satisfies GrantType[],
  dcrAllowedScopes: [],
  dcrAllowedRedirectHosts: [],
  dcrAllowedResources: [],
  dcrMaxClients: 200,
  dcrClientTtlDays: null,
  cimdEnabled: false,
  cimdAllowedHosts: [],
  scimEnabled: false,
  jitEnabled: true,
})

const defaults = defaultProvisioning

export const ProvisioningInput = z
  .strictObject({
    dcrEnabled: members.dcrEnabled.default(defaults.dcrEnabled),
    dcrAnonymousAllowed: members.dcrAnonymousAllowed.default(defaults.dcrAnonymousAllowed),
    dcrAllowedGrantTypes: z
      .array(z.enum(spellings))
      .max(spellings.length)
      .default([...defaults.dcrAllowedGrantTypes])
      .describe('Never password, never CIBA.'),
    dcrAllowedScopes: members.dcrAllowedScopes.default([]),
    dcrAllowedRedirectHosts: members.dcrAllowedRedirectHosts.default([]),
    dcrAllowedResources: members.dcrAllowedResources.default([]),
    dcrMaxClients: members.dcrMaxClients.default(defaults.dcrMaxClients),
    dcrClientTtlDays: members.dcrClientTtlDays.default(defaults.dcrClientTtlDays),
    cimdEnabled: members.cimdEnabled.default(defaults.cimdEnabled),
    cimdAllowedHosts: members.cimdAllowedHosts.default([]),
    scimEnabled: members.scimEnabled.default(defaults.scimEnabled),
    jitEnabled: members.jitEnabled.default(defaults.jitEnabled),
    // Read-only, and may come back as it was read: GET, edit, PUT must work (contract 2.2).
    scimBaseUrl: z.unknown().optional(),
  })
  .meta({ id: 'ProvisioningInput' })
export type ProvisioningInput = z.infer<typeof ProvisioningInput>
