// The landing page and the errors in every state worth looking at.

import {
  type RealmLook,
  renderErrorPage,
  renderErrorReferenceIndexPage,
  renderErrorReferencePage,
  renderLandingPage,
} from '../../src/pages/index.ts'
import type { Fill, Looks } from './looks.ts'

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

const oauthCodes = [
  { code: 'invalid_grant', title: 'The code, token or password is worth nothing', status: 400 },
  { code: 'unmet_authentication_requirements', title: 'The sign-in cannot be as strong as asked', status: 400 },
]

export function renderOtherStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const landing = buildLanding(fill, plain)
  const reference = fill('4bf92f3577b34da6a3ce929d0e0e4736')
  return {
    console: renderLandingPage(landing),
    'account-acting': renderLandingPage({
      ...landing,
      realm: { ...plain, acting: { username: fill('grace.hopper'), csrf: fill('csrf-value') } },
    }),
    'console-empty': renderLandingPage({
      ...landing,
      realm: branded,
      user: { username: fill('ada.lovelace'), email: null },
      permissions: [],
      links: [],
    }),
    error: renderErrorPage({
      realm: null,
      status: 404,
      title: fill('We could not find that page'),
      message: fill('The address may be mistyped, or the page has moved.'),
      reference,
    }),
    'error-branded': renderErrorPage({
      realm: branded,
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
      oauthCodes: oauthCodes.map(({ code, title, status }) => ({ code: fill(code), title: fill(title), status })),
    }),
    // Our own texts, with names of parameters in them: nothing of this comes from outside.
    'error-oauth': renderErrorReferencePage({
      code: 'invalid_grant',
      title: 'The code, token or password is worth nothing',
      status: 400,
      explanation: 'What was to be exchanged was used before, or the `redirect_uri` does not fit.',
      whatToDo: 'Send the person through /authorize again.',
      causes: [
        {
          cause: '`code_verifier` is not the one whose S256 hash was sent as `code_challenge`.',
          remedy: 'Keep the verifier with the `state` of the same attempt.',
        },
        {
          cause: 'The token exchange names `urn:ietf:params:oauth:token-type:access_token` and something else.',
          remedy: 'Send `urn:ietf:params:oauth:grant-type:token-exchange`.',
        },
      ],
      places: ['/token', '/device_authorization', 'any API'],
      standard: 'RFC 6749, 5.2',
    }),
  }
}
