import { cleanText } from '../clean-text.ts'
import { maxUserCodeLength } from '../components/index.ts'

/** As devices show it, `XXXX-XXXX`; what cannot be such a code stays as it was typed, to be mended. */
export function formatUserCode(text: string): string {
  const typed = cleanText(text).slice(0, maxUserCodeLength)
  const letters = typed.replaceAll(/[\s\p{Pd}.]/gu, '').toUpperCase()
  return /^[A-Z0-9]{8}$/.test(letters) ? `${letters.slice(0, 4)}-${letters.slice(4)}` : typed
}
