import { describe, expect, test } from 'vitest'
import { type LoginPageProps, renderLoginPage } from './index.ts'

const props: LoginPageProps = {
  realm: { realmId: 'acme', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null },
  csrf: 'csrf-value',
  action: '/realms/acme/login',
  continuation: 'next',
  signInId: null,
  username: '',
  rememberMe: { offered: true },
  resetPasswordAllowed: true,
  registrationAllowed: true,
  loginWithEmail: true,
  error: null,
}

function readInput(html: string, name: string): string {
  return html.match(new RegExp(`<input[^>]*name="${name}"[^>]*>`))?.[0] ?? ''
}

describe('the sign-in page', () => {
  test('posts username, password and _csrf in one form', () => {
    const html = renderLoginPage(props)
    expect(html).toContain('method="post" action="/realms/acme/login"')
    expect(readInput(html, 'username')).toContain('autocomplete="username"')
    expect(readInput(html, 'password')).toContain('autocomplete="current-password"')
    expect(readInput(html, '_csrf')).toContain('value="csrf-value"')
    expect(readInput(html, 'continuation')).toContain('value="next"')
    expect(readInput(html, 'signIn')).toBe('')
    expect(readInput(renderLoginPage({ ...props, signInId: 's-1' }), 'signIn')).toContain('value="s-1"')
  })

  test('never sends a password back', () => {
    expect(readInput(renderLoginPage({ ...props, error: 'login.error.credentials' }), 'password')).not.toContain(
      'value=',
    )
  })

  test('puts the cursor where typing goes on', () => {
    expect(readInput(renderLoginPage(props), 'username')).toContain('autofocus')
    const known = renderLoginPage({ ...props, username: 'ada' })
    expect(readInput(known, 'username')).not.toContain('autofocus')
    expect(readInput(known, 'password')).toContain('autofocus')
  })

  test('ties an error to its field and puts the cursor there', () => {
    const html = renderLoginPage({ ...props, username: 'ada', error: 'login.error.credentials' })
    expect(html).toMatch(/id="password-error" role="alert"/)
    expect(readInput(html, 'password')).toMatch(/autofocus.*aria-invalid="true" aria-describedby="password-error"/)
    const missing = renderLoginPage({ ...props, error: 'login.error.usernameMissing' })
    expect(readInput(missing, 'username')).toMatch(/autofocus.*aria-invalid="true" aria-describedby="username-error"/)
    expect(readInput(missing, 'password')).not.toContain('aria-invalid')
  })

  test('says how long to wait', () => {
    const limited = { ...props, error: 'login.error.rateLimited' } as const
    expect(renderLoginPage({ ...limited, retryAfterSeconds: 1 })).toContain('Wait 1 second and')
    expect(renderLoginPage({ ...limited, retryAfterSeconds: 61 })).toContain('Wait 2 minutes and')
  })

  test('offers only what the realm allows', () => {
    const html = renderLoginPage({
      ...props,
      rememberMe: { offered: false },
      resetPasswordAllowed: false,
      registrationAllowed: false,
      loginWithEmail: false,
    })
    expect(html).not.toMatch(/rememberMe|reset-password|register|email/)
    expect(renderLoginPage(props)).toMatch(/name="rememberMe"[\s\S]*reset-password[\s\S]*register/)
  })

  test('links the realm theme and logo only when there are any', () => {
    expect(renderLoginPage(props)).not.toContain('/branding/')
    const html = renderLoginPage({ ...props, realm: { ...props.realm, logo: true, themeVersion: 3 } })
    expect(html).toContain('href="/realms/acme/branding/theme.css?v=3"')
    expect(html).toContain('src="/realms/acme/branding/logo?v=3" alt="Acme"')
  })

  test.each(['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)', '/a\tb', ''])(
    'refuses to post to %j',
    (action) => {
      expect(() => renderLoginPage({ ...props, action })).toThrow(TypeError)
    },
  )
})
