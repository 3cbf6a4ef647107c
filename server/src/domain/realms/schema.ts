import { z } from 'zod'
import { pageQuery } from '../admin-route/index.ts'
import { Email, Username } from '../users/index.ts'

// Contract 1.2: names that are paths of the service, or look like one.
export const reservedRealmNames = new Set([
  ...['admin', 'realms', 'monitoring', 'v3', 'assets', 'console', 'access', 'errors', 'static', 'interactive-docs'],
])

export const RealmName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'Lower-case letters, digits and hyphens, at most 63, not starting with a hyphen.')
  .refine((name) => !reservedRealmNames.has(name), 'This name is reserved.')

const displayName = z.string().min(1).max(255).nullable()

export const Realm = z
  .object({ realmId: z.string(), displayName: z.string().nullable(), enabled: z.boolean(), createdAt: z.int() })
  .meta({ id: 'Realm' })
export type Realm = z.infer<typeof Realm>

export const CreatedRealm = Realm.extend({
  adminPassword: z
    .string()
    .optional()
    .describe('The generated password of the administrator, shown once; absent when one was given.'),
}).meta({ id: 'CreatedRealm' })

export const RealmInput = z
  .strictObject({
    name: RealmName,
    displayName: displayName.optional(),
    adminUsername: Username.default('admin'),
    adminPassword: z
      .string()
      .min(1)
      .max(256)
      .optional()
      .describe('Must meet the default password policy; generated when absent.'),
    adminEmail: Email.nullable().optional(),
  })
  .meta({ id: 'RealmInput' })
export type RealmInput = z.infer<typeof RealmInput>

export const RealmReplacement = z
  .strictObject({
    displayName: displayName.optional(),
    enabled: z.boolean().default(true),
    realmId: z.unknown().optional(),
    createdAt: z.unknown().optional(),
  })
  .meta({ id: 'RealmReplacement' })

export const RealmQuery = pageQuery.extend({
  search: z.string().min(1).max(63).optional().describe('Prefix of the name.'),
})
