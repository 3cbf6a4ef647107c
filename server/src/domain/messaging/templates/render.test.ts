import { describe, expect, test } from 'vitest'
import { builtInLocales, languageOrFallback } from './built-in/index.ts'
import { chooseTemplate, type CustomTemplate, fromBuiltIn } from './choose.ts'
import { type TemplateKey, templateChannels, templateKeys } from './keys.ts'
import type { MailLook } from './layout.ts'
import { placeholdersOf } from './placeholders.ts'
import { renderMessage } from './render.ts'
import { textOf } from './text-part.ts'

const look: MailLook = { realmName: 'Acme & Sons', primaryColor: '#0a5', lang: 'en', dir: 'ltr' }
const values = {
  ...{ realm: 'Acme & Sons', code: '123456', ttl: '5', user: 'Ada', time: 'today' },
  link: 'https://login.example.com/x?token=a-b&next=%2F',
  ...{ client: 'Bank', message: 'Order 4711' },
  ...{ change: 'Your password was changed.', place: 'Firefox on Linux, 203.0.113.7' },
}
const known = ['realm', 'code', 'ttl', 'user', 'link', 'time', 'client', 'message', 'change', 'place']

describe.each(builtInLocales)('the built-in templates in %s', (locale) => {
  const { texts } = languageOrFallback(locale)

  test.each(templateKeys)('%s renders without a gap', (key) => {
    const template = fromBuiltIn(key, locale)
    const rendered = renderMessage(template, values, { ...look, lang: locale })
    expect(rendered.missing).toEqual([])
    expect(rendered.text).not.toMatch(/\{\{|undefined/)
    expect(placeholdersOf(template.body).filter((name) => !known.includes(name))).toEqual([])
    // The same facts as in English: what is filled in there is filled in here.
    const english = fromBuiltIn(key, 'en')
    expect(new Set(placeholdersOf(template.body))).toEqual(new Set(placeholdersOf(english.body)))
    expect(template.action === null).toBe(english.action === null)
  })

  const keysOf = (channel: string) => templateKeys.filter((key) => templateChannels[key] === channel)
  const render = (key: TemplateKey) => renderMessage(fromBuiltIn(key, locale), values, { ...look, lang: locale })

  test('are mails in the realm’s name, and short texts elsewhere', () => {
    for (const { subject, html } of keysOf('EMAIL').map(render)) {
      expect(subject).toMatch(/Acme & Sons/)
      for (const piece of [`<html lang="${locale}" dir="ltr">`, 'Acme &amp; Sons', 'max-width:600px'])
        expect(html).toContain(piece)
    }
    for (const { text, html } of [...keysOf('SMS'), ...keysOf('PUSH')].map(render)) {
      expect(html).toBeNull()
      // One text message of the usual alphabet.
      expect(text.length).toBeLessThan(160)
    }
  })

  test('name the button and the hint', () => {
    expect([texts.linkHint, texts.footer, texts.action].every((text) => text.length > 3)).toBe(true)
  })
})

test('a link becomes a button in the realm’s colour and stands beneath as text; the text part has it, too', () => {
  const { html, text } = renderMessage(fromBuiltIn('magic-link-email', 'en'), values, look)
  const address = 'https://login.example.com/x?token&#61;a-b&amp;next&#61;%2F'
  expect(html!.split(`href="${address}"`)).toHaveLength(3)
  expect(html).toMatch(/background:#00aa55;color:#\w{6}[^>]*>Sign in<\/a>/)
  expect(html).toContain(`>${address}</a>`)
  expect(text).toContain(`\n\n${values.link}\n\n`)
  expect(html).toMatch(/<meta name="color-scheme" content="light dark">/)
  expect(html).toMatch(/display:none[^>]*>Use this link to sign in/)
  // Nothing is loaded from anywhere, so that opening a mail tells nobody.
  expect(html).not.toMatch(/src=|url\(|<link|<script|@import/)
})

describe('S47: what is filled in', () => {
  const nasty = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='x",
    '{{link}} {{code}}',
    'a\r\nBcc: eve@example.net',
    '\u202egnp.exe',
    '</td></tr></table>',
    '`x=y`',
  ]

  test.each(nasty)('cannot be more than text: %j', (user) => {
    const given = { ...values, user, realm: user }
    const laidOut = renderMessage(fromBuiltIn('verify-email', 'en'), given, { ...look, realmName: user })
    const own = {
      channel: 'EMAIL',
      subject: 'Hello {{user}}',
      body: '<p title={{user}}>{{user}}</p>',
      html: true,
      action: null,
    }
    const custom = renderMessage(own, given, look)
    for (const { html, subject, text } of [laidOut, custom]) {
      expect(html).not.toMatch(/<script>|<img|onmouseover='|<\/td><\/tr><\/table>[^\s<]/)
      expect(html).not.toMatch(/\u202e/)
      expect(subject).not.toMatch(/\p{Cc}|\u202e/u)
      expect(text).not.toContain('\r')
    }
    expect(custom.html!.match(/[<>]/g)).toHaveLength(4)
  })

  test('is not filled in again: values are no templates', () => {
    const template = { channel: 'SMS', subject: null, body: '{{user}}', html: false, action: null }
    expect(renderMessage(template, { ...values, user: '{{link}} {{code}}' }, look).text).toBe('{{link}} {{code}}')
  })

  test('makes no button of an address that is none of the web', () => {
    const { html } = renderMessage(fromBuiltIn('verify-email', 'en'), { ...values, link: 'javascript:alert(1)' }, look)
    expect(html).not.toMatch(/href="javascript/)
  })

  test('renders empty and is named where it is unknown, and prototypes are unknown', () => {
    const body = 'A {{user.department}} B {{nothing}} C {{constructor}} D {{__proto__}}'
    const template = { channel: 'SMS', subject: null, body, html: false, action: null }
    const rendered = renderMessage(template, { 'user.department': 'R&D' }, look)
    expect(rendered.text).toBe('A R&D B  C  D ')
    expect(rendered.missing).toEqual(['nothing', 'constructor', '__proto__'])
  })
})

describe('the text part of an HTML template', () => {
  test.each([
    ['<p>Hello <b>Ada</b>,</p><p>a &amp; b &lt;c&gt;</p>', 'Hello Ada,\na & b <c>'],
    ['<style>p { color: red }</style><p>x</p><!-- no -->', 'x'],
    ['<a href="https://x.test/a?b&#61;c">Sign in</a>', 'Sign in (https://x.test/a?b=c)'],
    ['one<br>two<br/>three', 'one\ntwo\nthree'],
    ['<div>unclosed <b', 'unclosed <b'],
  ])('%s', (html, text) => {
    expect(textOf(html)).toBe(text)
  })

  test('takes a moment only, whatever it is made of', () => {
    const startedAt = performance.now()
    for (const piece of [
      '<',
      '<a href=',
      '<!--',
      '<style',
      '<a href="x">',
      '<style>',
      '&#',
      ' ',
      '<a ',
      '\n',
      '<!-->',
    ]) {
      for (const end of ['', '>', '</a>', '-->']) textOf(piece.repeat(Math.floor(65_536 / piece.length)) + end)
    }
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})

describe('the language', () => {
  const custom = (locale: string): CustomTemplate => ({
    ...{ id: locale, templateKey: 'otp-email', locale, subject: 's', html: false, enabled: true },
    body: `own ${locale}`,
  })
  const bodyFor = (own: CustomTemplate[], personLocale: string | null, realmLocale = 'en') =>
    chooseTemplate(own, 'otp-email', { personLocale, realmLocale }).body.split(',')[0]

  test('is the person’s, then the realm’s, then English', () => {
    expect(bodyFor([], 'nl-BE')).toBe('Hallo {{user}}')
    expect(bodyFor([], 'fr')).toBe('Bonjour {{user}}')
    expect(bodyFor([], 'pt-BR', 'de')).toBe('Hallo {{user}}')
    expect(bodyFor([], null, 'fr')).toBe('Bonjour {{user}}')
    expect(bodyFor([], 'pt', 'ja')).toBe('Hello {{user}}')
  })

  test('of the realm’s own texts comes first, and its general text before ours', () => {
    expect(bodyFor([custom('de')], 'de-AT')).toBe('own de')
    expect(bodyFor([custom('de-AT'), custom('de')], 'de-AT')).toBe('own de-AT')
    expect(bodyFor([custom(''), custom('nl')], 'de', 'nl')).toBe('own ')
    expect(bodyFor([custom('nl')], 'de', 'nl')).toBe('Hallo {{user}}')
    expect(bodyFor([custom('nl')], 'pt', 'nl')).toBe('own nl')
  })

  test('is written in its direction', () => {
    const { html } = renderMessage(fromBuiltIn('otp-email', 'en'), values, { ...look, lang: 'ar', dir: 'rtl' })
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(html).toContain('align="right"')
  })
})
