import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { contentSecurityPolicy, pageAssets, pageHeaders, renderErrorPage, renderLandingPage } from './index.ts'

const realm = { realmId: 'a b', displayName: 'Acme', logo: false, welcomeText: null, themeVersion: null }

describe('the page shell', () => {
  test('S47: allows no script, no inline style and no frame', () => {
    expect(contentSecurityPolicy()).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
    expect(contentSecurityPolicy({ dataImages: true })).toContain("img-src 'self' data:;")
    expect(pageHeaders()).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
  })

  test('links only assets that exist, named by their content', () => {
    const html = renderErrorPage({ realm: null, status: 500, title: 't', message: 'm', reference: 'r' })
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
      kind: 'account',
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
})
