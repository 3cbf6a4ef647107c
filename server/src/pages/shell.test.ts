import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  contentSecurityPolicy,
  formPostHeaders,
  pageAssets,
  pageHeaders,
  renderErrorPage,
  renderFormPostPage,
  renderLandingPage,
  renderStepPage,
} from './index.ts'

const realm = { realmId: 'a b', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null }

const frame = {
  realm,
  locale: 'en',
  csrf: 'c',
  action: '/x',
  continuation: null,
  signInId: null,
  rememberMe: { offered: false },
  resetPasswordAllowed: false,
  registrationAllowed: false,
  loginWithEmail: false,
} as const
const passkeyStep = { page: 'WEBAUTHN', prompt: { options: {}, challenge: null } } as const

describe('the page shell', () => {
  test('S47: allows no script, no inline style and no frame', () => {
    expect(contentSecurityPolicy()).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(contentSecurityPolicy({ dataImages: true })).toContain("img-src 'self' data:;")
    expect(pageHeaders()).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  })

  test('S47: names the origins of frames and of forms and nothing more of them', () => {
    const policy = contentSecurityPolicy({
      frameSources: ['https://a.example/logout?sid=1', 'https://a.example:8443/x', 'https://a.example/other'],
      formAction: ['https://b.example/cb', 'http://127.0.0.1:3000/cb', 'com.example.app:/cb', 'http://[::1]:3000/cb'],
    })
    expect(policy).toContain('; frame-src https://a.example https://a.example:8443; ')
    expect(policy).toContain("; form-action 'self' https://b.example http://127.0.0.1:3000 com.example.app: http:; ")
    expect(contentSecurityPolicy({ formAction: ['https:'] })).toContain("; form-action 'self' https:; ")
    expect(policy).not.toContain('script-src')
    expect(policy).not.toContain('connect-src')
    expect(contentSecurityPolicy({ script: true, connects: true })).toContain("; connect-src 'self'; ")
  })

  test.each([
    'https://a.example; script-src *',
    "'unsafe-inline'",
    '*',
    '',
    'https://a b/',
    "https://a.example'\r\nx: y",
  ])('S47: %j cannot widen the policy', (address) => {
    const policy = contentSecurityPolicy({ frameSources: [address], formAction: [address] })
    expect(policy).not.toMatch(/script-src|unsafe|\*|[\r\n]|; *x/)
  })

  test('S47: only the form that sends itself may run our script', () => {
    expect(formPostHeaders('https://app.example/cb')['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "form-action https://app.example https:; frame-ancestors 'none'; base-uri 'none'",
    )
    const leading = formPostHeaders('http://localhost:3000/cb', { formAction: ['com.example.app:/cb'] })
    expect(leading['content-security-policy']).toContain('form-action http://localhost:3000 https: com.example.app:;')
  })

  test('links only assets that exist, named by their content', () => {
    const html =
      renderErrorPage({ realm: null, status: 500, title: 't', message: 'm', reference: 'r' }) +
      renderFormPostPage({ realm, client: null, action: 'https://app.example/', fields: {} }) +
      renderStepPage(frame, { ...passkeyStep, username: 'ada', error: null, others: [], trustDays: 0 }) +
      renderStepPage(frame, { page: 'QR', error: null, address: 'https://a.example/', number: null, scanned: false })
    const names = [...html.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name = '']) => name)
    expect(new Set(names)).toEqual(new Set(pageAssets.keys()))
    for (const [name, { body }] of pageAssets) {
      expect(name).toContain(createHash('sha256').update(body).digest('hex').slice(0, 12))
    }
  })

  test('encodes the realm in its addresses', () => {
    const html = renderErrorPage({
      realm: { ...realm, logo: true, themeVersion: 'x&y' },
      status: 500,
      title: 't',
      message: 'm',
      reference: 'r',
    })
    expect(html).toContain('href="/realms/a%20b/branding/theme.css?v=x%26y"')
  })

  test('signs out by POST with the CSRF value', () => {
    const html = renderLandingPage({
      realm,
      user: { username: '👩‍🚀 ada', email: null },
      permissions: [],
      links: [{ label: 'x', href: 'javascript:alert(1)' }],
      csrf: 'csrf-value',
      logoutAction: '/realms/acme/login/logout',
      sessionExpiresAt: new Date('2026-03-04T15:45:00Z'),
    })
    expect(html).toMatch(
      /method="post" action="\/realms\/acme\/login\/logout"><input type="hidden" name="_csrf" value="csrf-value"/,
    )
    expect(html).toContain('Mar 4, 2026, 3:45 PM UTC')
    expect(html).toContain('aria-hidden="true">👩‍🚀<')
    expect(html).toContain('href="#"')
  })

  test('shows the languages of the page where there is a choice, each in its own words', () => {
    const page = { status: 500, title: 't', message: 'm', reference: 'r', locale: 'nl' } as const
    const languages = [
      { locale: 'en', href: '?lang=en' },
      { locale: 'nl', href: 'javascript:alert(1)' },
    ] as const
    const html = renderErrorPage({ ...page, realm: { ...realm, languages: [...languages] } })
    expect(html).toContain('<a href="?lang=en" lang="en" hreflang="en">English</a>')
    expect(html).toContain('<a href="#" lang="nl" hreflang="nl" aria-current="true">Nederlands</a>')
    expect(renderErrorPage({ ...page, realm: { ...realm, languages: languages.slice(0, 1) } })).not.toContain('English')
    expect(renderErrorPage({ ...page, realm })).not.toContain('English')
  })
})
