// Requests that wait on another device: the code it shows, the question, how it ended.

import {
  type ApprovalPageProps,
  renderAnsweredPage,
  renderApprovalPage,
  renderPushPage,
  renderQrConfirmPage,
  renderUserCodePage,
} from '../../src/pages/index.ts'
import type { Fill, Looks } from './looks.ts'

export function renderApprovalStates(fill: Fill, looks: Looks): Record<string, string> {
  return {
    ...renderUserCodeStates(fill, looks),
    ...renderQuestionStates(fill, looks),
    ...renderAnsweredStates(fill, looks),
    ...renderDeviceQuestionStates(fill, looks),
  }
}

const longName = 'The Northwind Living-Room Entertainment and Video-Conferencing Companion for Televisions'

function renderUserCodeStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const page = {
    realm: plain,
    csrf: fill('csrf-value'),
    action: '/realms/acme/device',
    userCode: '',
    problem: null,
    username: fill('ada.lovelace'),
    fields: { hint: fill('hint-value') },
  }
  const typed = { ...page, userCode: fill('bcdf ghjk') }
  return {
    'user-code': renderUserCodePage(page),
    'user-code-filled': renderUserCodePage({ ...typed, realm: branded, username: null }),
    'user-code-missing': renderUserCodePage({ ...page, problem: 'missing' }),
    'user-code-unknown': renderUserCodePage({ ...typed, problem: 'unknown' }),
    'user-code-expired': renderUserCodePage({ ...typed, locale: 'de', problem: 'expired' }),
    'user-code-used': renderUserCodePage({ ...typed, locale: 'fr', realm: branded, problem: 'used' }),
    'user-code-limited': renderUserCodePage({ ...typed, locale: 'nl', problem: 'limited', retryAfterSeconds: 120 }),
  }
}

const now = Date.UTC(2026, 0, 15, 12)

function renderQuestionStates(fill: Fill, looks: Looks): Record<string, string> {
  const device: ApprovalPageProps = {
    realm: looks.plain,
    csrf: fill('csrf-value'),
    action: '/realms/acme/device',
    kind: 'device',
    client: {
      clientId: fill('living-room'),
      name: fill('Living Room TV'),
      baseUrl: fill('https://tv.example/'),
      host: null,
    },
    username: fill('ada.lovelace'),
    userCode: fill('BCDFGHJK'),
    bindingMessage: null,
    place: {
      address: fill('203.0.113.7'),
      userAgent: fill('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'),
      at: now - 40_000,
    },
    scopes: [
      { name: fill('openid'), text: fill('Know who you are'), isNew: true },
      { name: fill('profile'), text: fill('See your name and language'), isNew: true },
    ],
    resources: [],
    expiresAt: now + 560_000,
    now,
    fields: { user_code: fill('BCDF-GHJK') },
  }
  return { ...renderDeviceStates(fill, looks, device), ...renderCibaStates(fill, looks, device) }
}

function renderDeviceStates(fill: Fill, { branded }: Looks, device: ApprovalPageProps): Record<string, string> {
  const nobodys = {
    clientId: fill('https://tv.apps.northwind.example/client.json'),
    name: fill(longName),
    baseUrl: null,
  }
  const more = { name: fill('offline_access'), text: fill('Stay connected until you take this back'), isNew: true }
  return {
    'approval-device': renderApprovalPage(device),
    'approval-device-full': renderApprovalPage({
      ...device,
      realm: branded,
      locale: 'de',
      client: { ...nobodys, host: fill('tv.apps.northwind.example') },
      place: {
        address: fill('2001:db8:85a3:8d3:1319:8a2e:370:7348'),
        userAgent: fill(`northwind-tv/4.11.2 (${'firmware build '.repeat(20)})`),
        at: now - 130_000,
      },
      scopes: [...device.scopes.map((scope) => ({ ...scope, isNew: false })), more],
      resources: [
        { resource: fill('https://api.northwind.example/media'), scopes: [fill('library'), fill('history')] },
      ],
    }),
    'approval-device-bare': renderApprovalPage({
      ...device,
      locale: 'nl',
      client: {
        clientId: fill('s6BhdRkqt3-made-by-a-machine'),
        name: null,
        baseUrl: null,
        host: null,
        selfRegistered: true,
      },
      place: { address: null, userAgent: null, at: now },
      scopes: [],
    }),
  }
}

