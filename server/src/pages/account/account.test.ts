import { describe, expect, test } from 'vitest'
import { buildRealm } from '../../../test/pages/looks.ts'
import {
  type AccountFrame,
  type Factor,
  type Place,
  readNotice,
  renderAppsPage,
  renderOverviewPage,
  renderPersonalPage,
  renderPlacesPage,
  renderPrivacyPage,
  renderRemoveDeviceStep,
  renderSecurityPage,
} from './index.ts'
import { locales } from '../messages/index.ts'
import { describeHappening } from './privacy.tsx'

const now = Date.parse('2026-03-04T15:45:00Z')
const frame: AccountFrame = {
  realm: buildRealm(),
  locale: 'en',
  csrf: 'csrf-value',
  base: '/realms/acme/account',
  logoutAction: '/realms/acme/login/logout',
  readOnly: false,
  username: 'ada',
  notice: null,
  now,
}
const factor: Factor = {
  id: 'f/1?&',
  type: 'webauthn',
  label: null,
  createdAt: now - 1000,
  lastUsedAt: null,
  kind: 'passkey',
}
const session: Place = {
  id: 's1',
  userAgent: null,
  address: null,
  startedAt: now,
  lastAccessAt: now,
  applications: [],
  isCurrent: false,
  isImpersonated: false,
}
const device = { id: 'd1', name: 'Pixel\u202E', platform: 'IOS', hasPush: true, createdAt: now, lastUsedAt: null }
const profile = {
  ...{ username: 'ada', firstName: 'Ada', lastName: '', email: 'ada@acme.example', emailVerified: false },
  ...{ phone: '', phoneVerified: false, language: 'xx' },
}
const app = {
  ...{ clientId: 'mail', name: 'Mail', isSignedIn: false, isOffline: false },
  consent: { scopes: ['Know you'], grantedAt: now, byAdmin: false },
}
const offers = { passkey: true, totp: true, recoveryCodes: true, password: true }

/** Every page with something on it that could be changed. */
const render = (shown: AccountFrame): string[] => [
  renderOverviewPage({
    frame: shown,
    person: { username: 'ada', name: null, email: null },
    attention: [],
    consoleHref: null,
  }),
  renderPersonalPage({ frame: shown, profile, languages: ['en', 'de'], errors: [], canVerify: true }),
  renderSecurityPage({
    ...{ frame: shown, password: { changedAt: null }, factors: [factor], offers, devices: 1 },
    recoveryCodes: { left: 3, createdAt: now },
  }),
  renderPlacesPage({
    ...{ frame: shown, requests: [], sessions: [session], devices: [device], canAddDevice: true },
    trusted: [{ userAgent: null, createdAt: now, expiresAt: now + 1000 }],
  }),
  renderAppsPage({ frame: shown, apps: [app], moreHref: null }),
  renderPrivacyPage({
    ...{ frame: shown, exportHref: '/x', termsAcceptedAt: null, consents: 0, activity: [], canDelete: true },
    ...{ olderHref: null, newestHref: null },
  }),
]

describe('the account pages', () => {
  test('S9: offer no form, no step and no download while somebody acts for the person', () => {
    for (const html of render(frame)) expect(html).toMatch(/<form|\?step=/)
    for (const html of render({ ...frame, readOnly: true })) {
      expect(html).not.toMatch(/<form|\?step=|<input|<button|download=/)
    }
  })

  test('say which page this is, in the menu and to a realm’s style sheet', () => {
    const names = ['account', ...['personal', 'security', 'places', 'apps', 'privacy'].map((name) => `account-${name}`)]
    expect(render(frame).map((html) => /gh-page-([a-z-]+)/.exec(html)![1])).toEqual(names)
    for (const html of render(frame)) expect(html.match(/aria-current="page"/g)).toHaveLength(1)
  })

  test('every change carries the token and its name, and posts to its own page', () => {
    for (const html of render(frame)) {
      for (const [, action, inside] of html.matchAll(/<form [^>]*action="([^"]+)">(.*?)<\/form>/gs)) {
        expect(inside).toContain('name="_csrf" value="csrf-value"')
        expect(action!.endsWith('/logout') || /name="action" value="[a-z-]+"/.test(inside!)).toBe(true)
      }
    }
  })

  test('name what has no name of its own, mark what is new, and keep ids apart in addresses', () => {
    const html = render(frame)[2]!
    expect(html).toContain('<bdi>Passkey</bdi><span class="gh-tag gh-tag-strong">New</span>')
    expect(html).toContain('?step=remove&amp;id=f%2F1%3F%26"')
    expect(renderRemoveDeviceStep({ frame, device })).not.toContain('\u202E')
  })

  test('a field that is wrong is said beside it, and what was typed stays', () => {
    const errors = [{ field: 'firstName', code: 'invalid', message: 'Too long.' }]
    const html = renderPersonalPage({ frame, profile, languages: ['en'], errors, canVerify: false })
    expect(html).toMatch(/id="firstName"[^>]*value="Ada"[^>]*autofocus[^>]*aria-invalid="true"/)
    expect(html).toContain('<bdi>Too long.</bdi>')
    expect(html).not.toContain('name="language"')
  })

  test('events are told in words of every language, and those nobody knows as something else', () => {
    for (const locale of locales) {
      const words = [describeHappening(locale, 'LOGIN_SUCCESS'), describeHappening(locale, 'constructor')]
      expect(new Set(words).size).toBe(2)
      expect(words.join()).not.toMatch(/LOGIN|constructor/)
    }
  })

  test('only our own notices are notices', () => {
    expect(readNotice('password')).toBe('password')
    for (const text of [undefined, '', 'x', ['password'], 'toString']) expect(readNotice(text)).toBeNull()
  })
})
