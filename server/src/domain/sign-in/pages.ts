import type { FieldError } from '../../platform/errors/index.ts'
import type { PasswordRule } from '../passwords/index.ts'

/** What goes wrong in a step, as a name; the pages put it into words. */
export type StepError =
  | 'credentials'
  | 'usernameMissing'
  | 'passwordMissing'
  | 'rateLimited'
  | 'expired'
  | 'codeMissing'
  | 'codeWrong'
  | 'codeExpired'
  | 'passkeyFailed'
  | 'notSent'
  | 'approvalDenied'
  | 'approvalExpired'
  | 'approvalLimited'
  | 'acceptNeeded'
  | 'saveNeeded'

/** What the browser's authenticator is asked for. */
export interface PasskeyPrompt {
  /** PublicKeyCredentialRequestOptionsJSON or PublicKeyCredentialCreationOptionsJSON. */
  options: object
  /** The challenge, sealed, where no sign-in is kept yet; sent back as `passkeyChallenge`. */
  challenge: string | null
}

/** What every page of a second factor shows beside its own part. */
interface FactorPage {
  username: string
  error: StepError | null
  /** Ids of the other authenticators the person can use here (`totp`, `webauthn`, `otp-email` …). */
  others: string[]
  /** Days this browser is not asked again if the person says so; 0 = not offered. */
  trustDays: number
}

interface ActionPage {
  username: string
  error: StepError | null
}

export type ProfileField = 'email' | 'firstName' | 'lastName' | 'phone'

/** What a person sees while a step waits for them. */
export type StepPage =
  | {
      page: 'LOGIN'
      username: string
      error: StepError | null
      /** USERNAME and PASSWORD where the flow asks for them one after the other. */
      fields: 'BOTH' | 'USERNAME' | 'PASSWORD' | 'NONE'
      passkey: PasskeyPrompt | null
      magicLink: boolean
      qr: boolean
    }
  | (FactorPage & { page: 'WEBAUTHN'; prompt: PasskeyPrompt })
  | (FactorPage & {
      page: 'OTP'
      method: 'totp' | 'otp-email' | 'otp-sms'
      /** The address it was sent to, masked; null for an authenticator app. */
      sentTo: string | null
      /** Seconds until another one can be asked for; null for an authenticator app. */
      resendSeconds: number | null
    })
  | (FactorPage & { page: 'RECOVERY_CODE' })
  /** Waits for an answer on a device of the person. */
  | (FactorPage & {
      page: 'DEVICE'
      method: 'push' | 'device-key'
      /** The number to name on the device; null where none is asked for, or nothing is asked at the moment. */
      number: number | null
      /** What the device can read from the screen; null where a push brings it. */
      address: string | null
      resendSeconds: number
    })
  /** Waits for somebody who is signed in elsewhere to read the code and say yes. */
  | { page: 'QR'; error: StepError | null; address: string | null; number: number | null; scanned: boolean }
  | { page: 'LINK_SENT'; username: string; error: StepError | null; resendSeconds: number }
  | { page: 'UPDATE_PASSWORD'; username: string; rules: PasswordRule[]; errors: FieldError[] }
  | { page: 'UPDATE_PROFILE'; username: string; values: Record<ProfileField, string>; errors: FieldError[] }
  | (ActionPage & { page: 'VERIFY_EMAIL'; email: string; resendSeconds: number })
  | (ActionPage & { page: 'CONFIGURE_TOTP'; secret: string; uri: string; others: string[] })
  | (ActionPage & { page: 'REGISTER_WEBAUTHN'; prompt: PasskeyPrompt; others: string[] })
  | (ActionPage & {
      page: 'REGISTER_DEVICE'
      /** Null when a newer enrolment took its place. */
      enrollmentUrl: string | null
    })
  | (ActionPage & { page: 'CONFIGURE_RECOVERY_CODES'; codes: string[] })
  | (ActionPage & { page: 'TERMS'; termsUrl: string | null })
  /** The flow forbids this sign-in, or no way through it is left. */
  | { page: 'DENIED'; username: string }
