// What an application wants signed: the question with everything in it, and how it ended.

import { renderSignPage, renderTransactionEndedPage, type SignPageProps } from '../../src/pages/index.ts'
import type { Fill, Looks } from './looks.ts'

const now = Date.UTC(2026, 0, 15, 12)

export function renderTransactionStates(fill: Fill, looks: Looks): Record<string, string> {
  return { ...renderSignStates(fill, looks), ...renderEndedStates(fill, looks) }
}

function renderSignStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const page: SignPageProps = {
    realm: plain,
    csrf: fill('csrf-value'),
    action: '/realms/acme/tx/1/sign',
    client: { clientId: fill('bank-desk'), name: fill('Bank Desk') },
    username: fill('ada.lovelace'),
    transaction: {
      type: fill('payment'),
      title: fill('Pay 1,250.00 EUR to Northwind Traders'),
      details: {
        amount: { currency: fill('EUR'), value: 1250 },
        creditor: fill('Northwind Traders'),
        account: fill('NL00 NWTR 0123 4567 89'),
        urgent: false,
      },
      hash: fill('hN0gZ9sUq1c2mJ3xkq7v0bJx2Yk1a4R8tWc5oLpQeDs'),
      expiresAt: now + 280_000,
    },
    now,
    methods: ['PASSWORD'],
    passkeyOptions: null,
    problem: null,
    strongerHref: null,
  }
  const all = {
    ...page,
    methods: ['WEBAUTHN', 'TOTP', 'PASSWORD'] as SignPageProps['methods'],
    passkeyOptions: { challenge: fill('Y2hhbGxlbmdl'), rpId: fill('acme.example') },
  }
  return {
    transaction: renderSignPage(page),
    'transaction-all': renderSignPage({ ...all, realm: branded }),
    'transaction-passkey-wrong': renderSignPage({
      ...all,
      locale: 'nl',
      problem: { kind: 'wrong', method: 'WEBAUTHN' },
    }),
    'transaction-code-wrong': renderSignPage({ ...all, locale: 'de', problem: { kind: 'wrong', method: 'TOTP' } }),
    'transaction-limited': renderSignPage({
      ...page,
      locale: 'fr',
      problem: { kind: 'limited', retryAfterSeconds: 90 },
    }),
    'transaction-stronger': renderSignPage({ ...page, methods: [], strongerHref: '/realms/acme/login?arrival=1' }),
    'transaction-no-method': renderSignPage({ ...page, locale: 'de', methods: [] }),
    'transaction-deep': renderSignPage({ ...page, realm: branded, transaction: describeAll(fill, page.transaction) }),
  }
}

/** As much as may be sent: every kind of value, eight levels, and a line that never ends. */
function describeAll(fill: Fill, transaction: SignPageProps['transaction']): SignPageProps['transaction'] {
  const deep = { a: { b: { c: { d: { e: { f: fill('eight levels down') } } } } } }
  return {
    ...transaction,
    title: fill(`Mandate ${'MMMMMMMM'.repeat(20)}`),
    details: {
      [fill('a name of the caller’s own')]: {
        ...{ number: 1e-7, nothing: null, empty: {}, none: [], line: fill('x'.repeat(600)) },
        lines: fill('one\ntwo'),
        list: [fill('first'), 2, true, [fill('nested')], { name: fill('in a list') }],
        deep,
      },
    },
  }
}

function renderEndedStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const page = {
    realm: plain,
    title: fill('Pay 1,250.00 EUR to Northwind Traders'),
    client: { clientId: fill('bank-desk'), name: fill('Bank Desk') },
  }
  return {
    'transaction-signed': renderTransactionEndedPage({ ...page, status: 'SIGNED' }),
    'transaction-rejected': renderTransactionEndedPage({ ...page, realm: branded, locale: 'de', status: 'REJECTED' }),
    'transaction-consumed': renderTransactionEndedPage({ ...page, locale: 'fr', status: 'CONSUMED' }),
    'transaction-expired': renderTransactionEndedPage({ ...page, locale: 'nl', status: 'EXPIRED' }),
  }
}