function renderCibaStates(fill: Fill, { branded }: Looks, device: ApprovalPageProps): Record<string, string> {
  const ciba: ApprovalPageProps = {
    ...device,
    action: '/realms/acme/approve/1',
    kind: 'ciba',
    client: {
      clientId: fill('bank-desk'),
      name: fill('Bank Desk'),
      baseUrl: fill('https://bank.example/'),
      host: null,
    },
    userCode: null,
    bindingMessage: fill('W4SCT-7'),
    expiresAt: now + 80_000,
  }
  return {
    'approval-ciba': renderApprovalPage(ciba),
    'approval-ciba-long': renderApprovalPage({
      ...ciba,
      realm: branded,
      locale: 'fr',
      client: { ...ciba.client, name: fill(longName) },
      bindingMessage: fill('Pay 1,250.00 EUR to Northwind Traders, invoice 2026-0042, from account NL•• 4300'),
      resources: [{ resource: fill('urn:northwind:payments'), scopes: [] }],
    }),
    'approval-ciba-bare': renderApprovalPage({ ...ciba, bindingMessage: null, scopes: [] }),
  }
}

function renderAnsweredStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const client = { clientId: fill('living-room'), name: fill('Living Room TV') }
  const long = { ...client, name: fill(longName) }
  return {
    'answered-device-approved': renderAnsweredPage({ realm: plain, kind: 'device', outcome: 'approved', client }),
    'answered-device-denied': renderAnsweredPage({ realm: plain, kind: 'device', outcome: 'denied', client: null }),
    'answered-device-ended': renderAnsweredPage({
      realm: branded,
      locale: 'de',
      kind: 'device',
      outcome: 'ended',
      client: null,
    }),
    'answered-ciba-approved': renderAnsweredPage({
      realm: branded,
      locale: 'fr',
      kind: 'ciba',
      outcome: 'approved',
      client: long,
    }),
    'answered-ciba-denied': renderAnsweredPage({ realm: plain, locale: 'nl', kind: 'ciba', outcome: 'denied', client }),
    'answered-ciba-ended': renderAnsweredPage({ realm: plain, kind: 'ciba', outcome: 'ended', client }),
  }
}

/** Questions of a sign-in on another screen. */
function renderDeviceQuestionStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const place = {
    address: fill('198.51.100.24'),
    userAgent: fill('Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36'),
    at: now - 12_000,
  }
  const shared = {
    realm: plain,
    csrf: fill('csrf-value'),
    client: { clientId: fill('orders'), name: fill('Orders') },
    username: fill('ada.lovelace'),
    place,
    expiresAt: now + 108_000,
    now,
  }
  const push = {
    ...shared,
    approveAction: '/realms/acme/push/1/approve',
    denyAction: '/realms/acme/push/1/deny',
    choices: [47, 12, 83],
    needsDevice: false,
  }
  const qr = { ...shared, action: '/realms/acme/qr/1/confirm', needsCode: false, codeMissing: false }
  const client = { clientId: fill('orders'), name: fill('Orders') }
  return {
    'push-question': renderPushPage(push),
    'push-question-plain': renderPushPage({ ...push, realm: branded, choices: null, client: null, locale: 'fr' }),
    'push-question-device': renderPushPage({ ...push, needsDevice: true, locale: 'de' }),
    'qr-confirm': renderQrConfirmPage(qr),
    'qr-confirm-code': renderQrConfirmPage({ ...qr, realm: branded, needsCode: true, codeMissing: true, locale: 'nl' }),
    'answered-push': renderAnsweredPage({ realm: plain, kind: 'push', outcome: 'approved', client }),
    'answered-push-denied': renderAnsweredPage({ realm: branded, kind: 'push', outcome: 'denied', client: null }),
    'answered-qr': renderAnsweredPage({ realm: plain, kind: 'qr', outcome: 'approved', client }),
    'answered-qr-ended': renderAnsweredPage({ realm: plain, kind: 'qr', outcome: 'ended', client: null }),
  }
}
