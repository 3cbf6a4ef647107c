import { z } from 'zod'

export const eventCategories = ['AUTHN', 'ADMIN', 'SECURITY'] as const

// Specification part 6: the values it shows.
export const defaultAuditConfig = {
  enabled: true,
  httpUrl: null as string | null,
  categories: ['AUTHN', 'ADMIN'] as string[],
  timeoutMs: 2000,
}

const readOnly = z.unknown().optional().describe('Read-only; ignored.')

export const auditConfigInput = z
  .strictObject({
    enabled: z
      .boolean()
      .optional()
      .describe('Whether events are forwarded; standard output is always on. Default true.'),
    httpUrl: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .nullable()
      .optional()
      .describe('Receiver of forwarded events.'),
    httpAuthToken: z
      .string()
      .max(4096)
      // It becomes a header: anything else could end that header and begin another.
      .regex(/^[\x21-\x7e]*$/, 'a token has no spaces and only ASCII characters')
      .nullable()
      .optional()
      .describe('Bearer token for the receiver. Write-only; missing or null keeps it, an empty text removes it.'),
    categories: z.array(z.enum(eventCategories)).max(3).optional().describe('Which categories are forwarded.'),
    // Below, no collector could answer; above, one that hangs would fill the queue.
    timeoutMs: z
      .number()
      .int()
      .min(100)
      .max(30_000)
      .optional()
      .describe('For one request to the receiver. Default 2000.'),
    transports: readOnly,
    httpConfigured: readOnly,
    authConfigured: readOnly,
  })
  .meta({ id: 'AuditConfigInput' })

export type AuditConfigInput = z.infer<typeof auditConfigInput>

export const auditConfig = z
  .object({
    enabled: z.boolean(),
    transports: z.array(z.enum(['stdout', 'http'])).describe('Always includes stdout.'),
    httpUrl: z.string().nullable().describe('Masked outside the system realm.'),
    httpConfigured: z.boolean(),
    authConfigured: z.boolean(),
    categories: z.array(z.string()),
    timeoutMs: z.number().int(),
  })
  .meta({ id: 'AuditConfig' })

export type AuditConfig = z.infer<typeof auditConfig>
