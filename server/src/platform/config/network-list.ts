// Checks one entry of a proxy list: an address or a CIDR block.
import { isIP } from 'node:net'

export function findNetworkFault(text: string): string | null {
  const [address = '', prefix, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return 'is not an address or CIDR block'
  if (prefix === undefined) return null
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  if (!(bits <= (family === 4 ? 32 : 128))) return 'has a prefix length out of range'
  // Believing everybody lets any client choose the address that limits and audit events see.
  if (bits === 0) return 'trusts every address'
  return null
}
