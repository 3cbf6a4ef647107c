import { describe, expect, test } from 'vitest'
import { formatDays, formatWait, locales, negotiateLocale, translate, translateCount } from './index.ts'
import { languages, type MessageKey } from './languages.ts'

const english = Object.entries(languages.en.catalogue) as [MessageKey, string][]

function readPlaceholders(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort()
}

describe('messages', () => {
  test('fills in values once and never twice', () => {
    expect(translate('en', 'login.subtitle', { realm: '{realm} $&' })).toBe('Continue to {realm} $&')
  })

  test.each(locales)('%s has every message, with the same values in it', (locale) => {
    const { catalogue } = languages[locale]
    expect(Object.keys(catalogue).sort()).toEqual(english.map(([key]) => key).sort())
    for (const [key, text] of english) {
      expect(readPlaceholders(catalogue[key]), key).toEqual(readPlaceholders(text))
      expect(catalogue[key].trim(), key).toBe(catalogue[key])
      // A straight quote is a slip; a brace outside a placeholder would be shown as it is.
      expect(catalogue[key].replaceAll(/\{\w+\}/g, ''), key).toMatch(/^[^"'{}]+$/)
    }
  })

  test.each(locales.filter((locale) => locale !== 'en'))('%s is another language than English', (locale) => {
    // Names and words that are the same in both are few.
    const same = english.filter(([key, text]) => languages[locale].catalogue[key] === text)
    expect(same.length).toBeLessThan(english.length / 20)
  })

  test('counts in each language', () => {
    expect(translateCount('en', 'rule.minDigits', 1)).toBe('At least 1 digit')
    expect(translateCount('de', 'rule.minDigits', 2)).toBe('Mindestens 2 Ziffern')
    expect(translateCount('fr', 'rule.historyCount', 1)).toBe('N’est pas votre dernier mot de passe')
    expect(formatDays('nl', 30)).toBe('30 dagen')
  })

  test('gives waiting times in words', () => {
    expect(formatWait('en', 0)).toBe('1 second')
    expect(formatWait('en', 59.2)).toBe('60 seconds')
    expect(formatWait('en', 60)).toBe('1 minute')
    expect(formatWait('en', 3600)).toBe('60 minutes')
    expect(formatWait('de', 90)).toBe('2 Minuten')
  })
})

describe('the language of a page', () => {
  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['en-GB,en;q=0.9', 'en'],
    ['xx, en;q=0.1', 'en'],
    ['nl-BE, en;q=0.8', 'nl'],
    ['en;q=0.5, de;q=0.9', 'de'],
    ['fr;q=0, de;q=0.1', 'de'],
    ['constructor', 'en'],
    ['__proto__', 'en'],
    ['en;q=x', 'en'],
    [',;q=,'.repeat(10_000), 'en'],
    [`${' '.repeat(300)}nl`, 'en'],
  ])('answers the header %j with a language there is', (header, locale) => {
    expect(negotiateLocale(header)).toBe(locale)
  })

  test('is the realm’s own when the reader wants none of its languages', () => {
    expect(negotiateLocale('xx', 'nl-BE')).toBe('nl')
    expect(negotiateLocale('fr', 'de', ['de', 'en'])).toBe('de')
    expect(negotiateLocale('de', 'en', ['en'])).toBe('en')
  })

  test('is the chosen one first, if the realm offers it', () => {
    expect(negotiateLocale('de', 'en', undefined, 'fr')).toBe('fr')
    expect(negotiateLocale('de', 'en', undefined, 'xx fr-CA nl')).toBe('fr')
    expect(negotiateLocale('de', 'en', ['en', 'de'], 'fr')).toBe('de')
    expect(negotiateLocale('de', 'en', undefined, null)).toBe('de')
    expect(negotiateLocale('de', 'en', undefined, 'x '.repeat(5000))).toBe('de')
  })

  test('is one we can write even where the realm offers only others', () => {
    expect(negotiateLocale('pt', 'pt-BR', ['pt-BR', 'sv'])).toBe('en')
    expect(negotiateLocale('pt', 'pt-BR', ['pt-BR', 'nl'])).toBe('nl')
    expect(negotiateLocale('en', 'xx', [])).toBe('en')
  })
})
