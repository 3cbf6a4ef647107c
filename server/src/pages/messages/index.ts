// What the pages say, in every language there is a catalogue for.
// Specification part 2 (realm branding) leaves languages open; contract 2.64 names `defaultLocale` and `supportedLocales`.
// Called by every page; the application calls `negotiateLocale` once a request.

import { en } from './en.ts'

export type MessageKey = keyof typeof en
export type Catalogue = Readonly<Record<MessageKey, string>>

/** A language is one file beside this one and one line here. */
const languages = {
  en: { catalogue: en as Catalogue, direction: 'ltr' },
} as const satisfies Record<string, { catalogue: Catalogue; direction: 'ltr' | 'rtl' }>

export type Locale = keyof typeof languages
export const locales = Object.keys(languages) as Locale[]
export const fallbackLocale: Locale = 'en'

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** The values a message needs, read from its English text, so that a forgotten one does not compile. */
export type MessageParams<Key extends MessageKey> = [Placeholders<(typeof en)[Key]>] extends [never]
  ? []
  : [params: Record<Placeholders<(typeof en)[Key]>, string | number>]

export function translate<Key extends MessageKey>(locale: Locale, key: Key, ...[params]: MessageParams<Key>): string {
  const values: Readonly<Record<string, string | number>> = params ?? {}
  const text = languages[locale].catalogue[key]
  // One pass over the template: a value that itself holds `{…}` is never filled in again.
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

/** A message as literal texts and placeholder names in turn, for sentences whose values become elements. */
export function splitMessage(locale: Locale, key: MessageKey): { text: string; placeholder: boolean }[] {
  const parts = languages[locale].catalogue[key].split(/\{(\w+)\}/)
  return parts.map((text, index) => ({ text, placeholder: index % 2 === 1 }))
}

export function textDirection(locale: Locale): 'ltr' | 'rtl' {
  return languages[locale].direction
}

/** The best language for an Accept-Language header. Only the start of a long header is read: it comes from outside. */
export function negotiateLocale(acceptLanguage: string | undefined, preferred: string = fallbackLocale): Locale {
  const ranges = (acceptLanguage ?? '')
    .slice(0, 256)
    .split(',')
    .map((part) => {
      const [tag = '', ...options] = part.trim().toLowerCase().split(';')
      const quality = options.find((option) => option.trim().startsWith('q='))
      return { tag: tag.split('-')[0] ?? '', quality: quality ? Number(quality.trim().slice(2)) || 0 : 1 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
  const found = ranges.map(({ tag }) => tag).find(isLocale)
  return found ?? (isLocale(preferred) ? preferred : fallbackLocale)
}

/** A waiting time in words, in the locale's own plural forms: "45 seconds", "1 minute". */
export function formatWait(locale: Locale, seconds: number): string {
  const [value, unit] = seconds < 60 ? [Math.max(1, Math.ceil(seconds)), 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** A moment in UTC: without script the server cannot know the reader's time zone. */
export function formatMoment(locale: Locale, moment: Date): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment)
}

function isLocale(text: string): text is Locale {
  return Object.hasOwn(languages, text)
}
