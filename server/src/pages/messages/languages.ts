// The languages there are, each a folder beside this file and one line here.

import { de } from './de/index.ts'
import { en } from './en/index.ts'
import { fr } from './fr/index.ts'
import { nl } from './nl/index.ts'
import type { Texts } from './texts.ts'

export type MessageKey = keyof typeof en
export type Catalogue = Texts<typeof en>
/** The English texts with their exact wording, from which the values of each message are read. */
export type English = typeof en

interface Language {
  catalogue: Catalogue
  direction: 'ltr' | 'rtl'
  /** What the language calls itself, since whoever looks for it may read no other. */
  name: string
}

export const languages = {
  en: { catalogue: en as Catalogue, direction: 'ltr', name: 'English' },
  nl: { catalogue: nl, direction: 'ltr', name: 'Nederlands' },
  de: { catalogue: de, direction: 'ltr', name: 'Deutsch' },
  fr: { catalogue: fr, direction: 'ltr', name: 'Français' },
} as const satisfies Record<string, Language>

export type Locale = keyof typeof languages
export const locales = Object.keys(languages) as Locale[]
export const fallbackLocale: Locale = 'en'

export function isLocale(text: string): text is Locale {
  return Object.hasOwn(languages, text)
}
