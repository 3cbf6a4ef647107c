// Registration, forgotten password and links from mail.

import {
  renderEnrollPage,
  renderLinkPage,
  renderMailSentPage,
  renderRegisterPage,
  renderResetPasswordPage,
} from '../../src/pages/index.ts'
import type { Fill, Looks } from './looks.ts'
import { none, passwordRules } from './step-states.ts'

export function renderSelfServiceStates(fill: Fill, looks: Looks): Record<string, string> {
  return {
    ...renderFormStates(fill, looks),
    ...renderLinkStates(fill, looks),
    'device-enroll': renderEnrollPage({ realm: looks.plain, locale: 'en' }),
    'device-enroll-german': renderEnrollPage({ realm: looks.branded, locale: 'de' }),
  }
}

function renderFormStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const register = {
    realm: plain,
    locale: 'en',
    csrf: fill('csrf-value'),
    action: '/realms/acme/register',
    values: { email: '', firstName: '', lastName: '' },
    rules: passwordRules.slice(0, 4),
    errors: none,
    error: null,
    termsUrl: null,
  } as const
  const termsUrl = fill('https://northwind.example/terms')
  const values = { email: fill('ada@'), firstName: fill('Ada'), lastName: fill('Lovelace') }
  const errors = [
    { field: 'email', code: 'invalid', message: fill('Enter your e-mail address.') },
    { field: 'newPassword', code: 'password_breached', message: fill('It is known.') },
    { field: 'accept', code: 'required', message: fill('Accept the terms.') },
  ]
  const reset = { realm: plain, locale: 'en', csrf: fill('csrf-value'), action: '/realms/acme/reset-password' } as const
  const sent = { realm: plain, locale: 'en', loginHref: fill('/realms/acme/login') } as const
  return {
    register: renderRegisterPage(register),
    'register-wrong': renderRegisterPage({ ...register, realm: branded, termsUrl, values, errors }),
    'register-french': renderRegisterPage({
      ...register,
      realm: branded,
      locale: 'fr',
      termsUrl,
      error: 'acceptNeeded',
    }),
    'reset-password': renderResetPasswordPage({ ...reset, username: '', error: null }),
    'reset-password-missing': renderResetPasswordPage({
      ...reset,
      realm: branded,
      username: '',
      error: 'usernameMissing',
    }),
    'reset-password-limited': renderResetPasswordPage({ ...reset, username: fill('ada'), error: 'rateLimited' }),
    'mail-sent': renderMailSentPage({ ...sent, kind: 'REGISTER' }),
    'mail-sent-reset': renderMailSentPage({ ...sent, realm: branded, kind: 'RESET' }),
  }
}

function renderLinkStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const link = {
    realm: plain,
    locale: 'en',
    csrf: fill('csrf-value'),
    action: '/realms/acme/login/link',
    kind: 'MAGIC_LINK',
    state: 'CONFIRM',
    token: fill('one-time-token'),
    loginHref: fill('/realms/acme/login'),
  } as const
  const actions = [fill('UPDATE_PASSWORD'), fill('CONFIGURE_TOTP'), fill('VERIFY_EMAIL')]
  return {
    'link-magic': renderLinkPage(link),
    'link-verify': renderLinkPage({ ...link, realm: branded, kind: 'VERIFY_EMAIL' }),
    'link-reset': renderLinkPage({ ...link, kind: 'RESET_PASSWORD' }),
    'link-actions': renderLinkPage({ ...link, realm: branded, kind: 'ACTIONS', actions }),
    'link-register': renderLinkPage({ ...link, kind: 'REGISTER' }),
    'link-expired': renderLinkPage({ ...link, state: 'EXPIRED', token: null }),
    'link-other-browser': renderLinkPage({ ...link, realm: branded, state: 'OTHER_BROWSER', token: null }),
    'link-done': renderLinkPage({ ...link, kind: 'VERIFY_EMAIL', state: 'DONE', token: null, loginHref: null }),
    'link-done-continue': renderLinkPage({
      ...link,
      kind: 'ACTIONS',
      state: 'DONE',
      token: null,
      continueHref: fill('https://travel.example/start'),
    }),
  }
}
