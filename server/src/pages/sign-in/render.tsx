import type { VNode } from 'preact'
import type { StepPage } from '../../domain/sign-in/index.ts'
import { renderDocument } from '../shell.tsx'
import { ConfigureTotpPage } from './configure-totp.tsx'
import { DeniedPage } from './denied.tsx'
import { DevicePage } from './device.tsx'
import type { StepFrame } from './frame.tsx'
import { LoginPage } from './login.tsx'
import { LinkSentPage, VerifyEmailPage } from './mail.tsx'
import { OtpPage, RecoveryCodePage } from './one-time-code.tsx'
import { RegisterWebauthnPage, WebauthnPage } from './passkey.tsx'
import { QrPage } from './qr.tsx'
import { RegisterDevicePage } from './register-device.tsx'
import { RecoveryCodesPage } from './recovery-codes.tsx'
import { TermsPage } from './terms.tsx'
import { UpdatePasswordPage } from './update-password.tsx'
import { UpdateProfilePage } from './update-profile.tsx'

/** The page a step of the sign-in shows, as a complete HTML document. */
export function renderStepPage(frame: StepFrame, page: StepPage): string {
  return renderDocument(drawStep(frame, page))
}

/** Whether the page loads a script of ours, for `pageHeaders({ script })`. */
export function stepPageUsesScript(page: StepPage): boolean {
  if (page.page === 'LOGIN') return page.passkey !== null
  return page.page === 'WEBAUTHN' || page.page === 'REGISTER_WEBAUTHN' || stepPageWaits(page)
}

const waiting = new Set(['DEVICE', 'QR', 'REGISTER_DEVICE'])

/** Whether the page waits for another device, and its script asks how that goes. */
export function stepPageWaits({ page }: StepPage): boolean {
  return waiting.has(page)
}

function drawStep(frame: StepFrame, page: StepPage): VNode {
  switch (page.page) {
    case 'LOGIN':
      return <LoginPage frame={frame} page={page} />
    case 'WEBAUTHN':
      return <WebauthnPage frame={frame} page={page} />
    case 'OTP':
      return <OtpPage frame={frame} page={page} />
    case 'RECOVERY_CODE':
      return <RecoveryCodePage frame={frame} page={page} />
    case 'DEVICE':
      return <DevicePage frame={frame} page={page} />
    case 'QR':
      return <QrPage frame={frame} page={page} />
    case 'LINK_SENT':
      return <LinkSentPage frame={frame} page={page} />
    case 'UPDATE_PASSWORD':
      return <UpdatePasswordPage frame={frame} page={page} />
    case 'UPDATE_PROFILE':
      return <UpdateProfilePage frame={frame} page={page} />
    case 'VERIFY_EMAIL':
      return <VerifyEmailPage frame={frame} page={page} />
    case 'CONFIGURE_TOTP':
      return <ConfigureTotpPage frame={frame} page={page} />
    case 'REGISTER_WEBAUTHN':
      return <RegisterWebauthnPage frame={frame} page={page} />
    case 'REGISTER_DEVICE':
      return <RegisterDevicePage frame={frame} page={page} />
    case 'CONFIGURE_RECOVERY_CODES':
      return <RecoveryCodesPage frame={frame} page={page} />
    case 'TERMS':
      return <TermsPage frame={frame} page={page} />
    case 'DENIED':
      return <DeniedPage frame={frame} page={page} />
  }
}
