import { z } from 'zod'

const timeText = z.string().min(1).max(64)
const seqText = (what: string) => z.string().regex(/^\d{1,15}$/, `${what} is a whole number`)

const range = {
  from: timeText
    .optional()
    .describe('Earliest time, ISO 8601 or epoch milliseconds; begins at the last seal before it.'),
  to: timeText.optional().describe('Latest time; goes on to the first seal after it.'),
  after: seqText('after').optional().describe('Cursor: the place after which to go on; `next` of the answer before.'),
}

export const verifyQuery = z.strictObject({
  ...range,
  last: seqText('last').optional().describe('Only so many of the newest events.'),
  size: seqText('size').optional().describe('Events per call, 1,000 by default, 5,000 at most.'),
  expect: z
    .string()
    .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'expect is <seq>:<hash>')
    .optional()
    .describe('A place and its hash as somebody outside noted them, from a seal in the log or an export.'),
})
export type VerifyQuery = z.infer<typeof verifyQuery>

export const exportQuery = z.strictObject({
  ...range,
  size: seqText('size').optional().describe('Events in the file, 1,000,000 by default and at most.'),
})
export type ExportQuery = z.infer<typeof exportQuery>

export const auditSeal = z
  .object({
    realm: z.string(),
    number: z.number().int(),
    seq: z.number().int(),
    hash: z.string(),
    at: z.number().int().describe('Epoch milliseconds.'),
    removedBefore: z.string().nullable().describe('Events below this id were removed by the realm’s retention.'),
    keyId: z.string(),
    signature: z.string().describe('Ed25519 over the canonical JSON of the other members and kind; base64url.'),
  })
  .meta({ id: 'AuditSeal' })

const publicKey = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string(), kid: z.string() })

const reasons = [
  ...(['EVENT_CHANGED', 'EVENT_REMOVED', 'EVENT_INSERTED', 'EVENT_MOVED', 'CHAIN_GAP', 'CHAIN_REWRITTEN'] as const),
  ...(['SEAL_INVALID', 'SEAL_MISSING'] as const),
]

export const chainReport = z
  .object({
    valid: z.boolean(),
    checked: z.number().int().describe('Places looked at in this call.'),
    from: z.number().int().nullable().describe('The first of them.'),
    to: z.number().int().nullable().describe('The last of them.'),
    firstBroken: z
      .object({ seq: z.number().int().nullable(), eventId: z.string().nullable(), reason: z.enum(reasons) })
      .nullable(),
    unchained: z
      .number()
      .int()
      .describe('Events in this range that have no place, 1,000 at most; new ones wait a minute.'),
    lastSeal: auditSeal.nullable(),
    keys: z.array(publicKey).describe('The public keys that seals are signed with; note them outside.'),
    next: z.number().int().nullable().describe('Give it as `after` to go on; null at the end.'),
  })
  .meta({ id: 'AuditChainReport' })
export type ChainReport = z.infer<typeof chainReport>

/** A line of an export: header, events and seals in order, and the signed manifest at the end. */
export const exportLine = z
  .looseObject({ kind: z.enum(['header', 'event', 'seal', 'manifest']) })
  .meta({ id: 'AuditExportLine' })
