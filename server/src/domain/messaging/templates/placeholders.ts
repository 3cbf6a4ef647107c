/** Values by the name of their placeholder, without braces. */
export type PlaceholderValues = Readonly<Record<string, string>>

// `{{name}}` and `{{user.<attribute>}}`; attribute names are at most 255 characters (contract 2.9).
const placeholder = /\{\{\s*([^{}\s]{1,260})\s*\}\}/g

// A link with its parameters is the longest that is ever filled in on purpose.
const maxValueLength = 4096

/** Control characters could end a header, a line of a text message or an SMTP line; the others turn the direction of text around. */
const unwanted = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu

export function cleanValue(value: string): string {
  return value.replaceAll(unwanted, ' ').slice(0, maxValueLength).toWellFormed()
}

// Also what ends an attribute that was written without quotes.
const htmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '=': '&#61;',
}

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`=]/g, (character) => htmlEscapes[character]!)
}

/** One pass: a value that itself holds `{{…}}` is never filled in again. What has no value renders empty and is named. */
export function fillIn(
  template: string,
  values: PlaceholderValues,
  missing: Set<string>,
  escape: (value: string) => string = (value) => value,
): string {
  return template.replaceAll(placeholder, (_, name: string) => {
    if (!Object.hasOwn(values, name)) {
      missing.add(name)
      return ''
    }
    return escape(cleanValue(values[name]!))
  })
}

/** The one placeholder that a paragraph consists of, if it does. */
export function onlyPlaceholder(paragraph: string): string | null {
  return /^\{\{\s*([^{}\s]{1,260})\s*\}\}$/.exec(paragraph.trim())?.[1] ?? null
}

export function placeholdersOf(template: string): string[] {
  return [...template.matchAll(placeholder)].map((match) => match[1]!)
}
