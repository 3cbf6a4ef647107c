import { z } from 'zod'
import {
  bodyFormatOf,
  bodyPlaceholders,
  fillBody,
  headerPlaceholders,
  placeholdersIn,
} from '../drivers/http-template.ts'
import type { Channel, Driver } from '../channels.ts'

const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}*$/u, 'One line without control characters.')

// Contract 8.1: ten seconds for the whole of a conversation with a mail server.
const maxTimeoutMs = 10_000

const SmtpConfig = z.strictObject({
  host: line(255).regex(/^[^\s/?#@\\%]+$/, 'A host name or an address, without a port.'),
  port: z.int().min(1).max(65_535).default(587),
  username: line(255).nullable().default(null),
  tls: z.enum(['STARTTLS', 'TLS', 'NONE']).default('STARTTLS'),
  timeoutMs: z.int().min(1000).max(maxTimeoutMs).default(maxTimeoutMs),
})
export type SmtpConfig = z.output<typeof SmtpConfig>

const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'Not the name of a header.')
  .refine((name) => !ownHeaders.has(name.toLowerCase()), 'This header is set by the connection itself.')
const ownHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

const HttpConfig = z
  .strictObject({
    url: z.url({ protocol: /^https?$/ }).max(2048),
    method: z.enum(['POST', 'PUT', 'PATCH']).default('POST'),
    headers: z
      .record(
        headerName,
        z
          .string()
          .max(2048)
          .regex(/^[\t\x20-\x7e]*$/, 'One line of printable characters.'),
      )
      .refine((headers) => Object.keys(headers).length <= 20, 'At most 20 headers.')
      .default({}),
    bodyTemplate: z.string().min(1).max(16_384).nullable().default(null),
  })
  .check((check) => {
    for (const [path, message] of findTemplateFaults(check.value)) {
      check.issues.push({ code: 'custom', path, message, input: check.value })
    }
  })
export type HttpConfig = z.output<typeof HttpConfig>

/** What would fail at the first message is said when it is saved. */
function findTemplateFaults(config: { headers: Record<string, string>; bodyTemplate: string | null }) {
  const faults: [path: string[], message: string][] = []
  const format = bodyFormatOf(config.headers)
  if (!format) faults.push([['headers'], 'The content type is application/json or application/x-www-form-urlencoded.'])
  for (const [name, value] of Object.entries(config.headers)) {
    if (placeholdersIn(value).some((entry) => !(headerPlaceholders as readonly string[]).includes(entry)))
      faults.push([['headers', name], 'A header may name {{secret}} and {{id}}.'])
  }
  if (config.bodyTemplate === null) return faults
  const unknown = placeholdersIn(config.bodyTemplate).find(
    (name) => !(bodyPlaceholders as readonly string[]).includes(name),
  )
  if (unknown !== undefined) faults.push([['bodyTemplate'], `There is no {{${unknown.slice(0, 50)}}}.`])
  if (format === 'json' && !isFillable(config.bodyTemplate))
    faults.push([['bodyTemplate'], 'This is not JSON once the placeholders are filled in.'])
  return faults
}

function isFillable(template: string): boolean {
  try {
    fillBody(template, 'json', {})
    return true
  } catch {
    return false
  }
}

const TwilioConfig = z.strictObject({
  accountSid: z.string().regex(/^AC[0-9a-f]{32}$/, 'AC and 32 hexadecimal digits.'),
  messagingServiceSid: z
    .string()
    .regex(/^MG[0-9a-f]{32}$/, 'MG and 32 hexadecimal digits.')
    .nullable()
    .default(null),
})
export type TwilioConfig = z.output<typeof TwilioConfig>

const FcmConfig = z.strictObject({
  projectId: z.string().regex(/^[a-z0-9][a-z0-9:.-]{3,62}$/, 'Not the id of a project.'),
  clientEmail: line(255).regex(/^[^\s@]+@[^\s@]+$/, 'The e-mail address of the service account.'),
  // For services that speak the same protocol. Tokens are got there as well: one of Google’s must not go anywhere else.
  endpoint: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .refine((url) => URL.parse(url)?.origin === url, 'Scheme, host and port only.')
    .nullable()
    .default(null),
})
export type FcmConfig = z.output<typeof FcmConfig>

const ApnsConfig = z.strictObject({
  teamId: z.string().regex(/^[A-Z0-9]{10}$/, 'Ten letters and digits.'),
  keyId: z.string().regex(/^[A-Z0-9]{10}$/, 'Ten letters and digits.'),
  bundleId: z.string().regex(/^[A-Za-z0-9.-]{1,155}$/, 'Not the id of an application.'),
  production: z.boolean().default(true),
})
export type ApnsConfig = z.output<typeof ApnsConfig>

export type ProviderConfig = SmtpConfig | HttpConfig | TwilioConfig | FcmConfig | ApnsConfig

/** Contract 2.81. */
export const configSchemas: { [Name in Driver]: z.ZodType<ProviderConfig> } = {
  smtp: SmtpConfig,
  http: HttpConfig,
  twilio: TwilioConfig,
  fcm: FcmConfig,
  apns: ApnsConfig,
}

/** Who a message is from: a mailbox for mail, a number or name for SMS, nobody for push. */
export function needsMailbox(channel: Channel): boolean {
  return channel === 'EMAIL'
}
