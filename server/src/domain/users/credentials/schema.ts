import { z } from 'zod'
import { pageQuery } from '../../admin-route/index.ts'

export const credentialTypes = ['password', 'totp', 'webauthn', 'recovery-codes', 'sms', 'email', 'device'] as const

const label = z.string().min(1).max(255).nullable()

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

/** The members below the credential are shown this once. */
export const NewCredential = Credential.extend({
  secret: z.string().optional().describe('totp: the shared secret in base32, to be typed into an app.'),
  otpauthUri: z.string().optional().describe('totp: the same as an address, to be shown as a QR code.'),
  pending: z.boolean().optional().describe('totp: true until a first good code confirms it.'),
  codes: z.array(z.string()).optional().describe('recovery-codes: each of them works once.'),
}).meta({ id: 'NewCredential' })
export type NewCredential = z.infer<typeof NewCredential>

/** There is a credential once the device is enrolled. The token is shown this once. */
export const NewDevice = z
  .object({
    type: z.literal('device'),
    pending: z.literal(true),
    enrollmentToken: z.string().describe('Works once.'),
    enrollmentUrl: z.string().describe('The address to be opened with an app, as a QR code or as text.'),
    expiresAt: z.int(),
  })
  .meta({ id: 'NewDevice' })
export type NewDevice = z.infer<typeof NewDevice>

const settableTypes = ['password', 'totp', 'recovery-codes', 'device'] as const

const typeHints: Record<string, string> = {
  webauthn: 'A webauthn credential needs the user to be present: set the required action REGISTER_WEBAUTHN.',
  sms: 'sms exists while the phone number is verified; it is not added here.',
  email: 'email exists while the e-mail address is verified; it is not added here.',
}

export const CredentialInput = z
  .strictObject({
    type: z.enum(settableTypes, {
      error: ({ input }) => typeHints[String(input)] ?? `One of ${settableTypes.join(', ')}.`,
    }),
    label: label.default(null),
    value: z.string().optional().describe('The new password; for the type password only.'),
    temporary: z
      .boolean()
      .default(false)
      .describe('The user must choose another password at the next sign-in; for the type password only.'),
  })
  .superRefine(({ type, label: given, value, temporary }, issues) => {
    const refuse = (path: string, message: string) => issues.addIssue({ code: 'custom', path: [path], message })
    if (type === 'password' && value === undefined) refuse('value', 'A password needs a value.')
    if (type !== 'password' && value !== undefined) refuse('value', `The material of ${type} is made here.`)
    if (type !== 'password' && temporary) refuse('temporary', 'Only a password can be temporary.')
    if (type === 'device' && given !== null) refuse('label', 'A device says itself what it is called.')
  })
  .meta({ id: 'CredentialInput' })
export type CredentialInput = z.infer<typeof CredentialInput>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const CredentialReplacement = z
  .strictObject({
    label: label.default(null).describe('What the user calls it.'),
    id: readOnly,
    type: readOnly,
    createdAt: readOnly,
    lastUsedAt: readOnly,
    details: readOnly,
  })
  .meta({ id: 'CredentialReplacement' })

export const CredentialQuery = pageQuery.meta({ id: 'CredentialQuery' })
export type CredentialQuery = z.infer<typeof CredentialQuery>
