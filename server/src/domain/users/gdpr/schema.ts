import { z } from 'zod'
import { Consent } from '../../consents/index.ts'
import { auditEvent } from '../../events/index.ts'
import { Session } from '../../sessions/index.ts'
import { Credential } from '../credentials/index.ts'
import { Attributes, RequiredAction } from '../schema.ts'

const epochMs = z.int().nullable()

/** What the account itself says beyond the profile of the specification. */
export const ExportedAccount = z.object({
  emailVerified: z.boolean(),
  phone: z.string().nullable(),
  phoneVerified: z.boolean(),
  locale: z.string().nullable(),
  locked: z.boolean(),
  lastLoginAt: epochMs,
  requiredActions: z.array(RequiredAction),
  termsAcceptedAt: epochMs,
  federationAlias: z.string().nullable(),
  clientRoles: z.array(z.object({ clientId: z.string(), name: z.string() })),
})
export type ExportedAccount = z.infer<typeof ExportedAccount>

const entries = z.array(z.record(z.string(), z.unknown()))

export const ExportDocument = z
  .object({
    generatedAt: z.int(),
    schema: z.literal('gatehouse.gdpr.export/v1'),
    realmId: z.string(),
    userId: z.uuid(),
    profile: z.object({
      username: z.string(),
      email: z.string().nullable(),
      enabled: z.boolean(),
      createdAt: z.int(),
    }),
    attributes: Attributes,
    roles: z.array(z.string()),
    realmMemberships: z.array(z.object({ realmId: z.string(), joinedAt: epochMs })),
    organizations: z.array(z.object({ orgId: z.string(), name: z.string(), joinedAt: epochMs })),
    credentials: z.array(Credential),
    federatedLinks: z.array(
      z.object({ alias: z.string(), protocol: z.string(), externalId: z.string(), linkedAt: epochMs }),
    ),
    consents: z.array(Consent),
    loginEvents: z.array(auditEvent).describe('Events of the category AUTHN by this person, newest first.'),
    account: ExportedAccount,
    sessions: z.array(Session),
    devices: entries,
    agents: entries,
    groups: entries,
    truncated: z.array(z.string()).describe('Sections that hold more entries than are shown here.'),
  })
  .catchall(z.array(z.unknown()).describe('What else is kept of the person, one section for each kind.'))
  .meta({ id: 'DataSubjectExport' })
export type ExportDocument = z.infer<typeof ExportDocument>
