import { describe, expect, test } from 'vitest'
import { formatWait, negotiateLocale, translate } from './index.ts'

describe('messages', () => {
  test('fills in values once and never twice', () => {
    expect(translate('en', 'login.subtitle', { realm: '{realm} $&' })).toBe('Continue to {realm} $&')
  })

  test.each([
    [undefined, 'en'],
    ['', 'en'],
    ['en-GB,en;q=0.9', 'en'],
    ['xx, en;q=0.1', 'en'],
    ['constructor', 'en'],
    ['en;q=x', 'en'],
    [',;q=,'.repeat(10_000), 'en'],
  ])('answers the header %j with a language there is', (header, locale) => {
    expect(negotiateLocale(header)).toBe(locale)
  })

  test('gives waiting times in words', () => {
    expect(formatWait('en', 0)).toBe('1 second')
    expect(formatWait('en', 59.2)).toBe('60 seconds')
    expect(formatWait('en', 60)).toBe('1 minute')
    expect(formatWait('en', 3600)).toBe('60 minutes')
  })
})
