// Every page in every state worth looking at. `fill` replaces each text that comes from outside, for the injection sweep.

import type { RealmLook } from '../../src/pages/index.ts'
import {
  renderErrorPage,
  renderErrorReferenceIndexPage,
  renderErrorReferencePage,
  renderLandingPage,
  renderLoginPage,
  renderUpdatePasswordPage,
} from '../../src/pages/index.ts'
import { renderRequestStates } from './request-states.ts'

export type Fill = (benign: string) => string

const keep: Fill = (benign) => benign

export function buildRealm(fill: Fill = keep, overrides: Partial<RealmLook> = {}): RealmLook {
  return {
    realmId: fill('acme'),
    displayName: fill('Acme'),
    logo: false,
    welcomeText: null,
    themeVersion: null,
    ...overrides,
  }
}

export function buildBrandedRealm(fill: Fill = keep): RealmLook {
  return buildRealm(fill, {
    displayName: fill('Northwind Traders'),
    logo: true,
    welcomeText: fill('Welcome to the partner portal.\nUse the account your manager gave you.'),
    themeVersion: fill('7'),
    termsUrl: fill('https://northwind.example/terms'),
    privacyUrl: fill('https://northwind.example/privacy'),
    supportEmail: fill('help@northwind.example'),
  })
}

function buildLogin(fill: Fill, realm: RealmLook) {
  return {
    realm,
    csrf: fill('csrf-value'),
    action: '/realms/acme/login',
    continuation: fill('opaque-continuation'),
    signInId: null,
    username: '',
    rememberMe: { offered: true },
    resetPasswordAllowed: true,
    registrationAllowed: false,
    loginWithEmail: true,
    error: null,
  }
}

const permissions: [string, string][] = [
  ['manage-users', 'Manage users'],
  ['view-users', 'View users'],
  ['manage-clients', 'Manage clients'],
  ['view-clients', 'View clients'],
  ['manage-roles', 'Manage roles'],
  ['manage-organizations', 'Manage groups and organizations'],
  ['manage-identity-providers', 'Manage identity providers'],
  ['view-events', 'View the audit trail'],
]

function buildLanding(fill: Fill, realm: RealmLook) {
  return {
    realm,
    user: { username: fill('ada.lovelace'), email: fill('ada@acme.example') },
    kind: 'console' as const,
    permissions: permissions.map(([key, label]) => ({ key: fill(key), label: fill(label) })),
    links: [
      { label: fill('API reference'), href: fill('/interactive-docs.html') },
      { label: fill('OpenAPI document'), href: fill('/v3/api-docs') },
      { label: fill('Error codes'), href: fill('/errors') },
    ],
    csrf: fill('csrf-value'),
    logoutAction: '/realms/acme/login/logout',
    sessionExpiresAt: new Date('2026-03-04T15:45:00Z'),
  }
}

const codes = [
  { code: 'validation_failed', title: 'The request has faults', status: 400 },
  { code: 'unauthenticated', title: 'Sign in first', status: 401 },
  { code: 'csrf_invalid', title: 'The CSRF token is missing or stale', status: 403 },
  { code: 'reauthentication_required', title: 'Sign in again to do this', status: 403 },
  { code: 'not_found', title: 'There is nothing here', status: 404 },
  { code: 'precondition_failed', title: 'Somebody changed it first', status: 412 },
  { code: 'rate_limited', title: 'Too many requests', status: 429 },
  { code: 'unavailable', title: 'Busy right now', status: 503 },
]

export function renderPageStates(fill: Fill = keep): Record<string, string> {
  const looks = { plain: buildRealm(fill), branded: buildBrandedRealm(fill) }
  return { ...renderSignInStates(fill), ...renderOtherStates(fill), ...renderRequestStates(fill, looks) }
}

function renderSignInStates(fill: Fill): Record<string, string> {
  const plain = buildLogin(fill, buildRealm(fill))
  const branded = { ...buildLogin(fill, buildBrandedRealm(fill)), registrationAllowed: true }
  const update = {
    realm: plain.realm,
    csrf: plain.csrf,
    action: plain.action,
    continuation: plain.continuation,
    signInId: fill('sign-in-1'),
    username: fill('ada.lovelace'),
    rules: [
      fill('at least 12 characters'),
      fill('nothing that is your username or email'),
      fill('not one of your last 5'),
    ],
    errors: [],
  }
  return {
    login: renderLoginPage(plain),
    'login-branded': renderLoginPage(branded),
    'login-bare': renderLoginPage({
      ...plain,
      rememberMe: { offered: false },
      resetPasswordAllowed: false,
      loginWithEmail: false,
    }),
    'login-wrong': renderLoginPage({
      ...branded,
      username: fill('ada.lovelace'),
      signInId: fill('sign-in-1'),
      error: 'login.error.credentials',
    }),
    'login-missing': renderLoginPage({ ...plain, error: 'login.error.usernameMissing' }),
    'login-limited': renderLoginPage({
      ...plain,
      username: fill('ada.lovelace'),
      error: 'login.error.rateLimited',
      retryAfterSeconds: 90,
    }),
    'update-password': renderUpdatePasswordPage(update),
    'update-password-wrong': renderUpdatePasswordPage({
      ...update,
      realm: buildBrandedRealm(fill),
      errors: [
        { field: 'newPassword', message: fill('This password has appeared in a data breach. Choose another.') },
        { field: 'confirmPassword', message: fill('The two passwords are not the same.') },
        { field: 'other', message: fill('The password was not changed.') },
      ],
    }),
  }
}

function renderOtherStates(fill: Fill): Record<string, string> {
  const landing = buildLanding(fill, buildRealm(fill))
  const reference = fill('4bf92f3577b34da6a3ce929d0e0e4736')
  return {
    console: renderLandingPage(landing),
    account: renderLandingPage({
      ...landing,
      realm: buildBrandedRealm(fill),
      user: { username: fill('ada.lovelace'), email: null },
      kind: 'account',
      permissions: [],
      links: landing.links.slice(0, 1),
    }),
    'console-empty': renderLandingPage({ ...landing, permissions: [], links: [] }),
    error: renderErrorPage({
      realm: null,
      status: 404,
      title: fill('We could not find that page'),
      message: fill('The address may be mistyped, or the page has moved.'),
      reference,
    }),
    'error-branded': renderErrorPage({
      realm: buildBrandedRealm(fill),
      status: 403,
      title: fill('This form is out of date'),
      message: fill('It was opened before you signed in, so we did not accept it.'),
      help: fill('Go back, reload the page and send it again.'),
      links: [{ label: fill('Back to sign-in'), href: fill('/realms/acme/login') }],
      reference,
    }),
    'error-reference': renderErrorReferencePage({
      code: fill('csrf_invalid'),
      title: fill('The CSRF token is missing or stale'),
      status: 403,
      explanation: fill('A write came without the header X-XSRF-TOKEN, or with a value older than the last sign-in.'),
      whatToDo: fill('Read the cookie XSRF-TOKEN again after any GET and send its value in the header.'),
    }),
    'error-index': renderErrorReferenceIndexPage({
      codes: codes.map(({ code, title, status }) => ({ code: fill(code), title: fill(title), status })),
    }),
  }
}
