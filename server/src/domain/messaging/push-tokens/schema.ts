import { z } from 'zod'
import { pageQuery } from '../../admin-route/index.ts'
import { driversOf } from '../channels.ts'

const driver = z.enum(driversOf.PUSH)

export const PushToken = z
  .object({
    id: z.uuid(),
    realmId: z.string(),
    userId: z.uuid(),
    deviceId: z.string().nullable(),
    driver,
    tokenHint: z.string().describe('The end of the token, to tell devices apart.'),
    enabled: z.boolean().describe('False once the push service said that the device is gone.'),
    createdAt: z.int(),
    lastUsedAt: z.int().nullable(),
  })
  .meta({ id: 'PushToken' })
export type PushToken = z.infer<typeof PushToken>

export const PushTokenInput = z
  .strictObject({
    userId: z.uuid().optional().describe('Whose device it is; your own when omitted.'),
    deviceId: z
      .string()
      .min(1)
      .max(255)
      .regex(/^\P{Cc}*$/u, 'One line of text.')
      .nullable()
      .default(null),
    driver,
    token: z
      .string()
      .min(16)
      .max(4096)
      .regex(/^[A-Za-z0-9_:.=+/-]+$/, 'What the push service calls the device.')
      .describe('Write-only.'),
  })
  .check((check) => {
    // It becomes part of a path there.
    if (check.value.driver === 'apns' && !/^[0-9a-f]{16,200}$/i.test(check.value.token)) {
      const message = 'A device token of APNs has hexadecimal digits only.'
      check.issues.push({ code: 'custom', path: ['token'], message, input: check.value })
    }
  })
  .meta({ id: 'PushTokenInput' })
export type PushTokenInput = z.infer<typeof PushTokenInput>

export const PushTokenQuery = pageQuery.extend({ userId: z.uuid().optional().describe('Only those of this user.') })
export type PushTokenQuery = z.infer<typeof PushTokenQuery>
