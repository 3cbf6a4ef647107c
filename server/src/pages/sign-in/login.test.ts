import { describe, expect, test } from 'vitest'
import type { StepPage } from '../../domain/sign-in/index.ts'
import { contentSecurityPolicy, pageHeaders, renderStepPage, type StepFrame, stepPageUsesScript } from '../index.ts'

const frame: StepFrame = {
  realm: { realmId: 'acme', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null },
  locale: 'en',
  csrf: 'csrf-value',
  action: '/realms/acme/login',
  continuation: 'next',
  signInId: null,
  rememberMe: { offered: true },
  resetPasswordAllowed: true,
  registrationAllowed: true,
  loginWithEmail: true,
}

type LoginStep = Extract<StepPage, { page: 'LOGIN' }>

const step: LoginStep = {
  page: 'LOGIN',
  username: '',
  error: null,
  fields: 'BOTH',
  passkey: null,
  magicLink: false,
  qr: false,
}
const passkey = { options: { challenge: 'YWJj', rpId: 'acme.example' }, challenge: 'sealed' }

function render(changes: Partial<LoginStep> = {}, frameChanges: Partial<StepFrame> = {}): string {
  return renderStepPage({ ...frame, ...frameChanges }, { ...step, ...changes })
}

function readInput(html: string, name: string): string {
  return html.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`))?.[0] ?? ''
}

describe('the sign-in page', () => {
  test('posts username, password and _csrf in one form', () => {
    const html = render()
    expect(html).toContain('method="post" action="/realms/acme/login"')
    expect(readInput(html, 'username')).toContain('autocomplete="username"')
    expect(readInput(html, 'password')).toContain('autocomplete="current-password"')
    expect(readInput(html, '_csrf')).toContain('value="csrf-value"')
    expect(readInput(html, 'continuation')).toContain('value="next"')
    expect(readInput(html, 'signIn')).toBe('')
    expect(readInput(render({}, { signInId: 's-1' }), 'signIn')).toContain('value="s-1"')
  })

  test('never sends a password back', () => {
    expect(readInput(render({ error: 'credentials' }), 'password')).not.toContain('value=')
  })

  test('puts the cursor where typing goes on', () => {
    expect(readInput(render(), 'username')).toContain('autofocus')
    const known = render({ username: 'ada' })
    expect(readInput(known, 'username')).not.toContain('autofocus')
    expect(readInput(known, 'password')).toContain('autofocus')
    expect(readInput(render({ fields: 'USERNAME', username: 'ada' }), 'username')).toContain('autofocus')
    expect(readInput(render({ fields: 'PASSWORD', username: 'ada' }), 'password')).toContain('autofocus')
  })

  test('ties an error to its field and puts the cursor there', () => {
    const html = render({ username: 'ada', error: 'credentials' })
    expect(html).toMatch(/id="password-error" role="alert"/)
    expect(readInput(html, 'password')).toMatch(/autofocus.*aria-invalid="true" aria-describedby="password-error"/)
    const missing = render({ error: 'usernameMissing' })
    expect(readInput(missing, 'username')).toMatch(/autofocus.*aria-invalid="true" aria-describedby="username-error"/)
    expect(readInput(missing, 'password')).not.toContain('aria-invalid')
  })

  test('says above the form what is wrong with a field it does not show', () => {
    const html = render({ fields: 'USERNAME', error: 'credentials' })
    expect(html).toMatch(/class="gh-alert" id="form-error"[\s\S]*do not match/)
    expect(readInput(html, 'username')).not.toContain('aria-invalid')
  })

  test('says how long to wait', () => {
    expect(render({ error: 'rateLimited' }, { retryAfterSeconds: 1 })).toContain('Wait 1 second and')
    expect(render({ error: 'rateLimited' }, { retryAfterSeconds: 61 })).toContain('Wait 2 minutes and')
    expect(render({ error: 'rateLimited' })).toContain('Wait 30 seconds and')
  })

  test('offers only what the realm allows', () => {
    const refused = { resetPasswordAllowed: false, registrationAllowed: false, loginWithEmail: false }
    const html = render({}, { ...refused, rememberMe: { offered: false } })
    expect(html).not.toMatch(/rememberMe|reset-password|register|email|magicLink|passkey/)
    expect(render()).toMatch(/name="rememberMe"[\s\S]*reset-password[\s\S]*register/)
  })

  test('links the realm theme and logo only when there are any', () => {
    expect(render()).not.toContain('/branding/')
    const html = render({}, { realm: { ...frame.realm, logo: true, themeVersion: 3 } })
    expect(html).toContain('href="/realms/acme/branding/theme.css?v=3"')
    expect(html).toContain('src="/realms/acme/branding/logo?v=3" alt="Acme"')
  })

  test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '/a\tb', ''])(
    'refuses to post to %j',
    (action) => {
      expect(() => render({}, { action })).toThrow(TypeError)
    },
  )
})

describe('one question after the other', () => {
  test('asks for the name alone, then for the password of that name', () => {
    const first = render({ fields: 'USERNAME' })
    expect(readInput(first, 'password')).toBe('')
    expect(first).toContain('>Continue</button>')
    const second = render({ fields: 'PASSWORD', username: 'ada' })
    expect(second).toMatch(/Account: <bdi>ada<\/bdi>[\s\S]*href="\/realms\/acme\/login">Not you\?/)
    // Password managers look for the name in the form.
    expect(readInput(second, 'username')).toMatch(/class="gh-visually-hidden"[^>]*value="ada"/)
  })
})

describe('passkeys on the sign-in page', () => {
  test('are suggested beside the username and started by a button that submits nothing by itself', () => {
    const html = render({ passkey })
    expect(readInput(html, 'username')).toContain('autocomplete="username webauthn"')
    expect(readInput(html, 'passkeyChallenge')).toContain('value="sealed"')
    expect(readInput(html, 'assertion')).toContain('type="hidden"')
    expect(html).toContain('data-options="{&quot;challenge&quot;:&quot;YWJj&quot;')
    expect(html).toMatch(/<button class="[^"]*gh-needs-script" type="button" data-passkey-start/)
    expect(html).toMatch(/<noscript>/)
  })

  test('S47: the script is allowed on the pages that load it and on no other', () => {
    for (const page of [step, { ...step, passkey }]) {
      const loads = renderStepPage(frame, page).includes('<script')
      expect(stepPageUsesScript(page)).toBe(loads)
      const policy = pageHeaders({ script: stepPageUsesScript(page) })['content-security-policy']
      expect(policy?.includes("script-src 'self'")).toBe(loads)
    }
    expect(contentSecurityPolicy()).not.toContain('script-src')
  })

  test('the Enter key presses the sign-in button, not another door', () => {
    const html = render({ passkey, magicLink: true })
    const submits = [...html.matchAll(/<button[^>]*type="submit"[^>]*>/g)].map(([button]) => button)
    expect(submits[0]).toBe('<button class="gh-button" type="submit">')
    expect(submits[1]).toMatch(/name="magicLink" value="true"[^>]*formnovalidate/i)
  })
})
