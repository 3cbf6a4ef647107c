import { z } from 'zod'
import { subjectStrategies } from '../claims/index.ts'
import { RealmSettings } from '../settings/index.ts'
import { Jwks, StoredJwks } from './jwks.ts'
import { maxUriLength, redirectUriFault, webUrlFault } from './uris.ts'

/** A text that a function judges and explains. */
export function judgedText(faultOf: (text: string) => string | null, maxLength = maxUriLength) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .superRefine((text, check) => {
      const message = faultOf(text)
      if (message) check.addIssue({ code: 'custom', message })
    })
}

// A list longer than this is a mistake; all of it is read on every request of the client.
export const maxUris = 100
const maxAudiences = 50
const maxAcrValues = 10

const webUrl = judgedText(webUrlFault).nullable().default(null)
const word = z.string().regex(/^[!-~]{1,255}$/, '1 to 255 printable ASCII characters without space.')
const lifetimes = RealmSettings.shape

export const tokenEndpointAuthMethods = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'none',
] as const

const SubjectClaim = z
  .strictObject({
    strategy: z.enum(subjectStrategies),
    attribute: z.string().min(1).max(255).nullable().default(null).describe('For the strategy ATTRIBUTE.'),
  })
  .superRefine(({ strategy, attribute }, check) => {
    const needed = strategy === 'ATTRIBUTE'
    if (needed === (attribute !== null)) return
    const message = needed
      ? 'The strategy ATTRIBUTE needs the name of an attribute.'
      : `${strategy} takes no attribute.`
    check.addIssue({ code: 'custom', path: ['attribute'], message })
  })

/** Null = what the realm says; the bounds are the realm's own. */
const lifetimeMembers = {
  accessTokenLifetimeSeconds: lifetimes.accessTokenLifetimeSeconds.unwrap().nullable().default(null),
  idTokenLifetimeSeconds: lifetimes.idTokenLifetimeSeconds.unwrap().nullable().default(null),
  refreshTokenLifetimeSeconds: lifetimes.refreshTokenLifetimeSeconds.unwrap().nullable().default(null),
  refreshTokenIdleSeconds: lifetimes.refreshTokenIdleSeconds.unwrap().nullable().default(null),
  refreshTokenGraceSeconds: lifetimes.refreshTokenGraceSeconds.unwrap().nullable().default(null),
}

/** The writable settings of contract 2.16, with their defaults. */
export const settingMembers = {
  description: z.string().max(1024).nullable().default(null),
  baseUrl: webUrl.describe('Where the application is found.'),
  postLogoutRedirectUris: z.array(judgedText(redirectUriFault)).max(maxUris).default([]),
  jwksUri: webUrl.describe('Where the client publishes its public keys; instead of jwks.'),
  jwks: Jwks.nullable().default(null).describe('The client’s public keys; instead of jwksUri.'),
  tokenSigningAlg: z.enum(['RS256', 'PS256']).default('RS256'),
  securityProfile: z
    .enum(['DEFAULT', 'FAPI2'])
    .default('DEFAULT')
    .describe('FAPI2 demands pushed requests, private_key_jwt and DPoP.'),
  sectorIdentifierUri: webUrl.describe('Its host is the sector of pairwise subjects.'),
  serviceAccountEnabled: z.boolean().default(false).describe('True whenever client_credentials is granted.'),
  authorizationServicesEnabled: z.boolean().default(false),
  ...lifetimeMembers,
  subjectClaim: SubjectClaim.nullable()
    .default(null)
    .describe('Instead of the realm’s subject claim; null = the realm’s.'),
  audiences: z.array(word).max(maxAudiences).default([]).describe('In the `aud` of every access token.'),
  includeClientIdInAudience: z.boolean().default(false),
  consentRequired: z.boolean().default(false),
  requirePkce: z.boolean().default(true).describe('Public clients always need PKCE.'),
  requirePushedAuthorizationRequests: z.boolean().default(false),
  dpopBoundAccessTokens: z.boolean().default(false),
  backchannelLogoutUri: webUrl,
  backchannelLogoutSessionRequired: z.boolean().default(false),
  frontchannelLogoutUri: webUrl,
  defaultAcrValues: z.array(word).max(maxAcrValues).default([]),
  secretExpiresAt: z.int().min(0).nullable().default(null).describe('When the secret ends, epoch ms; null = never.'),
}

const WritableSettings = z.object(settingMembers)

/** Every setting with its value; `agentId` is written by the agent that is bound to the client. */
export type ClientSettings = z.output<typeof WritableSettings> & {
  tokenEndpointAuthMethod: (typeof tokenEndpointAuthMethods)[number]
  agentId: string | null
}

export const defaultSettings: Readonly<Omit<ClientSettings, 'tokenEndpointAuthMethod'>> = Object.freeze({
  ...WritableSettings.parse({}),
  agentId: null,
})

const uri = z.string().nullable()
const lifetime = z.int().nullable()

/** The same members as they are read: what was accepted once is shown, whatever is refused by now. */
export const shownSettings = {
  description: z.string().nullable(),
  baseUrl: uri,
  postLogoutRedirectUris: z.array(z.string()),
  tokenEndpointAuthMethod: z.enum(tokenEndpointAuthMethods),
  jwksUri: uri,
  jwks: StoredJwks.nullable(),
  tokenSigningAlg: settingMembers.tokenSigningAlg.unwrap(),
  securityProfile: settingMembers.securityProfile.unwrap(),
  sectorIdentifierUri: uri,
  serviceAccountEnabled: z.boolean(),
  authorizationServicesEnabled: z.boolean(),
  accessTokenLifetimeSeconds: lifetime,
  idTokenLifetimeSeconds: lifetime,
  refreshTokenLifetimeSeconds: lifetime,
  refreshTokenIdleSeconds: lifetime,
  refreshTokenGraceSeconds: lifetime,
  subjectClaim: z.object({ strategy: z.enum(subjectStrategies), attribute: z.string().nullable() }).nullable(),
  audiences: z.array(z.string()),
  includeClientIdInAudience: z.boolean(),
  agentId: z.uuid().nullable().describe('The agent that is bound to the client.'),
  consentRequired: z.boolean(),
  requirePkce: z.boolean(),
  requirePushedAuthorizationRequests: z.boolean(),
  dpopBoundAccessTokens: z.boolean(),
  backchannelLogoutUri: uri,
  backchannelLogoutSessionRequired: z.boolean(),
  frontchannelLogoutUri: uri,
  defaultAcrValues: z.array(z.string()),
  secretExpiresAt: z.int().nullable(),
}
