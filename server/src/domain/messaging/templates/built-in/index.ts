import { de } from './de.ts'
import { en } from './en.ts'
import { fr } from './fr.ts'
import { nl } from './nl.ts'
import type { BuiltInLanguage } from './types.ts'

export type { BuiltInLanguage, BuiltInText } from './types.ts'

const languages: Readonly<Record<string, BuiltInLanguage>> = { en, nl, de, fr }
export const builtInLocales = Object.keys(languages)
export const fallbackLocale = 'en'

/** Null when there are no texts in the language itself; `nl-BE` is served by `nl`. */
export function findLanguage(locale: string): { locale: string; texts: BuiltInLanguage } | null {
  const tag = locale.split('-')[0]!.toLowerCase()
  return Object.hasOwn(languages, tag) ? { locale: tag, texts: languages[tag]! } : null
}

export function languageOrFallback(locale: string): { locale: string; texts: BuiltInLanguage } {
  return findLanguage(locale) ?? { locale: fallbackLocale, texts: en }
}
