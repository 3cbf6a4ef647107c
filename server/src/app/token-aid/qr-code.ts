import { renderUnicodeCompact } from 'uqr'
import type { AidIo } from './io.ts'

// Readers need four light modules around the code (ISO/IEC 18004).
const quietZone = 4
// Block characters are drawn in the colour of the text: bright white on black shows the code as it is meant, whatever the theme.
const brightOnBlack = '\u001b[97;40m'
const reset = '\u001b[0m'

/** A QR code of two modules a character; none for a text that is too long for one. */
export function drawQrCode(io: AidIo, text: string): string[] {
  try {
    const lines = renderUnicodeCompact(text, { border: quietZone, ecc: 'M' }).split('\n')
    return io.colour ? lines.map((line) => brightOnBlack + line + reset) : lines
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}
