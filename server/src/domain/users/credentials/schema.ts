import { z } from 'zod'
import { pageQuery } from '../../admin-route/index.ts'

export const credentialTypes = ['password', 'totp', 'webauthn', 'recovery-codes', 'sms', 'email', 'device'] as const

export const Credential = z
  .object({
    id: z.uuid(),
    type: z.enum(credentialTypes),
    label: z.string().nullable(),
    createdAt: z.int(),
    lastUsedAt: z.int().nullable(),
    details: z.record(z.string(), z.unknown()).describe('What there is to show besides; never secret material.'),
  })
  .meta({ id: 'Credential' })
export type Credential = z.infer<typeof Credential>

const typeMessage =
  'Only password can be added here. totp, recovery-codes and device come with a later release; webauthn needs the user to be present; sms and email exist while the number or address is verified.'

export const CredentialInput = z
  .strictObject({
    type: z.enum(['password'], typeMessage),
    label: z.string().min(1).max(255).nullable().default(null),
    value: z.string().describe('The new password.'),
    temporary: z.boolean().default(false).describe('The user must choose another password at the next sign-in.'),
  })
  .meta({ id: 'CredentialInput' })

export const CredentialQuery = pageQuery.meta({ id: 'CredentialQuery' })
export type CredentialQuery = z.infer<typeof CredentialQuery>
