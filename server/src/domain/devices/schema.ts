import { z } from 'zod'
import { cleanText } from '../../platform/text/index.ts'

export const platforms = ['ANDROID', 'IOS', 'WEB', 'OTHER'] as const
export const Platform = z.enum(platforms)
export type Platform = z.infer<typeof Platform>

/** What people call it, on one line: it is shown in lists, mails and the audit trail. */
export const DeviceName = z
  .string()
  .max(100)
  .refine((name) => name !== '' && name === cleanText(name), 'One line of text without space at either end.')

export const Device = z
  .object({
    id: z.uuid(),
    deviceName: z.string(),
    platform: Platform,
    pushEnabled: z.boolean().describe('Push messages can be sent to it.'),
    createdAt: z.int(),
    lastUsedAt: z.int().nullable().describe('When it last signed something.'),
  })
  .meta({ id: 'Device' })
export type Device = z.infer<typeof Device>

// 32 bytes in base64url.
const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'A coordinate of P-256: 32 bytes in base64url.')

/** RFC 7517 and 7518: the public half only. Members beside these say nothing about the key and are dropped. */
export const PublicKey = z
  .object({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: coordinate,
    y: coordinate,
    alg: z.literal('ES256').optional(),
    d: z.undefined('This is the private key; it never leaves the device.').optional(),
  })
  .meta({ id: 'DevicePublicKey' })
export type PublicKey = Pick<z.infer<typeof PublicKey>, 'kty' | 'crv' | 'x' | 'y'>
