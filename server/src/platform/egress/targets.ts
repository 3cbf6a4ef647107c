import { type Address, parseAddress } from './addresses.ts'

export type EgressFamily = 'http' | 'ldap' | 'smtp'

/** Whom a call goes to, in one form for URLs and for the LDAP/SMTP dialer. */
export interface Target {
  family: EgressFamily
  encrypted: boolean
  /** Lower case, without brackets and without the root's trailing dot. */
  host: string
  /** Set when the host is an address and not a name. */
  address: Address | null
  port: number
}

export interface DialTarget {
  host: string
  port: number
  /** STARTTLS gives the bare socket: the caller must upgrade it before it sends anything else. */
  tls: 'TLS' | 'STARTTLS' | 'NONE'
  /** `https` is for HTTP/2, which the HTTP client does not speak. */
  scheme: 'ldap' | 'smtp' | 'https'
}

/** Longer than any address we store; keeps rubbish away from the parser. */
const maxUrlLength = 4096

/**
 * The URL parser of the platform is the judge of what a host is: it turns decimal, octal and hexadecimal spellings into
 * the dotted form and refuses zones, so that what is checked is what is connected to.
 */
export function canonicalHost(text: string): { host: string; address: Address | null } | null {
  if (text === '' || text.length > 255 || /[\s/?#@\\%]/.test(text)) return null
  const literal = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text
  const url = URL.parse(`http://${literal}/`)
  if (!url || url.port !== '' || url.hostname === '') return null
  return hostOf(url)
}

function hostOf(url: URL): { host: string; address: Address | null } | null {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  return host === '' ? null : { host, address: parseAddress(host) }
}

export function parseUrlTarget(text: string): { url: URL; target: Target } | null {
  if (text.length > maxUrlLength) return null
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  // Userinfo in a stored URL is either a secret in the wrong place or a trick to mislead who reads it.
  if (url.username !== '' || url.password !== '') return null
  const named = hostOf(url)
  if (!named || url.port === '0') return null
  const encrypted = url.protocol === 'https:'
  const port = url.port === '' ? (encrypted ? 443 : 80) : Number(url.port)
  return { url, target: { family: 'http', encrypted, port, ...named } }
}

export function parseDialTarget(dial: DialTarget): Target | null {
  const named = canonicalHost(dial.host)
  if (!named || !Number.isInteger(dial.port) || dial.port < 1 || dial.port > 65_535) return null
  const family = dial.scheme === 'https' ? 'http' : dial.scheme
  return { family, encrypted: dial.tls !== 'NONE', port: dial.port, ...named }
}
