import { z } from 'zod'
import { channels } from '../channels.ts'
import { templateChannels, templateKeys } from './keys.ts'

const templateKey = z.enum(templateKeys)
const channel = z.enum(channels)
const locale = z
  .string()
  .max(16)
  .regex(/^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/, 'A language tag such as en or pt-BR.')
  .nullable()

// A mail of 64 KiB is cut by common programs; ten parts are the most that text messages are joined from.
const maxBodyLength = 65_536
const maxShortLength = 1600

export const MessageTemplate = z
  .object({
    id: z.uuid(),
    realmId: z.string(),
    templateKey,
    channel,
    locale: locale.describe('Null is for every language that has no text of its own.'),
    subject: z.string().nullable(),
    body: z.string(),
    enabled: z.boolean().describe('False: messages of this kind are not sent.'),
    html: z
      .boolean()
      .describe('The body is HTML and sent as it is; else it is text, which mails show in the realm’s look.'),
    customized: z.boolean(),
  })
  .meta({ id: 'MessageTemplate' })
export type MessageTemplate = z.infer<typeof MessageTemplate>

// Read-only members may come back as they were read: GET, edit, PUT must work (contract 2.2).
const readOnly = z.unknown().optional()

export const MessageTemplateInput = z
  .strictObject({
    templateKey,
    channel,
    locale: locale.default(null),
    // It becomes a header (S47).
    subject: z
      .string()
      .max(255)
      .regex(/^\P{Cc}*$/u, 'One line of text.')
      .nullable()
      .default(null),
    body: z
      .string()
      .min(1)
      .max(maxBodyLength)
      .regex(/^[\P{Cc}\n\r\t]*$/u, 'Text without control characters.'),
    enabled: z.boolean().default(true),
    html: z.boolean().default(false),
    id: readOnly,
    realmId: readOnly,
    customized: readOnly,
  })
  .check((check) => {
    const { value } = check
    const say = (path: string, message: string) =>
      check.issues.push({ code: 'custom', path: [path], message, input: value })
    const expected = templateChannels[value.templateKey]
    if (value.channel !== expected) say('channel', `${value.templateKey} is a template for ${expected}.`)
    if (expected === 'EMAIL' && !value.subject) say('subject', 'A mail has a subject.')
    if (expected !== 'EMAIL' && value.html) say('html', 'Only mails can be HTML.')
    if (expected !== 'EMAIL' && value.body.length > maxShortLength) say('body', `At most ${maxShortLength} characters.`)
  })
  .meta({ id: 'MessageTemplateInput' })
export type MessageTemplateInput = z.infer<typeof MessageTemplateInput>

export const PreviewInput = z
  .strictObject({
    templateKey: z.string().min(1).max(255),
    sample: z
      .record(z.string().min(1).max(260), z.string().max(8192))
      .refine((sample) => Object.keys(sample).length <= 100, 'At most 100 values.')
      .default({})
      .describe('Values by the name of their placeholder, such as code or user.firstName.'),
    locale: locale.optional().describe('The language of the reader; the realm’s default when omitted.'),
  })
  .meta({ id: 'TemplatePreviewInput' })
export type PreviewInput = z.infer<typeof PreviewInput>

export const Preview = z
  .object({
    templateKey,
    channel,
    subject: z.string().nullable(),
    body: z.string(),
    missing: z.array(z.string()).describe('Placeholders that have no value; they render empty.'),
    html: z.string().nullable().describe('The whole HTML part of a mail.'),
  })
  .meta({ id: 'TemplatePreview' })
export type Preview = z.infer<typeof Preview>
