import { isIPv4, isIPv6 } from 'node:net'

/** 4 or 16 bytes. Bytes, not numbers, so that both families compare in the same way and rules survive JSON. */
export type Address = number[]

export interface Cidr {
  bytes: Address
  prefixLength: number
}

/**
 * `private` is what a host rule may open: addresses on which organisations run services of their own. `special` is what
 * nobody serves on by accident (metadata services, multicast, transition prefixes): only a rule that names the range opens it.
 */
export type AddressRange = 'public' | 'private' | 'special'

export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return text.split('.').map(Number)
  // A zone names an interface of this machine, so an address with a zone is never a host on the internet.
  if (!isIPv6(text) || text.includes('%')) return null
  return parseIpv6(text)
}

function parseIpv6(text: string): Address {
  const groups = (part: string): number[] =>
    part === ''
      ? []
      : part.split(':').flatMap((group) => (group.includes('.') ? group.split('.').map(Number) : bytesOf(group)))
  const [head = '', tail] = text.split('::')
  const before = groups(head)
  if (tail === undefined) return before
  const after = groups(tail)
  return [...before, ...new Array<number>(16 - before.length - after.length).fill(0), ...after]
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}

export function parseCidr(text: string): Cidr | null {
  const [addressText = '', lengthText, ...rest] = text.split('/')
  const bytes = parseAddress(addressText)
  if (!bytes || rest.length > 0) return null
  const bits = bytes.length * 8
  if (lengthText === undefined) return { bytes, prefixLength: bits }
  if (!/^\d{1,3}$/.test(lengthText)) return null
  const prefixLength = Number(lengthText)
  return prefixLength <= bits ? { bytes, prefixLength } : null
}

export function isInCidr(address: Address, cidr: Cidr): boolean {
  if (address.length !== cidr.bytes.length) return false
  const wholeBytes = cidr.prefixLength >> 3
  for (let index = 0; index < wholeBytes; index += 1) {
    if (address[index] !== cidr.bytes[index]) return false
  }
  const restBits = cidr.prefixLength & 7
  if (restBits === 0) return true
  const mask = (0xff << (8 - restBits)) & 0xff
  return ((address[wholeBytes] ?? 0) & mask) === ((cidr.bytes[wholeBytes] ?? 0) & mask)
}

function cidrs(...texts: string[]): Cidr[] {
  return texts.map((text) => {
    const cidr = parseCidr(text)
    if (!cidr) throw new Error(`not a CIDR: ${text}`)
    return cidr
  })
}

// RFC 1918, loopback, carrier-grade NAT (RFC 6598), unique local (RFC 4193).
const privateRanges = cidrs(
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '127.0.0.0/8',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
)

// The rest of the IANA special-purpose registries (RFC 6890 and its successors).
const specialRanges = cidrs(
  '0.0.0.0/8', // "this network": 0.0.0.0 reaches the machine itself
  '169.254.0.0/16', // link-local, where clouds answer with instance credentials
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '168.63.129.16/32', // public in form, but the platform service of one cloud, like a metadata address
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID; Teredo carries any IPv4 address inside
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4 carries any IPv4 address inside
  '3fff::/20', // documentation
)

// Only 2000::/3 is global unicast. Everything else in IPv6 is special: unspecified, IPv4-mapped and IPv4-compatible,
// NAT64 (64:ff9b::/96 and 64:ff9b:1::/48), discard-only, link-local, site-local, multicast, and what is not yet assigned.
const globalUnicastV6 = cidrs('2000::/3')

export function classifyAddress(address: Address): AddressRange {
  const isIn = (ranges: Cidr[]) => ranges.some((cidr) => isInCidr(address, cidr))
  if (isIn(privateRanges)) return 'private'
  if (isIn(specialRanges)) return 'special'
  if (address.length === 16 && !isIn(globalUnicastV6)) return 'special'
  return 'public'
}
