// The steps after the first: second factors and required actions.

import { type RealmLook, renderStepPage } from '../../src/pages/index.ts'
import { buildFrame, buildPrompt } from './login-states.ts'
import type { Fill, Looks } from './looks.ts'

/** Constants below are exact, an empty list in them would be one nothing can be put into. */
export const none: never[] = []

function buildStepFrame(fill: Fill, realm: RealmLook) {
  return { ...buildFrame(fill, realm), signInId: fill('sign-in-1') }
}

export function renderFactorStates(fill: Fill, looks: Looks): Record<string, string> {
  const [plain, branded] = [buildStepFrame(fill, looks.plain), buildStepFrame(fill, looks.branded)]
  const base = { username: fill('ada.lovelace'), error: null, others: none, trustDays: 0 } as const
  const others = [fill('webauthn'), fill('otp-email'), fill('recovery-code')]
  const totp = { ...base, page: 'OTP', method: 'totp', sentTo: null, resendSeconds: null } as const
  const mail = {
    ...base,
    page: 'OTP',
    method: 'otp-email',
    sentTo: fill('a•••@acme.example'),
    resendSeconds: 45,
  } as const
  const sms = { ...mail, method: 'otp-sms', sentTo: fill('•••• 4711'), resendSeconds: 0, others } as const
  const webauthn = { ...base, page: 'WEBAUTHN', prompt: buildPrompt(fill) } as const
  const push = { ...base, page: 'DEVICE', method: 'push', number: 47, address: null, resendSeconds: 24 } as const
  const address = fill('https://login.acme.example/realms/acme/push/01a1dfaa-33ad-7000-bb7c-7ece045c76c5')
  const qr = { page: 'QR', error: null, address: address.replace('push', 'qr'), number: null, scanned: false } as const
  const linkSent = { page: 'LINK_SENT', username: fill('ada.lovelace'), error: null, resendSeconds: 60 } as const
  return {
    'otp-totp': renderStepPage(plain, { ...totp, trustDays: 30, others }),
    'otp-totp-wrong': renderStepPage(branded, { ...totp, error: 'codeWrong' }),
    'otp-email': renderStepPage(branded, { ...mail, trustDays: 30 }),
    'otp-email-not-sent': renderStepPage(plain, { ...mail, error: 'notSent', resendSeconds: 0 }),
    'otp-sms': renderStepPage(plain, sms),
    'otp-sms-french': renderStepPage({ ...branded, locale: 'fr' }, { ...sms, error: 'codeExpired', trustDays: 1 }),
    'recovery-code': renderStepPage(plain, { ...base, page: 'RECOVERY_CODE', error: 'codeMissing', others }),
    webauthn: renderStepPage(plain, { ...webauthn, trustDays: 30, others }),
    'webauthn-wrong': renderStepPage(branded, { ...webauthn, error: 'passkeyFailed' }),
    'device-push': renderStepPage(plain, { ...push, others, trustDays: 30 }),
    'device-push-denied': renderStepPage(branded, { ...push, number: null, error: 'approvalDenied', resendSeconds: 0 }),
    'device-push-limited': renderStepPage(plain, { ...push, number: null, error: 'approvalLimited', others }),
    'device-key': renderStepPage(branded, { ...push, method: 'device-key', address }),
    'device-key-german': renderStepPage({ ...plain, locale: 'de' }, { ...push, method: 'device-key', address }),
    'qr-code': renderStepPage(plain, qr),
    'qr-code-scanned': renderStepPage({ ...branded, locale: 'nl' }, { ...qr, number: 47, scanned: true }),
    'qr-code-expired': renderStepPage(plain, { ...qr, address: null, error: 'approvalExpired' }),
    'link-sent': renderStepPage(plain, linkSent),
    'link-sent-limited': renderStepPage(branded, { ...linkSent, error: 'rateLimited' }),
    denied: renderStepPage(plain, { page: 'DENIED', username: fill('ada.lovelace') }),
  }
}

const recoveryCodes = [
  '7KXF-Q2MD',
  'P9RT-3WZH',
  'B4NC-8YLV',
  'M6DG-T5JS',
  'X2HQ-9FKR',
  'V8WB-4PCN',
  'J3ZL-6TMX',
  'R5YD-K7GQ',
]

