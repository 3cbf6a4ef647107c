import { describe, expect, test } from 'vitest'
import type { StepPage } from '../../domain/sign-in/index.ts'
import { locales, renderStepPage, type StepFrame } from '../index.ts'

const frame: StepFrame = {
  realm: { realmId: 'acme', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null },
  locale: 'en',
  csrf: 'csrf-value',
  action: '/realms/acme/login',
  continuation: 'next',
  signInId: 's-1',
  rememberMe: { offered: false },
  resetPasswordAllowed: false,
  registrationAllowed: false,
  loginWithEmail: true,
}

const none: string[] = []
const who = { username: 'ada', error: null }
const factor = { ...who, others: none, trustDays: 0 }
const otp = { ...factor, page: 'OTP', method: 'otp-email', sentTo: 'a•••@x.example', resendSeconds: 0 } as const

function readForms(html: string): string[] {
  return html.match(/<form[\s\S]*?<\/form>/g) ?? []
}

describe('a step with a code', () => {
  test('asks for it with the keyboard of numbers and offers it from messages', () => {
    const html = renderStepPage(frame, otp)
    expect(html).toMatch(
      /<input type="text" dir="ltr" inputmode="numeric"[^>]*name="code"[^>]*autocomplete="one-time-code"/,
    )
    expect(html).toContain('We sent a code to <bdi>a•••@x.example</bdi>.')
    const recovery = renderStepPage(frame, { ...factor, page: 'RECOVERY_CODE' })
    expect(recovery).toMatch(/name="code"[^>]*autocomplete="off"/)
    expect(recovery).not.toContain('inputmode')
  })

  test('keeps other ways and another message in forms of their own, each with the CSRF value', () => {
    const forms = readForms(renderStepPage(frame, { ...otp, others: ['totp', 'recovery-code'] }))
    expect(forms).toHaveLength(3)
    for (const form of forms) {
      expect(form).toContain('name="_csrf" value="csrf-value"')
      expect(form).toContain('name="signIn" value="s-1"')
    }
    expect(forms[0]).not.toMatch(/name="(?:method|resend)"/)
    expect(forms[1]).toContain('name="resend" value="true"')
    expect(forms[2]).toMatch(
      /name="method" value="totp"><bdi>Authenticator app[\s\S]*name="method" value="recovery-code"/,
    )
  })

  test('says when another message can be asked for', () => {
    expect(renderStepPage(frame, { ...otp, resendSeconds: 45 })).toContain('Possible after 45 seconds')
    expect(renderStepPage(frame, otp)).not.toContain('Possible after')
    expect(renderStepPage(frame, { ...otp, method: 'totp', sentTo: null, resendSeconds: null })).not.toContain('resend')
  })

  test('offers to trust the device only where the realm does', () => {
    expect(renderStepPage(frame, { ...otp, trustDays: 30 })).toMatch(/name="trustDevice"[\s\S]*for 30 days/)
    expect(renderStepPage(frame, otp)).not.toContain('trustDevice')
  })
})

describe('setting up an authenticator app', () => {
  const uri = 'otpauth://totp/Acme:ada?secret=JBSWY3DPEHPK3PXP&issuer=Acme'
  const totp = { ...who, page: 'CONFIGURE_TOTP', secret: 'JBSWY3DPEHPK3PXP', uri, others: none } as const

  test('gives the key as a picture, a link and a text', () => {
    const html = renderStepPage(frame, totp)
    expect(html).toMatch(/<svg class="gh-qr"[^>]*role="img" aria-label="QR code[^>]*><path d="M4 4h7v1h-7z/)
    expect(html).toContain('href="otpauth://totp/Acme:ada?secret=JBSWY3DPEHPK3PXP&amp;issuer=Acme"')
    expect(html).toContain('>JBSW Y3DP EHPK 3PXP<')
  })

  test.each(['javascript:alert(1)', 'otpauth://hotp/x', 'https://evil.example/', 'otpauth://totp/\u0001x', ''])(
    'S47: links no app at %j',
    (bad) => {
      expect(renderStepPage(frame, { ...totp, uri: bad })).toContain('class="gh-link" href="#"')
    },
  )

  test('does without the picture when the address is longer than one holds', () => {
    const html = renderStepPage(frame, { ...totp, uri: `otpauth://totp/${'x'.repeat(4000)}` })
    expect(html).not.toContain('<svg')
    expect(html).toContain('JBSW Y3DP')
  })
})

