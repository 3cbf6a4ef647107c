import { hash, randomBytes } from 'node:crypto'

const count = 10
// Without 0, O, 1 and I, which people mistake for one another on paper. 32 characters are five bits each.
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
// 75 bits: whoever has the hashes cannot try them all, and so the hash needs no key that would have to be kept for years.
const groups = 3
const groupLength = 5

export function makeRecoveryCodes(): string[] {
  return Array.from({ length: count }, makeCode)
}

function makeCode(): string {
  const letters = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % alphabet.length]).join('')
  return Array.from({ length: groups }, (_, at) => letters.slice(at * groupLength, (at + 1) * groupLength)).join('-')
}

/** Without spaces and dashes, in capitals; null when it is no code. */
export function readRecoveryCode(text: string): string | null {
  if (text.length > 64) return null
  const code = text.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
  return code.length === groups * groupLength && [...code].every((letter) => alphabet.includes(letter)) ? code : null
}

/** Bound to the person: the same code of somebody else has another hash. */
export function hashRecoveryCode(realmId: string, userId: string, code: string): Buffer {
  return hash('sha256', ['recovery-code', realmId, userId, code].join('\0'), 'buffer')
}
