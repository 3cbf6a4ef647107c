import { HOTP, Secret, TOTP } from 'otpauth'
import { constantTimeEqual } from '../../../../platform/crypto/index.ts'

// What every authenticator app supports; many silently ignore other values.
const algorithm = 'SHA1'
const digits = 6
const periodSeconds = 30
// RFC 4226 recommends 160 bits.
const secretBytes = 20
// A step to either side for clocks that are off and for slow hands (RFC 6238 5.2).
const window = [-1, 0, 1]

export function makeSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** What a QR code carries. */
export function uriOf(secret: string, { issuerName, username }: { issuerName: string; username: string }): string {
  const options = { issuer: issuerName, label: username, secret: Secret.fromBase32(secret) }
  return new TOTP({ ...options, algorithm, digits, period: periodSeconds }).toString()
}

/** The digits alone; null when it is no code. People copy the spaces that apps show. */
export function readCode(text: string): string | null {
  if (text.length > 32) return null
  const code = text.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

/** The latest step around now whose code this is, or null. All steps are compared, whichever matches. */
export function findStep(secret: string, code: string, now: number): number | null {
  const current = Math.floor(now / 1000 / periodSeconds)
  const key = Secret.fromBase32(secret)
  let found: number | null = null
  for (const offset of window) {
    const step = current + offset
    const expected = HOTP.generate({ secret: key, algorithm, digits, counter: step })
    if (constantTimeEqual(expected, code)) found = step
  }
  return found
}

/** The code that an app shows at this time. */
export function codeAt(secret: string, now: number): string {
  const counter = Math.floor(now / 1000 / periodSeconds)
  return HOTP.generate({ secret: Secret.fromBase32(secret), algorithm, digits, counter })
}