test('recovery codes are taken note of before the sign-in goes on', () => {
  const codes = ['AAAA-1', 'BBBB-2']
  const page = { ...who, page: 'CONFIGURE_RECOVERY_CODES', codes } as const
  const html = renderStepPage(frame, page)
  expect(html).toMatch(/AAAA-1[\s\S]*BBBB-2[\s\S]*type="checkbox" name="saved" value="true" required/)
  expect(renderStepPage(frame, { ...page, error: 'saveNeeded' })).toMatch(
    /autofocus aria-invalid="true" aria-describedby="saved-error"/,
  )
})

describe('errors of fields', () => {
  const page = {
    page: 'UPDATE_PASSWORD',
    username: 'ada',
    rules: [] as { code: string; value: number | null }[],
  } as const
  const errors = [
    { field: 'newPassword', code: 'password_policy', message: 'It needs a digit.' },
    { field: 'newPassword', code: 'password_policy', message: 'It is too short.' },
    { field: 'newPassword', code: 'never_heard_of', message: 'Something else.' },
  ]

  test('are the exact ones in English, and one sentence each in other languages', () => {
    const english = renderStepPage(frame, { ...page, errors })
    expect(english).toContain('It needs a digit. It is too short. Something else.')
    const german = renderStepPage({ ...frame, locale: 'de' }, { ...page, errors })
    expect(german).toContain('Das Passwort hält die Regeln oben nicht ein. Prüfen Sie Ihre Eingabe.')
    expect(german).not.toMatch(/digit|short|Something/)
  })

  test('put the cursor into the first field that is wrong', () => {
    const html = renderStepPage(frame, {
      ...page,
      errors: [{ field: 'confirmPassword', code: 'mismatch', message: '' }],
    })
    expect(html.match(/autofocus/g)).toHaveLength(1)
    expect(html).toMatch(/id="confirmPassword"[^>]*autofocus/)
  })
})

test('the rules of the policy are in the language of the page, and unknown ones are left out', () => {
  const rules = [
    { code: 'minLength', value: 12 },
    { code: 'minDigits', value: 1 },
    { code: 'notUsername', value: null },
    { code: 'maxAgeDays', value: 90 },
    { code: 'invented', value: 3 },
    { code: 'constructor', value: null },
  ]
  const page = { page: 'UPDATE_PASSWORD', username: 'ada', rules, errors: [] as never[] } as const
  const read = (html: string) => [...html.matchAll(/<li>([^<]*)<\/li>/g)].map(([, text]) => text)
  expect(read(renderStepPage({ ...frame, locale: 'fr' }, page))).toEqual([
    'Au moins 12 caractères',
    'Au moins 1 chiffre',
    'Ne contient pas votre nom d’utilisateur',
    'Reste valable 90\u00a0jours',
  ])
})

test.each(locales)('every step and every error has words in %s', (locale) => {
  const errors = [
    'credentials',
    'usernameMissing',
    'passwordMissing',
    'rateLimited',
    'expired',
    'codeMissing',
    'codeWrong',
    'codeExpired',
    'passkeyFailed',
    'notSent',
    'acceptNeeded',
    'saveNeeded',
  ] as const
  for (const error of errors) {
    const pages: StepPage[] = [
      { ...otp, error },
      { ...who, page: 'TERMS', termsUrl: null, error },
      { ...who, page: 'CONFIGURE_RECOVERY_CODES', codes: ['A'], error },
      { page: 'LOGIN', username: '', error, fields: 'BOTH', passkey: null, magicLink: false, qr: false },
    ]
    for (const page of pages) {
      const html = renderStepPage({ ...frame, locale }, page)
      expect(html, `${page.page} ${error}`).toContain('role="alert"')
      expect(html).not.toMatch(/\{\w+\}|undefined|error\./)
    }
  }
})
