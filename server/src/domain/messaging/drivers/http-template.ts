import { DeliveryError, type Outgoing, type OpenProvider } from './types.ts'

export type BodyFormat = 'json' | 'form'

/** What a body template of an HTTP provider may name; {{secret}} also in header values. */
export const bodyPlaceholders = ['to', 'from', 'fromName', 'subject', 'text', 'html', 'id', 'secret'] as const
export const headerPlaceholders = ['id', 'secret'] as const

const placeholder = /\{\{\s*(\w+)\s*\}\}/g

export function placeholdersIn(template: string): string[] {
  return [...template.matchAll(placeholder)].map((match) => match[1]!)
}

/** Null for a content type whose escaping we do not know. */
export function bodyFormatOf(headers: Record<string, string>): BodyFormat | null {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'content-type')
  const type = (name ? headers[name]! : 'application/json').split(';')[0]!.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') return 'form'
  return type === 'application/json' || type.endsWith('+json') ? 'json' : null
}

// A value can end neither the text it stands in nor the member beside it.
const escapes: Record<BodyFormat, (value: string) => string> = {
  json: (value) => JSON.stringify(value).slice(1, -1),
  form: encodeURIComponent,
}

export function fillBody(template: string, format: BodyFormat, values: Record<string, string>): string {
  const body = template.replaceAll(placeholder, (_, name: string) => escapes[format](values[name] ?? ''))
  if (format === 'json' && !isJson(body)) throw new DeliveryError('failed', 'The bodyTemplate is not JSON.')
  return body
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A header value is one line of printable characters; nothing that is filled in may make it two (S47). */
export function fillHeader(template: string, values: Record<string, string>): string {
  const value = template.replaceAll(placeholder, (_, name: string) => values[name] ?? '')
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new DeliveryError('failed', 'A header would have more than one line or characters that headers cannot carry.')
  }
  return value
}

export function valuesOf(provider: OpenProvider, message: Outgoing): Record<string, string> {
  return {
    to: message.to,
    from: provider.fromAddress ?? '',
    fromName: provider.fromName ?? '',
    subject: message.subject ?? '',
    text: message.text,
    html: message.html ?? '',
    id: message.id,
    secret: provider.secret ?? '',
  }
}
