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
