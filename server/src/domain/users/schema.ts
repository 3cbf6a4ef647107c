import { z } from 'zod'
import { booleanText, pageQuery } from '../admin-route/index.ts'

// Contract 2.9.
const name = z.string().min(1).max(255)
const maxAttributes = 100

export const requiredActionNames = [
  ...[
    'VERIFY_EMAIL',
    'UPDATE_PASSWORD',
    'UPDATE_PROFILE',
    'CONFIGURE_TOTP',
    'CONFIGURE_RECOVERY_CODES',
    'REGISTER_WEBAUTHN',
  ],
  ...['REGISTER_DEVICE', 'TERMS_AND_CONDITIONS'],
] as ['VERIFY_EMAIL', ...string[]]
export const RequiredAction = z.enum(requiredActionNames)

/** What people type to sign in: no control characters, no leading or trailing space. */
export const Username = name.regex(
  /^[^\s\p{Cc}](?:[^\p{Cc}]*[^\s\p{Cc}])?$/u,
  'No control characters, no space at either end.',
)
export const Email = z
  .string()
  .max(255)
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, 'This is not an e-mail address.')

const attributeValue = z.string().max(8192)
export const Attributes = z
  .record(z.string().min(1).max(255), z.union([attributeValue, z.array(attributeValue).max(100)]))
  .refine((attributes) => Object.keys(attributes).length <= maxAttributes, `At most ${maxAttributes} attributes.`)
  .describe('Free attributes; firstName and lastName are the person’s names.')

export const Phone = z
  .string()
  .max(32)
  .regex(/^\+?[0-9 ()./-]{3,}$/, 'This is not a telephone number.')
export const Locale = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'This is not a language tag.')
const epochMs = z.int().nullable()

export const User = z
  .object({
    realmId: z.string(),
    userId: z.uuid(),
    username: z.string(),
    email: z.string().nullable(),
    enabled: z.boolean(),
    locked: z.boolean(),
    mfaEnabled: z.boolean().describe('At least one usable second factor exists.'),
    roles: z.array(z.string()).describe('Directly assigned realm roles.'),
    attributes: Attributes,
    createdAt: z.int(),
    emailVerified: z.boolean(),
    phone: z.string().nullable(),
    phoneVerified: z.boolean(),
    locale: z.string().nullable(),
    requiredActions: z.array(RequiredAction),
    lockedUntil: epochMs.describe(
      'When a lock by failed sign-ins ends; null when unlocked or locked by an administrator.',
    ),
    lastLoginAt: epochMs,
    federationAlias: z.string().nullable().describe('The directory the user comes from; null for local users.'),
    serviceAccountClientId: z.string().nullable(),
    passwordSet: z.boolean(),
    passwordChangedAt: epochMs,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

const optionalMembers = {
  email: Email.nullable().optional(),
  enabled: z.boolean().default(true),
  emailVerified: z.boolean().default(false),
  phone: Phone.nullable().optional(),
  locale: Locale.nullable().optional(),
  attributes: Attributes.optional(),
  requiredActions: z.array(RequiredAction).max(20).default([]),
}

export const UserInput = z.strictObject({ username: Username, ...optionalMembers }).meta({ id: 'UserInput' })
export type UserInput = z.infer<typeof UserInput>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const UserReplacement = z
  .strictObject({
    username: Username,
    ...optionalMembers,
    locked: z.boolean().default(false).describe('False unlocks and clears the counters of failed sign-ins.'),
    roles: z.array(z.string()).optional().describe('Managed under /users/{userId}/roles; may only be sent unchanged.'),
    realmId: readOnly,
    userId: readOnly,
    mfaEnabled: readOnly,
    createdAt: readOnly,
    phoneVerified: z
      .boolean()
      .optional()
      .describe('Whether the telephone was proved to be the person’s; a changed number never is.'),
    lockedUntil: readOnly,
    lastLoginAt: readOnly,
    federationAlias: readOnly,
    serviceAccountClientId: readOnly,
    passwordSet: readOnly,
    passwordChangedAt: readOnly,
  })
  .meta({ id: 'UserReplacement' })
export type UserReplacement = z.infer<typeof UserReplacement>

const term = z.string().min(1).max(255)
export const UserQuery = pageQuery.extend({
  search: term.optional().describe('Prefix of username, e-mail, first or last name.'),
  username: term.optional().describe('Prefix of the username; the whole of it with exact=true.'),
  email: term.optional().describe('Prefix of the e-mail address; the whole of it with exact=true.'),
  exact: booleanText.optional(),
  enabled: booleanText.optional(),
  locked: booleanText.optional(),
  role: term.optional().describe('Name of a directly assigned realm role.'),
  attribute: z
    .string()
    .max(8500)
    .regex(/^[^:]+:/, 'key:value')
    .optional()
    .describe('key:value, exact.'),
  serviceAccounts: booleanText.optional().describe('True lists the users of service accounts instead of people.'),
  sort: z
    .enum(['createdAt', '-createdAt', 'username', '-username', 'email', '-email'])
    .optional()
    .describe('Default -createdAt; prefix filters sort by what they match.'),
})
export type UserQuery = z.infer<typeof UserQuery>
