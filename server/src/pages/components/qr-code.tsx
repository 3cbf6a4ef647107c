// A QR code as one path in an inline picture: no request, no script, sharp at every size.

import { encode } from 'uqr'

/** Readers need four light modules around the code (ISO/IEC 18004). */
const quietZone = 4

/** Null for a text longer than any QR code holds; the page then offers its other ways. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = drawQrCode(text)
  if (code === null) return null
  return (
    <svg
      class="gh-qr"
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={code.path} />
    </svg>
  )
}

/** The dark modules as one path in a square of `size` modules, quiet zone and all; null when the text is too long. */
export function drawQrCode(text: string): { size: number; path: string } | null {
  const modules = readModules(text)
  return modules && { size: modules.length + 2 * quietZone, path: drawPath(modules) }
}

function readModules(text: string): boolean[][] | null {
  try {
    return encode(text.toWellFormed(), { border: 0, ecc: 'M' }).data
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Dark modules side by side are one stroke, which halves the page. */
function drawPath(modules: boolean[][]): string {
  return modules
    .flatMap((row, y) => {
      const runs = [
        ...row
          .map((dark) => (dark ? '1' : '0'))
          .join('')
          .matchAll(/1+/g),
      ]
      return runs.map(({ 0: { length }, index }) => `M${index + quietZone} ${y + quietZone}h${length}v1h-${length}z`)
    })
    .join('')
}
