import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'
import { isReservedClaim, isSafePart, splitClaim } from './reserved.ts'

export const claimSources = [
  'ATTRIBUTE',
  'PROPERTY',
  'REALM_ROLES',
  'CLIENT_ROLES',
  'GROUPS',
  'ORGANIZATION',
  'CONSTANT',
  'SESSION',
] as const
export const claimTypes = ['STRING', 'NUMBER', 'BOOLEAN', 'JSON'] as const

// Contract 2.9 for names and values.
const maxName = 255
const maxValueLength = 8192
// Deeper objects are of no use in a token.
const maxDepth = 5

const name = z
  .string()
  .min(1)
  .max(maxName)
  .regex(/^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u, 'No control characters, no space at either end.')

const claim = z
  .string()
  .min(1)
  .max(maxName)
  .regex(/^[^\s\p{Cc}"]+$/u, 'No spaces, quotes or control characters.')
  .refine((text) => splitClaim(text).length <= maxDepth, `At most ${maxDepth} levels.`)
  .refine((text) => splitClaim(text).every(isSafePart), 'No part between dots may be empty or reach for a prototype.')
  // Whether a session may fill it is decided with the source.
  .refine((text) => !isReservedClaim(text, 'SESSION'), 'The issuer alone sets this claim.')
  .describe(
    'The member of the token. A dot nests (`address.country`), `\\.` does not; `{clientId}` stands for each client in turn.',
  )

const value = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .refine((given) => JSON.stringify(given).length <= maxValueLength, `At most ${maxValueLength} characters as JSON.`)
  .nullable()
  .default(null)
  .describe('The value of a CONSTANT.')

const members = {
  name: name.describe('Unique in the realm.'),
  claim,
  source: z.enum(claimSources),
  sourceKey: z
    .string()
    .min(1)
    .max(maxName)
    .nullable()
    .default(null)
    .describe('The attribute, the property, the member of the session, or the client whose roles are listed.'),
  value,
  type: z.enum(claimTypes).default('STRING'),
  multivalued: z.boolean().default(false).describe('A list; otherwise the first value.'),
  inIdToken: z.boolean().default(true),
  inAccessToken: z.boolean().default(true),
  inUserinfo: z.boolean().default(true),
  inIntrospection: z.boolean().default(true),
  inSaml: z.boolean().default(false),
}

export const ClaimInput = z.strictObject(members).meta({ id: 'ClaimInput' })
export type ClaimInput = z.infer<typeof ClaimInput>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const ClaimReplacement = z
  .strictObject({ ...members, realmId: readOnly, claimId: readOnly })
  .meta({ id: 'ClaimReplacement' })

export const Claim = z
  .object({
    realmId: z.string(),
    claimId: z.uuid(),
    name: z.string(),
    claim: z.string(),
    source: z.enum(claimSources),
    sourceKey: z.string().nullable(),
    value: z.unknown().describe('Any JSON value; null unless the source is CONSTANT.'),
    type: z.enum(claimTypes),
    multivalued: z.boolean(),
    inIdToken: z.boolean(),
    inAccessToken: z.boolean(),
    inUserinfo: z.boolean(),
    inIntrospection: z.boolean(),
    inSaml: z.boolean(),
  })
  .meta({ id: 'Claim' })
export type Claim = z.infer<typeof Claim>

export const ClaimQuery = pageQuery.meta({ id: 'ClaimQuery' })
export type ClaimQuery = z.infer<typeof ClaimQuery>
