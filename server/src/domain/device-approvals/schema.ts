import { z } from 'zod'
import type { Approval } from './record.ts'

const place = {
  clientName: z.string().nullable(),
  createdAt: z.int(),
  expiresAt: z.int(),
}

/** Contract 4.34. */
export const PushRequest = z
  .object({
    id: z.uuid(),
    status: z.enum(['PENDING', 'APPROVED', 'DENIED', 'EXPIRED']),
    userId: z.uuid(),
    clientId: z.string().nullable().describe('The application that the sign-in leads to.'),
    ...place,
    action: z.enum(['LOGIN', 'STEP_UP']),
    sourceIp: z.string().nullable().describe('Where the sign-in is under way.'),
    userAgent: z.string().nullable(),
    location: z.string().nullable().describe('Always null: addresses are not looked up.'),
    numberChoices: z.array(z.int()).nullable().describe('One of them is on the screen of the sign-in.'),
    needsSignature: z.boolean().describe('True when only an enrolled device can say yes, with its key.'),
  })
  .meta({ id: 'PushRequest' })

/** Contract 4.35. */
export const QrRequest = z
  .object({
    id: z.uuid(),
    status: z.enum(['SCANNED', 'CONFIRMED', 'DENIED', 'EXPIRED']),
    ...place,
    deviceInfo: z
      .object({ sourceIp: z.string().nullable(), userAgent: z.string().nullable() })
      .describe('Where the code is shown.'),
    codeRequired: z.boolean().describe('True when the number beside the code has to be sent with the answer.'),
  })
  .meta({ id: 'QrRequest' })

/** What the screen shows is not among it: the device has to learn it from the person. */
export function toPushRequest(approval: Approval): z.infer<typeof PushRequest> {
  const { id, status, userId, clientId, clientName, action, sourceIp, userAgent, choices } = approval
  return {
    id,
    status: status as 'PENDING',
    userId: userId!,
    clientId,
    clientName,
    action: action as 'LOGIN',
    sourceIp,
    userAgent,
    location: null,
    numberChoices: choices,
    needsSignature: approval.needsSignature,
    createdAt: approval.createdAt,
    expiresAt: approval.expiresAt,
  }
}

export function toQrRequest(approval: Approval): z.infer<typeof QrRequest> {
  const { id, status, clientName, sourceIp, userAgent, createdAt, expiresAt } = approval
  return {
    id,
    status: status as 'SCANNED',
    clientName,
    deviceInfo: { sourceIp, userAgent },
    codeRequired: approval.number !== null,
    createdAt,
    expiresAt,
  }
}
