/** What a code or a link is good for. A value of one purpose is worth nothing for another. */
export type Purpose =
  | 'OTP_EMAIL'
  | 'OTP_SMS'
  | 'MAGIC_LINK'
  | 'VERIFY_EMAIL'
  | 'VERIFY_EMAIL_CODE'
  | 'RESET_PASSWORD'
  | 'ACTIONS'
  | 'REGISTER'
  | 'PASSKEY_CHALLENGE'
  | 'DEVICE_REQUEST'
  | 'ACCOUNT_PASSKEY'
  | 'CHANGE_EMAIL'

export interface Issue {
  purpose: Purpose
  /** The person's id; for somebody who has no account yet, a hash of the address. */
  subject: string
  /** The sign-in it belongs to, where it is worth something in that one only. */
  boundTo: string | null
  ttlMs: number
  /** Nothing personal: it is stored as it is. */
  details?: Record<string, unknown>
}

export interface StoredSecret {
  subject: string
  boundTo: string | null
  details: Record<string, unknown>
  /** What was sealed when it was issued. */
  sealed: string | null
  expiresAt: number
}
