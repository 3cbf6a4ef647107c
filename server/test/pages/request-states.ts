// The pages of OpenID Connect in every state worth looking at: consent, sign-out, errors for developers, passing on.

import {
  type ConsentPageProps,
  renderClientErrorPage,
  renderConsentPage,
  renderContinuePage,
  renderFormPostPage,
  renderLoggedOutPage,
  renderLogoutPage,
} from '../../src/pages/index.ts'
import type { Fill, Looks } from './looks.ts'

export function renderRequestStates(fill: Fill, looks: Looks): Record<string, string> {
  return {
    ...renderConsentStates(fill, looks),
    ...renderLogoutStates(fill, looks),
    ...renderClientErrorStates(fill, looks),
    'form-post': renderFormPostPage({
      realm: looks.plain,
      client: buildClient(fill),
      action: 'https://app.example/callback',
      fields: { code: fill('one-time-code'), state: fill('state-value'), iss: fill('https://id.example/realms/acme') },
    }),
    'form-post-unnamed': renderFormPostPage({
      realm: looks.branded,
      client: null,
      action: 'https://app.example/callback',
      fields: { error: 'access_denied', state: fill('state-value') },
    }),
    continue: renderContinuePage({
      realm: looks.plain,
      client: buildClient(fill),
      continueUrl: `https://app.example/callback?code=${fill('one-time-code')}`,
    }),
  }
}

function buildClient(fill: Fill) {
  return { clientId: fill('travel-desk'), name: fill('Travel Desk') }
}

function renderConsentStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const consent: ConsentPageProps = {
    realm: plain,
    csrf: fill('csrf-value'),
    action: '/realms/acme/consent',
    client: { ...buildClient(fill), baseUrl: fill('https://travel.example/start') },
    username: fill('ada.lovelace'),
    scopes: [
      { name: fill('openid'), text: fill('Know who you are'), isNew: true },
      { name: fill('profile'), text: fill('See your name and language'), isNew: true },
      { name: fill('email'), text: fill('See your email address'), isNew: true },
    ],
    resources: [],
  }
  return {
    consent: renderConsentPage(consent),
    'consent-branded': renderConsentPage({
      ...consent,
      realm: branded,
      scopes: [
        ...consent.scopes.map((scope) => ({ ...scope, isNew: false })),
        {
          name: fill('offline_access'),
          text: fill('Stay connected when you are not using the application, until you take this back'),
          isNew: true,
        },
      ],
      resources: [
        { resource: fill('https://api.northwind.example/bookings/v2'), scopes: [fill('bookings'), fill('invoices')] },
        { resource: fill('urn:northwind:reports'), scopes: [] },
      ],
    }),
    'consent-document': renderConsentPage({
      ...consent,
      client: { ...consent.client, clientId: fill('https://travel.example/oauth/client.json') },
      source: { publishedAt: fill('travel.example'), leadsTo: fill('callback.travel.example') },
    }),
    'consent-registered': renderConsentPage({ ...consent, source: { publishedAt: null, leadsTo: null } }),
    'consent-bare': renderConsentPage({
      ...consent,
      client: { clientId: fill('s6BhdRkqt3-a-machine-made-identifier-without-a-name'), name: null, baseUrl: null },
      scopes: [],
    }),
  }
}

function renderLogoutStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const client = buildClient(fill)
  const logout = { action: '/realms/acme/logout/confirm', fields: { xsrf: fill('xsrf-value') } }
  const frames = ['https://mail.example/logout', 'https://wiki.example/logout']
  return {
    logout: renderLogoutPage({ ...logout, realm: plain, client, username: fill('ada.lovelace') }),
    'logout-branded': renderLogoutPage({ ...logout, realm: branded, client: null }),
    'logged-out': renderLoggedOutPage({ realm: plain }),
    'logged-out-frames': renderLoggedOutPage({
      realm: plain,
      frames: frames.map((address) => `${address}?sid=${fill('session-1')}`),
    }),
    'logged-out-continue': renderLoggedOutPage({
      realm: branded,
      continueUrl: fill('https://travel.example/goodbye?state=1'),
      client,
    }),
  }
}

function renderClientErrorStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const reference = fill('4bf92f3577b34da6a3ce929d0e0e4736')
  return {
    'client-error': renderClientErrorPage({
      realm: plain,
      status: 400,
      error: fill('invalid_redirect_uri'),
      title: fill('The redirect URI is not registered'),
      message: fill('The request names a redirect_uri that is not one of the addresses registered for this client.'),
      whatToDo: fill(
        'Register exactly this address, or send one that is registered. Addresses are compared sign by sign: http and https, a slash at the end and the port all count.',
      ),
      facts: [
        { name: fill('client_id'), value: fill('travel-desk') },
        {
          name: fill('redirect_uri'),
          value: fill(`https://travel.example/${'oauth/callback/with/a/long/path/'.repeat(5)}?tenant=north`),
        },
      ],
      reference,
    }),
    'client-error-branded': renderClientErrorPage({
      realm: branded,
      status: 400,
      error: fill('invalid_client'),
      title: fill('There is no such client'),
      message: fill('No enabled client of this realm has the client_id of the request.'),
      whatToDo: fill(
        'Compare client_id with the one in the settings of the application, and the realm in the address.',
      ),
      facts: [{ name: fill('client_id'), value: fill('travel-desk-staging') }],
      reference,
    }),
  }
}
