// Which picture it is, by what the host says and by the first bytes: both must agree.
const signatures = {
  'image/png': (body: Buffer) => body.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  'image/jpeg': (body: Buffer) => body.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  'image/gif': (body: Buffer) => /^GIF8[79]a/.test(body.toString('latin1', 0, 6)),
  'image/webp': (body: Buffer) => /^RIFF.{4}WEBP/s.test(body.toString('latin1', 0, 12)),
  'image/svg+xml': isSvg,
}

export type ImageType = keyof typeof signatures

/** The media type to serve, or null for anything that is not one of the pictures a logo may be. */
export function imageType(contentType: string | undefined, body: Buffer): ImageType | null {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (!Object.hasOwn(signatures, type)) return null
  const known = type as ImageType
  return signatures[known](body) ? known : null
}

// Text before the root element (declaration, comments, document type) is usual; a kilobyte holds it.
function isSvg(body: Buffer): boolean {
  const start = body
    .toString('utf8', 0, 1024)
    .replace(/^\uFEFF/, '')
    .trimStart()
  return start.startsWith('<') && !/<html/i.test(start) && /<svg[\s>]/.test(start)
}
