// The text part of a mail whose template is HTML: what a reader without HTML sees.
// One walk from left to right: expressions over the whole text can be made to take minutes by who writes it.
const blocks = new Set(['p', 'div', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'ul', 'ol', 'table', 'blockquote'])
const lineBreaks = new Set(['br', 'hr'])
const unseen = new Set(['style', 'script', 'head', 'title'])
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', apos: "'" }

// What is looked at of a tag; an address that is longer is not worth showing.
const maxTagLength = 4096

/** Tags are taken out, links keep their address, blocks become lines. */
export function textOf(html: string): string {
  const lower = html.toLowerCase()
  const parts: string[] = []
  let link: { address: string; startsAt: number } | null = null
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const end = open < 0 ? -1 : html.indexOf('>', open)
    if (end < 0) {
      parts.push(plain(html.slice(at)))
      break
    }
    parts.push(plain(html.slice(at, open)))
    at = end + 1
    const tag = html.slice(open + 1, Math.min(end, open + maxTagLength))
    const name = /^\/?([a-z0-9]+|!--)/i.exec(tag)?.[1]?.toLowerCase() ?? ''
    if (name === '!--') at = after(lower, '-->', open)
    else if (unseen.has(name) && !tag.startsWith('/')) at = after(lower, `</${name}`, at)
    else if (name === 'a' && tag.startsWith('/')) {
      if (link) parts.push(addressAfter(parts.slice(link.startsAt).join(''), link.address))
      link = null
    } else if (name === 'a') link = { address: addressIn(tag), startsAt: parts.length }
    else if (lineBreaks.has(name) || (blocks.has(name) && tag.startsWith('/'))) parts.push('\n')
  }
  return tidy(parts.join(''))
}

/** What is never closed goes on to the end. */
function after(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from)
  return at < 0 ? text.length : text.indexOf('>', at) < 0 ? text.length : text.indexOf('>', at) + 1
}

function addressIn(tag: string): string {
  return plain(/\shref\s*=\s*["']?([^"'\s>]+)/i.exec(tag)?.[1] ?? '')
}

function addressAfter(label: string, address: string): string {
  if (address === '' || label.trim() === address) return ''
  return label.trim() === '' ? address : ` (${address})`
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,10}));/gi, decodeEntity)
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities[name.toLowerCase()] ?? whole
  const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
