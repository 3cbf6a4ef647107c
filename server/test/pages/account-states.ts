// The account pages in every state worth looking at: full, empty, refused, with long names, and while somebody acts for the person.

import {
  type AccountFrame,
  type Factor,
  type OwnDevice,
  type Place,
  renderAddStep,
  renderAppsPage,
  renderContactStep,
  renderDeletedPage,
  renderDeleteStep,
  renderOverviewPage,
  renderPasswordStep,
  renderPersonalPage,
  renderPlacesPage,
  renderPrivacyPage,
  renderReauthPage,
  renderRemoveAppStep,
  renderRemoveStep,
  renderRenameStep,
  renderSecurityPage,
} from '../../src/pages/account/index.ts'
import type { Fill, Looks } from './looks.ts'

const now = Date.parse('2026-03-04T15:45:00Z')
const minute = 60_000
const day = 86_400_000

// As long as names get, without a place to break.
const longName = 'Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewiss'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

export function renderAccountStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const frame: AccountFrame = {
    realm: plain,
    locale: 'en',
    csrf: fill('csrf-value'),
    base: '/realms/acme/account',
    logoutAction: '/realms/acme/login/logout',
    readOnly: false,
    username: fill('ada.lovelace'),
    notice: null,
    now,
  }
  const acting = { username: fill('ada.lovelace'), csrf: fill('csrf-value') }
  const stages: Stages = {
    fill,
    frame,
    branded: { ...frame, realm: branded },
    acted: { ...frame, realm: { ...plain, acting }, readOnly: true },
  }
  return {
    ...renderOverviews(stages),
    ...renderPersonals(stages),
    ...renderSecurities(stages),
    ...renderPlaces(stages),
    ...renderApps(stages),
    ...renderPrivacies(stages),
  }
}

interface Stages {
  fill: Fill
  frame: AccountFrame
  branded: AccountFrame
  /** While an administrator acts for the person. */
  acted: AccountFrame
}

function renderOverviews({ fill, frame, branded, acted }: Stages): Record<string, string> {
  const person = { username: fill('ada.lovelace'), name: fill('Ada Lovelace'), email: fill('ada@acme.example') }
  return {
    'account-overview': renderOverviewPage({
      frame,
      person,
      attention: [{ kind: 'verifyEmail' }, { kind: 'secondFactor' }],
      consoleHref: null,
    }),
    'account-overview-calm': renderOverviewPage({
      frame: branded,
      person,
      attention: [],
      consoleHref: fill('/console/acme/'),
    }),
    'account-overview-german': renderOverviewPage({
      frame: { ...frame, locale: 'de' },
      person: { username: fill(longName), name: fill(`${longName} ${longName}`), email: null },
      attention: [
        { kind: 'approval', href: fill('/realms/acme/push/1') },
        { kind: 'noEmail' },
        { kind: 'recoveryCodes' },
        { kind: 'action', action: fill('UPDATE_PASSWORD') },
      ],
      consoleHref: null,
    }),
    'account-overview-acted': renderOverviewPage({ frame: acted, person, attention: [], consoleHref: null }),
  }
}

function renderPersonals({ fill, frame, branded, acted }: Stages): Record<string, string> {
  const profile = {
    username: fill('ada.lovelace'),
    firstName: fill('Ada'),
    lastName: fill('Lovelace'),
    email: fill('ada@acme.example'),
    emailVerified: true,
    phone: fill('+31 6 12345678'),
    phoneVerified: false,
    language: 'en',
  }
  const languages = ['en', 'nl', 'de', 'fr']
  const refused = [{ field: 'lastName', code: 'invalid', message: fill('A name is one text.') }]
  return {
    'account-personal': renderPersonalPage({
      frame: { ...frame, notice: 'profile' },
      profile,
      languages,
      errors: [],
      canVerify: true,
    }),
    'account-personal-wrong': renderPersonalPage({
      frame: { ...branded, locale: 'fr' },
      profile: { ...profile, firstName: fill(longName), emailVerified: false, phone: '', language: '' },
      languages,
      errors: [...refused, { field: 'username', code: 'conflict', message: fill('Taken.') }],
      canVerify: true,
    }),
    'account-personal-acted': renderPersonalPage({ frame: acted, profile, languages, errors: [], canVerify: true }),
    'account-contact': renderContactStep({
      frame,
      values: { email: fill('ada@acme.example'), phone: fill('12') },
      errors: [{ field: 'phone', code: 'invalid', message: fill('This is not a telephone number.') }],
    }),
  }
}

