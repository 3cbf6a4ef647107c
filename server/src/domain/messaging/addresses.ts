import type { Channel } from './channels.ts'

/**
 * One plain mailbox: no control characters, no second address, no comment, nothing that a header or an SMTP command could be
 * continued with (S47). Letters of every script are fine.
 */
const mailbox = /^[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}\p{Cf}]{1,189}$/u

/** E.164 with the separators that people type. */
const telephone = /^\+?[0-9][0-9 ()./-]{2,30}$/

/** The address of a device at a push service, or the id of a registered one. */
const device = /^[A-Za-z0-9_:.=+/-]{16,4096}$/

export function isMailbox(text: string): boolean {
  return mailbox.test(text)
}

export function isTelephone(text: string): boolean {
  return telephone.test(text)
}

export function isAddress(channel: Channel, to: string): boolean {
  if (channel === 'EMAIL') return isMailbox(to)
  return channel === 'SMS' ? isTelephone(to) : device.test(to)
}

/** The one spelling of an address, so that a limit cannot be got around by writing it another way. */
export function canonicalAddress(channel: Channel, to: string): string {
  if (channel === 'EMAIL') return to.normalize('NFKC').toLowerCase().trim()
  return channel === 'SMS' ? to.replaceAll(/[^0-9]/g, '') : to
}
