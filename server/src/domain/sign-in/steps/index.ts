// Every step of a sign-in by its name: authenticators that flows name, and required actions.
import type { Step } from '../types.ts'
import { configureRecoveryCodesAction } from './configure-recovery-codes.ts'
import { configureTotpAction } from './configure-totp.ts'
import { deviceKeyStep, pushStep } from './device.ts'
import { magicLinkStep } from './magic-link.ts'
import { passkeyStep } from './passkey.ts'
import { qrStep } from './qr.ts'
import { recoveryCodeStep } from './recovery-code.ts'
import { registerDeviceAction } from './register-device.ts'
import { registerWebauthnAction } from './register-webauthn.ts'
import { emailCodeStep, smsCodeStep } from './sent-code.ts'
import { allowStep, consentStep } from './silent.ts'
import { termsAction, termsStep } from './terms.ts'
import { totpStep } from './totp.ts'
import { updatePasswordStep } from './update-password.ts'
import { updateProfileAction } from './update-profile.ts'
import { usernameStep } from './username.ts'
import { passwordStep, usernamePasswordStep } from './username-password.ts'
import { verifyEmailAction } from './verify-email.ts'
import { webauthnStep } from './webauthn.ts'

/** In the order in which people do them: an address may change before it has to be proved. */
export const actionNames = [
  'TERMS_AND_CONDITIONS',
  'UPDATE_PASSWORD',
  'UPDATE_PROFILE',
  'VERIFY_EMAIL',
  'REGISTER_WEBAUTHN',
  'CONFIGURE_TOTP',
  'REGISTER_DEVICE',
  'CONFIGURE_RECOVERY_CODES',
] as const
export type ActionName = (typeof actionNames)[number]

const all = [
  usernamePasswordStep,
  usernameStep,
  passwordStep,
  passkeyStep,
  magicLinkStep,
  qrStep,
  webauthnStep,
  pushStep,
  deviceKeyStep,
  totpStep,
  emailCodeStep,
  smsCodeStep,
  recoveryCodeStep,
  termsStep,
  allowStep,
  consentStep,
  termsAction,
  updatePasswordStep,
  updateProfileAction,
  verifyEmailAction,
  registerWebauthnAction,
  registerDeviceAction,
  configureTotpAction,
  configureRecoveryCodesAction,
]

export const stepsByName: ReadonlyMap<string, Step> = new Map(all.map((step) => [step.id, step as Step]))