function buildFactors(fill: Fill): Factor[] {
  return [
    {
      id: fill('f1'),
      type: 'webauthn',
      label: fill('Blue key on my keyring'),
      createdAt: now - minute,
      lastUsedAt: null,
      kind: 'key',
    },
    {
      id: fill('f2'),
      type: 'webauthn',
      label: null,
      createdAt: now - 90 * day,
      lastUsedAt: now - 3 * 3_600_000,
      kind: 'synced',
    },
    {
      id: fill('f3'),
      type: 'totp',
      label: fill(longName),
      createdAt: now - 400 * day,
      lastUsedAt: now - 40 * day,
      kind: 'app',
    },
  ]
}

function renderSecurities({ fill, frame, branded, acted }: Stages): Record<string, string> {
  const factors = buildFactors(fill)
  const offers = { passkey: true, totp: true, recoveryCodes: true, password: true }
  const full = {
    password: { changedAt: now - 200 * day },
    factors,
    recoveryCodes: { left: 1, createdAt: now - 90 * day },
    devices: 2,
    offers,
  }
  const rules = [
    { code: 'minLength', value: 12 },
    { code: 'notUsername', value: null },
  ]
  return {
    'account-security': renderSecurityPage({ frame, ...full }),
    'account-security-empty': renderSecurityPage({
      frame: { ...branded, locale: 'nl', notice: 'factor-removed' },
      password: null,
      factors: [],
      recoveryCodes: null,
      devices: 0,
      offers: { ...offers, recoveryCodes: false },
    }),
    'account-security-acted': renderSecurityPage({ frame: acted, ...full, recoveryCodes: { left: 0, createdAt: now } }),
    'account-password': renderPasswordStep({
      frame,
      hasPassword: true,
      rules,
      errors: [{ field: 'currentPassword', code: 'invalid', message: fill('Wrong.') }],
    }),
    'account-add-passkey': renderAddStep({ frame, what: 'passkey' }),
    'account-add-recovery': renderAddStep({
      frame: { ...branded, locale: 'de' },
      what: 'recovery-codes',
      replaces: true,
    }),
    'account-rename': renderRenameStep({ frame, factor: factors[2]! }),
    'account-remove': renderRemoveStep({
      frame,
      factor: factors[0]!,
      alert: fill('Without it you could not sign in any more.'),
    }),
    'account-reauth': renderReauthPage({ frame: branded, page: 'security', signInHref: fill('/realms/acme/login') }),
  }
}

