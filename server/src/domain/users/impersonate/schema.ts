import { z } from 'zod'

// A sentence or two; it stands in the audit trail and is read by people.
const maxReasonLength = 500

export const ImpersonationInput = z
  .strictObject({
    reason: z
      .string()
      .max(maxReasonLength)
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'One line, without control characters.')
      .optional()
      .describe('Why, for the audit trail.'),
    clientId: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('The application to go to; an enabled client of the realm.'),
    redirectUri: z
      .string()
      .max(2048)
      .optional()
      .describe('One of that client’s redirect URIs, or a path of the realm’s own pages.'),
  })
  .meta({ id: 'ImpersonationInput' })
export type ImpersonationInput = z.infer<typeof ImpersonationInput>

export const Impersonation = z
  .object({
    sessionId: z.uuid(),
    userId: z.uuid(),
    impersonatorId: z.uuid().describe('The administrator; of this realm or of the system realm.'),
    redirectUrl: z.string().describe('Where to go with the cookie that came along.'),
    expiresAt: z.int(),
  })
  .meta({ id: 'Impersonation' })
export type Impersonation = z.infer<typeof Impersonation>
