import { BlockList, isIP } from 'node:net'

/**
 * Finds the address of the caller. X-Forwarded-For is believed only as far as it was written by trusted proxies, read from the
 * right; the first entry that is not a trusted proxy is the caller, and junk ends the search.
 */
export function createClientIp(
  trustedProxies: string[],
): (socketAddress: string | undefined, forwarded: string | undefined) => string | null {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address, bits] = entry.split('/') as [string, string?]
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) trusted.addAddress(address, family)
    else trusted.addSubnet(address, Number(bits), family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (socketAddress, forwarded) => {
    if (!socketAddress) return null
    let address = plainAddress(socketAddress)
    if (!forwarded || forwarded.length > 1024) return address
    const hops = forwarded.split(',').map((hop) => plainAddress(hop.trim()))
    while (hops.length > 0 && isTrusted(address)) {
      const next = hops.pop()!
      if (isIP(next) === 0) break
      address = next
    }
    return address
  }
}

/** An IPv4 address that arrives on an IPv6 socket is the same address. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
