import { z } from 'zod'
import { isMailbox } from '../addresses.ts'
import { channels, drivers, driversOf, hasDriver } from '../channels.ts'
import { configSchemas, needsMailbox } from './config-schema.ts'

const channel = z.enum(channels)
const driver = z.enum(drivers).describe('EMAIL: smtp, http; SMS: twilio, http; PUSH: fcm, apns.')
// Control characters are refused because both end up in headers (S47).
const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^\P{Cc}*$/u, 'One line of text.')
const epochMs = z.int().nullable()

export const MessagingProvider = z
  .object({
    id: z.uuid(),
    realmId: z.string(),
    channel,
    driver,
    enabled: z.boolean(),
    priority: z.int().describe('The enabled provider with the highest one is used, the next when it fails.'),
    fromAddress: z.string().nullable(),
    fromName: z.string().nullable(),
    config: z.record(z.string(), z.unknown()).describe('Depends on the driver.'),
    secret: z.null().describe('Write-only: password, API key or private key.'),
    secretSet: z.boolean(),
    createdAt: z.int(),
    lastSuccessAt: epochMs,
    lastFailureAt: epochMs,
    lastError: z.string().nullable().describe('Why the last message could not be handed over.'),
  })
  .meta({ id: 'MessagingProvider' })
export type MessagingProvider = z.infer<typeof MessagingProvider>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const MessagingProviderInput = z
  .strictObject({
    channel,
    driver,
    enabled: z.boolean().default(true),
    priority: z.int().min(-1000).max(1000).default(0),
    fromAddress: line(255).nullable().default(null),
    fromName: line(255).nullable().default(null),
    config: z
      .record(z.string().max(64), z.unknown())
      .describe(
        'smtp: host, port, username, tls, timeoutMs; http: url, method, headers, bodyTemplate; twilio: accountSid, messagingServiceSid; fcm: projectId, clientEmail, endpoint; apns: teamId, keyId, bundleId, production.',
      ),
    secret: z.string().max(16_384).nullable().optional().describe('Omitted or null keeps it, an empty text clears it.'),
    id: readOnly,
    realmId: readOnly,
    secretSet: readOnly,
    createdAt: readOnly,
    lastSuccessAt: readOnly,
    lastFailureAt: readOnly,
    lastError: readOnly,
  })
  .check((check) => {
    const { value } = check
    if (!hasDriver(value.channel, value.driver)) {
      const message = `The drivers of ${value.channel} are ${driversOf[value.channel].join(' and ')}.`
      check.issues.push({ code: 'custom', path: ['driver'], message, input: value })
      return
    }
    if (needsMailbox(value.channel) && value.fromAddress !== null && !isMailbox(value.fromAddress)) {
      check.issues.push({ code: 'custom', path: ['fromAddress'], message: 'Not an e-mail address.', input: value })
    }
    const parsed = configSchemas[value.driver].safeParse(value.config)
    for (const issue of parsed.error?.issues ?? []) {
      check.issues.push({ ...issue, path: ['config', ...issue.path], input: value } as never)
    }
  })
  .meta({ id: 'MessagingProviderInput' })
export type MessagingProviderInput = z.infer<typeof MessagingProviderInput>

export const ProviderTestInput = z
  .strictObject({ to: z.string().min(1).max(4096).describe('An address of the channel, or a registered device.') })
  .meta({ id: 'MessagingTestInput' })
export type ProviderTestInput = z.infer<typeof ProviderTestInput>

export const ProviderTestResult = z
  .object({
    channel,
    driver,
    to: z.string(),
    delivered: z.boolean(),
    messageId: z.string().nullable().describe('What the provider calls the message, else our own id.'),
    error: z.string().nullable(),
    durationMs: z.int(),
  })
  .meta({ id: 'MessagingTestResult' })
export type ProviderTestResult = z.infer<typeof ProviderTestResult>
