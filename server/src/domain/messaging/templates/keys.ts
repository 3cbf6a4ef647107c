import type { Channel } from '../channels.ts'

/** Every template there is, with its channel (contract 2.84). A realm changes texts, it makes no keys of its own. */
export const templateChannels = {
  'otp-sms': 'SMS',
  'otp-email': 'EMAIL',
  'magic-link-email': 'EMAIL',
  'verify-email': 'EMAIL',
  'reset-password-email': 'EMAIL',
  'invite-email': 'EMAIL',
  'impersonation-notice-email': 'EMAIL',
  'new-device-email': 'EMAIL',
  'registration-email': 'EMAIL',
  'account-exists-email': 'EMAIL',
  'approval-email': 'EMAIL',
  'approval-push': 'PUSH',
  'account-change-email': 'EMAIL',
  'confirm-address-email': 'EMAIL',
} as const satisfies Record<string, Channel>

export type TemplateKey = keyof typeof templateChannels
export const templateKeys = Object.keys(templateChannels) as [TemplateKey, ...TemplateKey[]]

export function isTemplateKey(text: string): text is TemplateKey {
  return Object.hasOwn(templateChannels, text)
}
