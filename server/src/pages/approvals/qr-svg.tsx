// A QR code as a picture of its own, for devices that show one beside the user code (RFC 8628, 3.3.1).

import { renderToString } from 'preact-render-to-string'
import { cleanText } from '../clean-text.ts'
import { drawQrCode } from '../components/index.ts'

/** Pixels; a picture in which a camera two metres away still tells the modules of a long address apart. */
const size = 320

/** Dark on white whatever the reader prefers, since many scanners know no other. Throws for a text no QR code can hold. */
export function renderQrSvg(text: string): string {
  const code = drawQrCode(text)
  if (code === null) throw new RangeError('The text is too long for a QR code.')
  return renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${code.size} ${code.size}`}
      width={size}
      height={size}
      role="img"
      shape-rendering="crispEdges"
    >
      <title>{cleanText(text)}</title>
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>,
  )
}
