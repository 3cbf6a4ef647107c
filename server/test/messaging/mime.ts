// Reads a mail as a mail program would: headers unfolded, words decoded, parts decoded. Just enough for what tests look at.

export interface ReadMail {
  headers: Map<string, string>
  text: string
  html: string | null
  raw: string
}

export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw)
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (!boundary) {
    const text = decodeBody(body, headers.get('content-transfer-encoding'))
    return { headers, raw, text, html: null }
  }
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => split(part.replace(/^\r\n/, '')))
  const find = (kind: string) => {
    const part = parts.find((entry) => entry.headers.get('content-type')?.startsWith(kind))
    return part ? decodeBody(part.body, part.headers.get('content-transfer-encoding')) : null
  }
  return { headers, raw, text: find('text/plain') ?? '', html: find('text/html') }
}

function split(raw: string): { headers: Map<string, string>; body: string } {
  const at = raw.indexOf('\r\n\r\n')
  const head = at < 0 ? raw : raw.slice(0, at)
  const headers = new Map<string, string>()
  for (const line of head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const name = line.slice(0, colon).toLowerCase()
    // A header that comes twice is one too many, and a test should see it.
    headers.set(headers.has(name) ? `${name} again` : name, decodeWords(line.slice(colon + 1).trim()))
  }
  return { headers, body: at < 0 ? '' : raw.slice(at + 4) }
}

function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, how: string, text: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(text, 'base64').toString() : decodeQuoted(text.replaceAll('_', ' ')),
    )
}

function decodeQuoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function decodeBody(body: string, encoding = '7bit'): string {
  const text = body.replace(/\r\n$/, '')
  const kind = encoding.toLowerCase()
  if (kind === 'base64') return Buffer.from(text, 'base64').toString('utf8')
  if (kind === 'quoted-printable') return decodeQuoted(text).replaceAll('\r\n', '\n')
  return Buffer.from(text, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