export function renderActionStates(fill: Fill, looks: Looks): Record<string, string> {
  const [plain, branded] = [buildStepFrame(fill, looks.plain), buildStepFrame(fill, looks.branded)]
  const who = { username: fill('ada.lovelace'), error: null } as const
  const uri = fill('otpauth://totp/Acme:ada.lovelace?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Acme')
  const totp = {
    ...who,
    page: 'CONFIGURE_TOTP',
    secret: fill('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'),
    uri,
    others: none,
  } as const
  const user = { id: fill('dXNlci1pZA'), name: fill('ada.lovelace'), displayName: fill('Ada') }
  const options = { ...buildPrompt(fill).options, rp: { name: fill('Acme') }, user, pubKeyCredParams: [] }
  const webauthn = { ...who, page: 'REGISTER_WEBAUTHN', prompt: { options, challenge: null }, others: none } as const
  const enrollmentUrl = fill(`https://login.acme.example/realms/acme/device/enroll#enr_${'k3'.repeat(21)}k`)
  const device = { ...who, page: 'REGISTER_DEVICE', enrollmentUrl } as const
  const codes = { ...who, page: 'CONFIGURE_RECOVERY_CODES', codes: recoveryCodes.map(fill) } as const
  const terms = { ...who, page: 'TERMS', termsUrl: fill('https://northwind.example/terms') } as const
  const mail = { ...who, page: 'VERIFY_EMAIL', email: fill('ada@acme.example'), resendSeconds: 45 } as const
  return {
    ...renderFormStates(fill, looks),
    'verify-email': renderStepPage(plain, mail),
    'verify-email-wrong': renderStepPage(branded, { ...mail, error: 'codeWrong', resendSeconds: 0 }),
    'configure-totp': renderStepPage(plain, { ...totp, others: [fill('webauthn')] }),
    'configure-totp-german': renderStepPage({ ...branded, locale: 'de' }, { ...totp, error: 'codeWrong' }),
    'register-webauthn': renderStepPage(plain, { ...webauthn, others: [fill('totp')] }),
    'register-webauthn-dutch': renderStepPage({ ...branded, locale: 'nl' }, { ...webauthn, error: 'passkeyFailed' }),
    'register-device': renderStepPage(plain, device),
    'register-device-ended': renderStepPage({ ...branded, locale: 'fr' }, { ...device, enrollmentUrl: null }),
    'recovery-codes': renderStepPage(plain, codes),
    'recovery-codes-unsaved': renderStepPage(branded, { ...codes, error: 'saveNeeded' }),
    terms: renderStepPage(branded, terms),
    'terms-refused': renderStepPage(plain, { ...terms, termsUrl: null, error: 'acceptNeeded' }),
  }
}

export const passwordRules = [
  { code: 'minLength', value: 12 },
  { code: 'maxLength', value: 128 },
  { code: 'minDigits', value: 1 },
  { code: 'notUsername', value: null },
  { code: 'historyCount', value: 5 },
  { code: 'breachCheck', value: null },
  { code: 'maxAgeDays', value: 90 },
]

function renderFormStates(fill: Fill, looks: Looks): Record<string, string> {
  const [plain, branded] = [buildStepFrame(fill, looks.plain), buildStepFrame(fill, looks.branded)]
  const username = fill('ada.lovelace')
  const password = { page: 'UPDATE_PASSWORD', username, rules: passwordRules, errors: none } as const
  const values = {
    email: fill('ada@acme.example'),
    firstName: fill('Ada'),
    lastName: '',
    phone: fill('+44 20 7946 0000'),
  }
  const profile = { page: 'UPDATE_PROFILE', username, values, errors: none } as const
  const refused = [
    { field: 'newPassword', code: 'password_policy', message: fill('The password must have at least 1 digit.') },
    { field: 'newPassword', code: 'password_breached', message: fill('It is known.') },
    { field: 'confirmPassword', code: 'mismatch', message: fill('The two passwords are not the same.') },
    { field: 'other', code: 'elsewhere', message: fill('The password was not changed.') },
  ]
  return {
    'update-password': renderStepPage(plain, password),
    'update-password-wrong': renderStepPage(branded, { ...password, errors: refused }),
    'update-password-dutch': renderStepPage({ ...plain, locale: 'nl' }, { ...password, errors: refused.slice(2) }),
    'update-profile': renderStepPage(plain, profile),
    'update-profile-wrong': renderStepPage(branded, {
      ...profile,
      errors: [
        { field: 'lastName', code: 'required', message: fill('This member is required.') },
        { field: 'phone', code: 'invalid', message: fill('The number is too short.') },
      ],
    }),
  }
}
