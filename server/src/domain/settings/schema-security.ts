import { z } from 'zod'

/** Contract 2.66. The bounds keep a realm from locking everybody out, or from having no lock at all by a typing error. */
export const BruteForce = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Failed sign-ins lock an account for a while.'),
    maxFailures: z.int().min(2).max(100).default(10).describe('Failures within the window that lock the account.'),
    windowSeconds: z.int().min(10).max(86_400).default(600).describe('Time in which failures are counted together.'),
    lockSeconds: z.int().min(1).max(86_400).default(60).describe('Length of the first lock.'),
    lockMultiplier: z.number().min(1).max(10).default(2).describe('How much longer each further lock is.'),
    maxLockSeconds: z.int().min(1).max(604_800).default(3600).describe('Longest lock.'),
    permanentAfter: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe('Locks after which the account stays locked until an administrator unlocks it; 0 = never.'),
    perIpMaxPerMinute: z.int().min(1).max(10_000).default(60).describe('Failed sign-ins of one address per minute.'),
  })
  .meta({ id: 'BruteForcePolicy', description: 'Protection against guessing of passwords.' })

/** Types of credentials (contract 2.46) that can serve as a second factor. */
export const secondFactors = ['totp', 'webauthn', 'recovery-codes', 'sms', 'email', 'device'] as const

/** Contract 2.66. */
export const MfaPolicy = z
  .strictObject({
    mode: z
      .enum(['OFF', 'OPTIONAL', 'REQUIRED', 'REQUIRED_FOR_ADMINS'])
      .default('OPTIONAL')
      .describe('OFF never asks for a second factor, OPTIONAL asks whoever has one.'),
    allowed: z
      .array(z.enum(secondFactors))
      .max(secondFactors.length)
      // Without sms and email: those exist for everybody with a verified address, who would then all be asked.
      .default(['totp', 'webauthn', 'recovery-codes', 'device'])
      .describe('Second factors that people may use.'),
    trustedDeviceDays: z.int().min(0).max(365).default(0).describe('Days a device is not asked again; 0 = always ask.'),
  })
  .meta({ id: 'MfaPolicy', description: 'When a second factor is asked for, and which.' })

const captchaProviders = ['hcaptcha', 'recaptcha', 'turnstile'] as const
const captchaMembers = {
  provider: z
    .enum(captchaProviders)
    .nullable()
    .default(null)
    .describe('Service that tells people from programs; null = none.'),
  siteKey: z.string().min(1).max(255).nullable().default(null).describe('Public key of the site at the provider.'),
}

export const Captcha = z
  .strictObject({
    ...captchaMembers,
    secret: z.null().default(null).describe('Write-only; always null when read.'),
    secretSet: z.boolean().default(false).describe('Whether a secret is stored; read-only.'),
  })
  .meta({ id: 'Captcha', description: 'Captcha of registration and of repeated failed sign-ins.' })

export const CaptchaInput = z
  .strictObject({
    provider: captchaMembers.provider
      .unwrap()
      .optional()
      .describe(captchaMembers.provider.description ?? ''),
    siteKey: captchaMembers.siteKey
      .unwrap()
      .optional()
      .describe(captchaMembers.siteKey.description ?? ''),
    secret: z
      .string()
      .max(1024)
      .nullable()
      .optional()
      .describe('Secret key at the provider, write-only: absent or null keeps it, "" clears it.'),
    secretSet: z.boolean().nullable().optional().describe('Read-only: accepted and ignored.'),
  })
  .describe('Captcha of registration and of repeated failed sign-ins.')

// acr_values is a list separated by spaces, so an alias has none.
const acrAlias = z
  .string()
  .regex(/^(?!__proto__$)[!-~]{1,255}$/, 'must be 1 to 255 printable ASCII characters without spaces')
const acr = z.enum(['urn:gatehouse:acr:1', 'urn:gatehouse:acr:2', 'urn:gatehouse:acr:3'])
const acrAliasesText = 'Further names for authentication levels: name → urn:gatehouse:acr:1, :2 or :3.'

/** Discovery lists every alias; more than this would be a mistake. */
export const acrAliasesMax = 50
export const acrAliases = z.record(acrAlias, acr).describe(acrAliasesText)
export const acrAliasesInput = z.record(acrAlias, acr.nullable()).describe(`${acrAliasesText} null removes a name.`)

// An origin and nothing else: a path would be ignored by browsers, a space or ";" would start another directive.
const origin = z
  .string()
  .max(255)
  .regex(/^https:\/\/[a-z0-9.-]+(?::\d{1,5})?$/, 'must be an origin such as https://app.example.com')

/** Only what cannot weaken other realms of the same host; the content security policy itself is not for sale. */
export const SecurityHeaders = z
  .strictObject({
    frameAncestors: z
      .array(origin)
      .max(20)
      .default([])
      .describe('Origins that may show the pages of this realm in a frame.'),
    referrerPolicy: z
      .enum(['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin'])
      .default('no-referrer')
      .describe('What a page tells the next site about where the person came from.'),
  })
  .meta({ id: 'SecurityHeaders', description: 'Headers of the pages of this realm.' })
