// Rules between members, which no single member can check for itself. All faults are reported at once.
import { DomainError, type FieldError } from '../../platform/errors/index.ts'
import { checkCustomCss } from '../branding/index.ts'
import type { RealmSettings, SettingsChange } from './schema.ts'
import { acrAliasesMax } from './schema-security.ts'

interface Fault {
  /** The members of the rule; the first one that was sent is named in the error. */
  fields: string[]
  message: string
}

/** Refuses settings that contradict themselves. `host` is the public host of the service. */
export function checkSettings(settings: RealmSettings, change: SettingsChange, host: string): void {
  const faults = [
    ...findLifetimeFaults(settings),
    ...findSignInFaults(settings),
    ...findProtocolFaults(settings, host),
    ...findCaptchaFaults(settings),
    ...findLookFaults(settings, change),
  ]
  if (faults.length === 0) return
  const fields = faults.map((fault): FieldError => {
    const field = fault.fields.find((path) => wasSent(change, path)) ?? fault.fields[0] ?? ''
    return { field, code: 'invalid', message: fault.message }
  })
  throw new DomainError('validation_failed', 'The settings contradict each other or cannot be used.', { fields })
}

function findLifetimeFaults(settings: RealmSettings): Fault[] {
  const notLonger = [
    ['ssoSessionIdleSeconds', 'ssoSessionMaxSeconds'],
    ['adminSessionIdleSeconds', 'ssoSessionMaxSeconds'],
    ['refreshTokenIdleSeconds', 'refreshTokenLifetimeSeconds'],
  ] as const
  return notLonger
    .filter(([idle, max]) => settings[idle] > settings[max])
    .map(([idle, max]) => ({ fields: [idle, max], message: `${idle} may not be longer than ${max}.` }))
}

function findSignInFaults({ bruteForce, mfaPolicy, defaultLocale, supportedLocales }: RealmSettings): Fault[] {
  const faults: Fault[] = []
  if (bruteForce.lockSeconds > bruteForce.maxLockSeconds) {
    faults.push({
      fields: ['bruteForce.lockSeconds', 'bruteForce.maxLockSeconds'],
      message: 'lockSeconds may not be longer than maxLockSeconds.',
    })
  }
  const isRequired = mfaPolicy.mode === 'REQUIRED' || mfaPolicy.mode === 'REQUIRED_FOR_ADMINS'
  // Recovery codes are no factor of their own (contract 2.66): nobody could meet the requirement.
  if (isRequired && !mfaPolicy.allowed.some((factor) => factor !== 'recovery-codes')) {
    faults.push({
      fields: ['mfaPolicy.allowed', 'mfaPolicy.mode'],
      message: 'A required second factor needs at least one allowed factor besides recovery codes.',
    })
  }
  if (!supportedLocales.includes(defaultLocale)) {
    faults.push({
      fields: ['supportedLocales', 'defaultLocale'],
      message: 'supportedLocales must contain defaultLocale.',
    })
  }
  return faults
}

function findProtocolFaults({ samlDefaults, webauthnPolicy, acrAliases }: RealmSettings, host: string): Fault[] {
  const faults: Fault[] = []
  if (!samlDefaults.signAssertion && !samlDefaults.signResponse) {
    faults.push({
      fields: ['samlDefaults.signAssertion', 'samlDefaults.signResponse'],
      message: 'Assertion or response must be signed.',
    })
  }
  const { rpId, attestation, allowedAaguids } = webauthnPolicy
  if (rpId !== null && rpId !== host && !host.endsWith(`.${rpId}`)) {
    faults.push({ fields: ['webauthnPolicy.rpId'], message: `rpId must be ${host} or a parent domain of it.` })
  }
  // Without attestation every authenticator may claim any make.
  if (allowedAaguids.length > 0 && attestation === 'none') {
    faults.push({
      fields: ['webauthnPolicy.allowedAaguids', 'webauthnPolicy.attestation'],
      message: 'allowedAaguids needs attestation.',
    })
  }
  if (Object.keys(acrAliases).length > acrAliasesMax) {
    faults.push({ fields: ['acrAliases'], message: `At most ${acrAliasesMax} aliases.` })
  }
  return faults
}

function findCaptchaFaults({ captcha }: RealmSettings): Fault[] {
  if (captcha.provider === null) return []
  const faults: Fault[] = []
  if (captcha.siteKey === null) faults.push({ fields: ['captcha.siteKey'], message: 'The provider needs a siteKey.' })
  if (!captcha.secretSet) faults.push({ fields: ['captcha.secret'], message: 'The provider needs a secret.' })
  return faults
}

// Parsing a style sheet costs more than all other checks, so only a new one is looked at.
function findLookFaults(settings: RealmSettings, change: SettingsChange): Fault[] {
  if (!change.customCss || settings.customCss === null) return []
  const result = checkCustomCss(settings.customCss)
  return result.ok ? [] : [{ fields: ['customCss'], message: result.message }]
}

function wasSent(change: SettingsChange, path: string): boolean {
  const [name = '', member] = path.split('.')
  const value = (change as Record<string, unknown>)[name]
  if (member === undefined || value === null || value === undefined) return value !== undefined
  return (value as Record<string, unknown>)[member] !== undefined
}
