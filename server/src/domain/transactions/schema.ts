import { z } from 'zod'

// A heading, not a document; what is signed in detail is in `details`.
const maxTypeLength = 128
const maxTitleLength = 200
const maxUrlLength = 2048
export const maxTtlSeconds = 3600

/** One line that reads as it is written: no controls, nothing invisible, nothing that turns the direction of text around. */
const shownLine = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(
      /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u2064\ufeff]*$/u,
      'must be one line without control, invisible or direction characters',
    )
    .refine((text) => text.trim() === text && text.isWellFormed(), 'must not begin or end with a space')

export const TransactionInput = z.strictObject({
  type: shownLine(maxTypeLength).describe('What kind of act it is, as in RFC 9396.'),
  title: shownLine(maxTitleLength).describe('What the person reads first.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('One authorization_details object (RFC 9396). At most 16 KiB in canonical form, 8 levels deep.'),
  userId: z
    .uuid()
    .optional()
    .describe('Who shall sign. Needed with an application’s own token; with a person’s token it is that person.'),
  clientId: z.string().max(255).optional().describe('Read-only: it is the application of the token.'),
  ttlSeconds: z.int().min(1).max(maxTtlSeconds).default(300),
  requiredAcr: z.string().min(1).max(255).optional().describe('The class that session and signature reach together.'),
  callbackUrl: z
    .string()
    .min(1)
    .max(maxUrlLength)
    .optional()
    .describe('Is told when the person has answered. On an origin of the application’s redirect URIs or resources.'),
})
export type TransactionInput = z.output<typeof TransactionInput>

export const signMethods = ['TOTP', 'WEBAUTHN', 'DEVICE', 'PASSWORD'] as const
export type SignMethod = (typeof signMethods)[number]

// Limits of what is sent; what they verify has narrower ones of its own.
const maxJwsLength = 4096
const maxAssertionLength = 32_768

export const SignInput = z.strictObject({
  decision: z.enum(['APPROVE', 'REJECT']),
  method: z.enum(signMethods).optional().describe('With APPROVE: how the person shows that it is them.'),
  code: z.string().min(1).max(16).optional().describe('TOTP: the code of the authenticator app.'),
  password: z.string().min(1).max(1024).optional().describe('PASSWORD.'),
  assertion: z
    .union([z.record(z.string(), z.unknown()), z.string().max(maxAssertionLength)])
    .optional()
    .describe('WEBAUTHN: the authenticator’s answer to `challenge` of the transaction.'),
  deviceId: z.uuid().optional().describe('DEVICE: which of the person’s devices.'),
  signature: z
    .string()
    .min(1)
    .max(maxJwsLength)
    .optional()
    .describe('DEVICE: its statement with the claims `tx`, `hash` and `decision`.'),
})
export type SignInput = z.output<typeof SignInput>

export const statuses = ['PENDING', 'SIGNED', 'REJECTED', 'CONSUMED', 'EXPIRED'] as const

const moment = z.number().describe('Epoch milliseconds.')

export const Transaction = z
  .object({
    id: z.uuid(),
    status: z.enum(statuses),
    type: z.string(),
    title: z.string(),
    details: z.record(z.string(), z.unknown()),
    hash: z.string().describe('base64url SHA-256 of the JCS (RFC 8785) of {type, title, details, userId, clientId}.'),
    userId: z.uuid(),
    clientId: z.string(),
    requiredAcr: z.string().nullable(),
    callbackUrl: z.string().nullable(),
    method: z.enum(signMethods).nullable(),
    createdAt: moment,
    expiresAt: moment,
    signedAt: moment.nullable(),
    rejectedAt: moment.nullable(),
    consumedAt: moment.nullable(),
    signature: z
      .string()
      .nullable()
      .describe('Compact JWS by the realm’s key over {iss, tx, hash, sub, client_id, amr, iat}; typ `tx+jwt`.'),
    signUrl: z.string().describe('The page where the person reads and signs it.'),
    challenge: z.string().optional().describe('For the person, while it is PENDING: what a passkey answers.'),
  })
  .meta({ id: 'Transaction' })
export type Transaction = z.infer<typeof Transaction>
