import { fallbackLocale, findLanguage, languageOrFallback } from './built-in/index.ts'
import { type TemplateKey, templateChannels } from './keys.ts'
import type { RenderableTemplate } from './render.ts'

/** A template of the realm's own, as the snapshot holds it. */
export interface CustomTemplate {
  id: string
  templateKey: TemplateKey
  /** '' is for every language that has none of its own. */
  locale: string
  subject: string | null
  body: string
  html: boolean
  enabled: boolean
}

export interface ChosenTemplate extends RenderableTemplate {
  /** The language it is written in, as far as that is known. */
  locale: string
  enabled: boolean
  customized: boolean
}

/**
 * The person's language, then the realm's, then English. In each of them a text of the realm comes before ours, and one that it
 * wrote for all languages before ours as well.
 */
export function chooseTemplate(
  customized: readonly CustomTemplate[],
  key: TemplateKey,
  { personLocale, realmLocale }: { personLocale: string | null; realmLocale: string },
): ChosenTemplate {
  const own = customized.filter(({ templateKey }) => templateKey === key)
  const find = (locale: string) => own.find((template) => template.locale.toLowerCase() === locale.toLowerCase())
  for (const locale of [personLocale, realmLocale, fallbackLocale]) {
    if (locale === null) continue
    const specific = find(locale) ?? find(locale.split('-')[0]!)
    if (specific) return fromCustom(specific, specific.locale)
    const general = find('')
    if (general) return fromCustom(general, realmLocale)
    if (findLanguage(locale)) return fromBuiltIn(key, locale)
  }
  return fromBuiltIn(key, fallbackLocale)
}

export function fromBuiltIn(key: TemplateKey, locale: string): ChosenTemplate {
  const found = languageOrFallback(locale)
  const { subject, body, action } = found.texts.templates[key]
  const common = { channel: templateChannels[key], html: false, enabled: true, customized: false }
  return { ...common, subject, body, action: action ?? null, locale: found.locale }
}

function fromCustom(template: CustomTemplate, locale: string): ChosenTemplate {
  const { templateKey, subject, body, html, enabled } = template
  const action = languageOrFallback(locale).texts.templates[templateKey].action ?? null
  return { channel: templateChannels[templateKey], subject, body, html, enabled, action, locale, customized: true }
}

// Languages written from right to left that people of the world's realms read.
const rightToLeft = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi'])

export function directionOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(locale.split('-')[0]!.toLowerCase()) ? 'rtl' : 'ltr'
}