function renderPlaces({ fill, frame, acted, branded }: Stages): Record<string, string> {
  const sessions: Place[] = [
    {
      id: fill('s1'),
      userAgent: fill(firefox),
      address: fill('203.0.113.7'),
      startedAt: now - 20 * minute,
      lastAccessAt: now,
      applications: [],
      isCurrent: true,
      isImpersonated: false,
    },
    {
      id: fill('s2'),
      userAgent: fill(safari),
      address: fill('2001:db8::17'),
      startedAt: now - 3 * day,
      lastAccessAt: now - 5 * 3_600_000,
      applications: [fill('Webmail'), fill('Time sheets')],
      isCurrent: false,
      isImpersonated: false,
    },
    {
      id: fill('s3'),
      userAgent: null,
      address: null,
      startedAt: now - 5 * minute,
      lastAccessAt: now - minute,
      applications: [],
      isCurrent: false,
      isImpersonated: true,
    },
  ]
  const devices: OwnDevice[] = [
    {
      id: fill('d1'),
      name: fill('Pixel 11'),
      platform: 'ANDROID',
      hasPush: true,
      createdAt: now - 30 * day,
      lastUsedAt: now - day,
    },
    { id: fill('d2'), name: fill(longName), platform: 'OTHER', hasPush: false, createdAt: now - day, lastUsedAt: null },
  ]
  const trusted = [{ userAgent: fill(firefox), createdAt: now - 2 * day, expiresAt: now + 28 * day }]
  const request = {
    id: fill('a1'),
    href: fill('/realms/acme/push/a1'),
    createdAt: now - 30_000,
    address: fill('198.51.100.4'),
    userAgent: fill(firefox),
  }
  const full = { requests: [request], sessions, trusted, devices, canAddDevice: true }
  return {
    'account-places': renderPlacesPage({ frame: { ...frame, notice: 'session-ended' }, ...full }),
    'account-places-empty': renderPlacesPage({
      frame: branded,
      requests: [],
      sessions: sessions.slice(0, 1),
      trusted: [],
      devices: [],
      canAddDevice: false,
    }),
    'account-places-acted': renderPlacesPage({ frame: acted, ...full }),
  }
}

function renderApps({ fill, frame, branded }: Stages): Record<string, string> {
  const apps = [
    {
      clientId: fill('webmail'),
      name: fill('Webmail'),
      consent: {
        scopes: [fill('Know your name'), fill('See your e-mail address'), fill('Read your calendar')],
        grantedAt: now - 60 * day,
        byAdmin: false,
      },
      isSignedIn: true,
      isOffline: true,
    },
    {
      clientId: fill('https://agent.example/client.json'),
      name: fill(longName),
      consent: { scopes: [], grantedAt: now - 3_600_000, byAdmin: true },
      isSignedIn: false,
      isOffline: false,
    },
    { clientId: fill('portal'), name: null, consent: null, isSignedIn: true, isOffline: false },
  ]
  return {
    'account-apps': renderAppsPage({ frame, apps, moreHref: fill('/realms/acme/account/apps?after=1') }),
    'account-apps-empty': renderAppsPage({ frame: { ...branded, locale: 'fr' }, apps: [], moreHref: null }),
    'account-remove-app': renderRemoveAppStep({ frame, app: apps[0]! }),
  }
}

function renderPrivacies({ fill, frame, branded }: Stages): Record<string, string> {
  const happening = (type: string, at: number, more: object = {}) => ({
    ...{ id: fill(type), type: fill(type), at, failed: false, address: fill('203.0.113.7') },
    ...{ userAgent: fill(firefox), clientId: null, ...more },
  })
  const activity = [
    happening('LOGIN_SUCCESS', now - 20 * minute),
    happening('LOGIN_FAILURE', now - 21 * minute, { failed: true }),
    happening('CONSENT_GRANTED', now - 2 * day, { clientId: fill('webmail') }),
    happening('IMPERSONATION_START', now - 3 * day, { address: null, userAgent: null }),
    happening('SOMETHING_NEW', now - 5 * day),
  ]
  const full = {
    exportHref: fill('/realms/acme/account/gdpr/export'),
    termsAcceptedAt: now - 100 * day,
    consents: 2,
    activity,
    olderHref: fill('/realms/acme/account/privacy?before=1'),
    newestHref: fill('/realms/acme/account/privacy'),
    canDelete: true,
  }
  return {
    'account-privacy': renderPrivacyPage({ frame, ...full }),
    'account-privacy-empty': renderPrivacyPage({
      ...full,
      frame: { ...branded, locale: 'nl' },
      termsAcceptedAt: null,
      consents: 1,
      activity: [],
      olderHref: null,
      newestHref: null,
      canDelete: false,
    }),
    'account-delete': renderDeleteStep({ frame: { ...frame, username: fill(longName) }, mismatch: true }),
    'account-deleted': renderDeletedPage({ realm: branded.realm, locale: 'en' }),
  }
}
