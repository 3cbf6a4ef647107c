import { BlockList, isIP } from 'node:net'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Tells whether an address belongs to one of these addresses and CIDR blocks. */
export function createNetworks(entries: string[]): (address: string) => boolean {
  const networks = new BlockList()
  for (const entry of entries) {
    const [address, bits] = entry.split('/') as [string, string?]
    if (bits === undefined) networks.addAddress(address, familyOf(address))
    else networks.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address) => networks.check(address, familyOf(address))
}

/** What one subscriber holds: a single IPv4 address, or the 2^64 addresses of an IPv6 network. Limits count these. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  // An IPv4 address as a socket for both kinds writes it.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  const [head, tail] = address.toLowerCase().split('%')[0]!.split('::') as [string, string?]
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0)
  const filled = [...groups, ...Array(Math.max(0, 8 - groups.length - rest)).fill('0'), ...(tail ?? '').split(':')]
  return `${filled
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
