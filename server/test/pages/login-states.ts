// The sign-in page in every state worth looking at.

import { type RealmLook, renderStepPage, type StepFrame } from '../../src/pages/index.ts'
import type { Fill, Looks } from './looks.ts'

export function buildFrame(fill: Fill, realm: RealmLook): StepFrame {
  return {
    realm,
    locale: 'en',
    csrf: fill('csrf-value'),
    action: '/realms/acme/login',
    continuation: fill('opaque-continuation'),
    signInId: null,
    rememberMe: { offered: true },
    resetPasswordAllowed: true,
    registrationAllowed: false,
    loginWithEmail: true,
  }
}

export function buildPrompt(fill: Fill) {
  const options = {
    challenge: fill('Y2hhbGxlbmdlLW9mLXRoZS1zZXJ2ZXI'),
    rpId: fill('localhost'),
    allowCredentials: [],
    userVerification: 'preferred',
    timeout: 300_000,
  }
  return { options, challenge: fill('sealed-challenge') }
}

export function renderLoginStates(fill: Fill, { plain, branded }: Looks): Record<string, string> {
  const frame = buildFrame(fill, plain)
  const brandedFrame = { ...buildFrame(fill, branded), registrationAllowed: true }
  const bareFrame = { ...frame, rememberMe: { offered: false }, resetPasswordAllowed: false, loginWithEmail: false }
  const page = {
    page: 'LOGIN',
    username: '',
    error: null,
    fields: 'BOTH',
    passkey: null,
    magicLink: false,
    qr: false,
  } as const
  const known = { ...page, username: fill('ada.lovelace') }
  const signInId = fill('sign-in-1')
  const passkey = buildPrompt(fill)
  return {
    login: renderStepPage(frame, page),
    'login-branded': renderStepPage(brandedFrame, page),
    'login-bare': renderStepPage(bareFrame, page),
    'login-wrong': renderStepPage({ ...brandedFrame, signInId }, { ...known, error: 'credentials' }),
    'login-missing': renderStepPage(frame, { ...page, error: 'usernameMissing' }),
    'login-limited': renderStepPage({ ...frame, retryAfterSeconds: 90 }, { ...known, error: 'rateLimited' }),
    'login-username': renderStepPage(frame, { ...page, fields: 'USERNAME' }),
    'login-password': renderStepPage({ ...brandedFrame, signInId }, { ...known, fields: 'PASSWORD' }),
    'login-password-wrong': renderStepPage(frame, { ...known, fields: 'PASSWORD', error: 'credentials' }),
    'login-passkey': renderStepPage(frame, { ...page, passkey }),
    'login-all': renderStepPage(brandedFrame, { ...page, passkey, magicLink: true, qr: true }),
    'login-passkey-only': renderStepPage(bareFrame, { ...page, fields: 'NONE', passkey, error: 'passkeyFailed' }),
    'login-link': renderStepPage(bareFrame, { ...page, fields: 'USERNAME', magicLink: true }),
    'login-dutch': renderStepPage({ ...brandedFrame, locale: 'nl' }, { ...page, passkey, magicLink: true }),
    'login-german': renderStepPage({ ...brandedFrame, locale: 'de' }, { ...known, error: 'credentials' }),
    'login-french': renderStepPage({ ...brandedFrame, locale: 'fr' }, { ...page, passkey, magicLink: true }),
  }
}
