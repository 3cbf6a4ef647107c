// What the pages say, in every language there is a catalogue for.
// Contract 2.64 (`defaultLocale`, `supportedLocales`); OpenID Connect Core 3.1.2.1 (`ui_locales`).
// Called by every page; the application calls `negotiateLocale` once a request.

import { type English, languages, type Locale, type MessageKey } from './languages.ts'

export { type Catalogue, fallbackLocale, isLocale, type Locale, locales, type MessageKey } from './languages.ts'
export { negotiateLocale } from './negotiate.ts'

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** The values a message needs, read from its English text, so that a forgotten one does not compile. */
export type MessageParams<Key extends MessageKey> = [Placeholders<English[Key]>] extends [never]
  ? []
  : [params: Record<Placeholders<English[Key]>, string | number>]

/** Messages with a number in them, of which each language has a form for one and a form for others. */
export type CountedMessage = MessageKey extends infer Key ? (Key extends `${infer Base}.other` ? Base : never) : never

export function translate<Key extends MessageKey>(locale: Locale, key: Key, ...[params]: MessageParams<Key>): string {
  return fillIn(languages[locale].catalogue[key], params ?? {})
}

export function translateCount(locale: Locale, message: CountedMessage, count: number): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? 'one' : 'other'
  return fillIn(languages[locale].catalogue[`${message}.${form}`], { count })
}

function fillIn(text: string, values: Readonly<Record<string, string | number>>): string {
  // One pass over the template: a value that itself holds `{…}` is never filled in again.
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** Whether there is a message for a name that comes from elsewhere, such as the id of an authenticator. */
export function isMessage(key: string): key is MessageKey {
  return Object.hasOwn(languages.en.catalogue, key)
}

/** A message as literal texts and placeholder names in turn, for sentences whose values become elements. */
export function splitMessage(locale: Locale, key: MessageKey): { text: string; placeholder: boolean }[] {
  const parts = languages[locale].catalogue[key].split(/\{(\w+)\}/)
  return parts.map((text, index) => ({ text, placeholder: index % 2 === 1 }))
}

export function textDirection(locale: Locale): 'ltr' | 'rtl' {
  return languages[locale].direction
}

export function languageName(locale: Locale): string {
  return languages[locale].name
}

/** A waiting time in words, in the locale's own plural forms: "45 seconds", "1 minute". */
export function formatWait(locale: Locale, seconds: number): string {
  return seconds < 60
    ? formatUnit(locale, Math.max(1, Math.ceil(seconds)), 'second')
    : formatUnit(locale, Math.ceil(seconds / 60), 'minute')
}

export function formatDays(locale: Locale, days: number): string {
  return formatUnit(locale, days, 'day')
}

function formatUnit(locale: Locale, value: number, unit: 'second' | 'minute' | 'day'): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** A moment lately gone by, in words: "30 seconds ago", "2 minutes ago"; "now" for the one a clock ahead of ours gives. */
export function formatAgo(locale: Locale, seconds: number): string {
  const [value, unit] = pickUnit(Math.max(0, Math.floor(seconds)))
  return new Intl.RelativeTimeFormat(locale, { numeric: value === 0 ? 'auto' : 'always' }).format(-value, unit)
}

function pickUnit(seconds: number): [value: number, unit: 'second' | 'minute' | 'hour'] {
  if (seconds < 60) return [seconds, 'second']
  return seconds < 3600 ? [Math.floor(seconds / 60), 'minute'] : [Math.floor(seconds / 3600), 'hour']
}

/** A moment in UTC: without script the server cannot know the reader's time zone. */
export function formatMoment(locale: Locale, moment: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment)
}
