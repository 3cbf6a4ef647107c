import { describe, expect, it } from 'vitest'
import { classifyAddress, isInCidr, parseAddress, parseCidr } from './addresses.ts'

function classify(text: string): string {
  const address = parseAddress(text)
  return address ? classifyAddress(address) : 'invalid'
}

describe('addresses', () => {
  it('S45 takes no special-purpose address for a public one', () => {
    const expected: Record<string, string[]> = {
      private: [
        '127.0.0.1',
        '127.255.255.255',
        '10.0.0.1',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '100.64.0.1',
        '100.127.255.255',
        '::1',
        'fc00::1',
        'fd00::1',
        'fdff:ffff::1',
      ],
      special: [
        '0.0.0.0',
        '0.1.2.3',
        '169.254.169.254',
        '192.0.0.8',
        '192.0.2.1',
        '192.88.99.1',
        '198.18.0.1',
        '198.19.255.255',
        '198.51.100.7',
        '203.0.113.9',
        '224.0.0.1',
        '239.255.255.255',
        '240.0.0.1',
        '255.255.255.255',
        '168.63.129.16',
        '::',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        '::ffff:8.8.8.8',
        '::127.0.0.1',
        '::7f00:1',
        '64:ff9b::7f00:1',
        '64:ff9b::10.0.0.1',
        '64:ff9b:1::1',
        '2002:7f00:1::1',
        '2001:0:7f00:1::1',
        '2001:2::1',
        '2001:db8::1',
        '3fff::1',
        '100::1',
        'fe80::1',
        'febf::1',
        'fec0::1',
        'ff02::1',
        '4000::1',
        '::ffff:0:7f00:1',
      ],
      public: [
        '1.1.1.1',
        '8.8.8.8',
        '93.184.216.34',
        '172.15.255.255',
        '172.32.0.1',
        '100.63.255.255',
        '100.128.0.1',
        '192.0.1.1',
        '198.17.255.255',
        '198.20.0.1',
        '223.255.255.255',
        '2606:2800:220:1::1',
        '2a00:1450::1',
        '2001:4860:4860::8888',
      ],
      invalid: ['fe80::1%eth0', '::1%lo', '127.1', '0x7f.1', '2130706433', '1.2.3.4.5', '', 'localhost', '010.0.0.1'],
    }
    for (const [range, texts] of Object.entries(expected)) {
      for (const text of texts) expect(`${text} ${classify(text)}`).toBe(`${text} ${range}`)
    }
  })

  it('reads every spelling of an IPv6 address to the same bytes', () => {
    const bytes = [0x20, 0x01, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88]
    for (const text of [
      '2001:4860::8888',
      '2001:4860:0:0:0:0:0:8888',
      '2001:4860:0000::0:8888',
      '2001:4860::0.0.136.136',
    ]) {
      expect(parseAddress(text)).toEqual(bytes)
    }
    expect(parseAddress('::')).toEqual(new Array(16).fill(0))
    expect(parseAddress('1::')?.slice(0, 3)).toEqual([0, 1, 0])
  })

  it('compares prefixes bit by bit and never across families', () => {
    const isIn = (address: string, cidr: string) => {
      const [bytes, range] = [parseAddress(address), parseCidr(cidr)]
      if (!bytes || !range) throw new Error('unreadable')
      return isInCidr(bytes, range)
    }
    expect(isIn('10.1.2.3', '10.0.0.0/8')).toBe(true)
    expect(isIn('11.0.0.0', '10.0.0.0/8')).toBe(false)
    expect(isIn('10.64.0.0', '10.0.0.0/9')).toBe(true)
    expect(isIn('10.128.0.0', '10.0.0.0/9')).toBe(false)
    expect(isIn('8.8.8.8', '0.0.0.0/0')).toBe(true)
    expect(isIn('10.0.0.1', '10.0.0.1')).toBe(true)
    expect(isIn('10.0.0.2', '10.0.0.1/32')).toBe(false)
    expect(isIn('fd12::1', 'fd00::/8')).toBe(true)
    expect(isIn('::ffff:10.0.0.1', '10.0.0.0/8')).toBe(false)
    expect(isIn('10.0.0.1', '::/0')).toBe(false)
  })

  it('refuses what is no CIDR', () => {
    for (const text of [
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '10.0.0/8',
      'host/8',
    ]) {
      expect(parseCidr(text)).toBeNull()
    }
  })
})
