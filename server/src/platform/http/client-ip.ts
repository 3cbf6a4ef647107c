import { isIP } from 'node:net'
import { createNetworks } from './networks.ts'

/**
 * Finds the address of the caller. X-Forwarded-For is believed only as far as it was written by trusted proxies, read from the
 * right; the first entry that is not a trusted proxy is the caller, and junk ends the search.
 */
export function createClientIp(
  trustedProxies: string[],
): (socketAddress: string | undefined, forwarded: string | undefined) => string | null {
  const isTrusted = createNetworks(trustedProxies)

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
