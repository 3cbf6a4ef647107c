/** S43 allows any Unicode, but hashing must not be a way to order unlimited work. No policy allows more characters than fit. */
export const maxPasswordBytes = 1024

/** Composing can shorten a text, so the look before it is generous; it only keeps megabytes away from the normaliser. */
const maxRawLength = 4 * maxPasswordBytes

/**
 * The form that is hashed and checked: NFC, so that the same password typed on two keyboards is the same (NIST 800-63B).
 * null when it is too long to be hashed, or holds half a surrogate pair, which UTF-8 would turn into a shared substitute.
 * Nothing is ever cut off.
 */
export function normalisePassword(password: string): string | null {
  if (password.length > maxRawLength || !password.isWellFormed()) return null
  const normalised = password.normalize('NFC')
  return Buffer.byteLength(normalised, 'utf8') <= maxPasswordBytes ? normalised : null
}

/** For comparing words, not for hashing: width, ligatures and case make no other word. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
