import { describe, expect, it } from 'vitest'
import { createEgress, type DialTarget, parseEgressRule } from './index.ts'

function check(place: string | DialTarget, ...allow: string[]): string {
  const verdict = createEgress({ allow: allow.map(parseEgressRule) }).check(place)
  return verdict.ok ? 'ok' : verdict.reason
}

describe('egress rules', () => {
  it('reads scheme, host or CIDR, and port', () => {
    expect(parseEgressRule('vault.internal')).toMatchObject({
      family: null,
      host: 'vault.internal',
      cidr: null,
      port: null,
      liftsTls: false,
    })
    expect(parseEgressRule(' HTTP://Keys.Internal.:8080 ')).toMatchObject({
      family: 'http',
      host: 'keys.internal',
      port: 8080,
      liftsTls: true,
    })
    expect(parseEgressRule('https://10.0.0.0/8:8443')).toMatchObject({
      host: null,
      cidr: { prefixLength: 8 },
      port: 8443,
      encryptedOnly: true,
    })
    expect(parseEgressRule('ldap://10.1.2.3')).toMatchObject({
      family: 'ldap',
      cidr: { bytes: [10, 1, 2, 3], prefixLength: 32 },
      liftsTls: true,
    })
    expect(parseEgressRule('smtp://mail:25')).toMatchObject({ family: 'smtp', host: 'mail', port: 25, liftsTls: true })
    expect(parseEgressRule('fd00::/8')).toMatchObject({ cidr: { prefixLength: 8 }, port: null })
    expect(parseEgressRule('[fd00::/8]:8443')).toMatchObject({ cidr: { prefixLength: 8 }, port: 8443 })
    expect(parseEgressRule('http://[::1]:80')).toMatchObject({ cidr: { prefixLength: 128 }, port: 80 })
    expect(parseEgressRule('2130706433')).toMatchObject({ cidr: { bytes: [127, 0, 0, 1] } })
  })

  it('refuses entries that cannot be read and quotes them', () => {
    for (const text of [
      '',
      'ftp://host',
      '://host',
      'host:0',
      'host:65536',
      'host:',
      'a b',
      'user@host',
      'host/path',
      '10.0.0.0/33',
      'fe80::1%eth0',
      '[::1',
      'http://',
    ]) {
      expect(() => parseEgressRule(text)).toThrow(`"${text}"`)
    }
  })

  it('S45 refuses at save time what can be seen without a name lookup', () => {
    const refused = [
      '127.0.0.1',
      '2130706433',
      '0177.0.0.1',
      '0x7f.1',
      '127.1',
      '0.0.0.0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '169.254.169.254',
      '[fd00::1]',
      '10.0.0.1',
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      '%31%32%37.0.0.1',
      '①②⑦.0.0.1',
    ]
    for (const host of refused) expect(`${host} ${check(`https://${host}/keys`)}`).toBe(`${host} blocked_address`)
    for (const url of [
      'https://[fe80::1%25eth0]/',
      'https://user@example.org/',
      'https://u:p@example.org/',
      'ftp://example.org/',
      'file:///etc/passwd',
      'gopher://example.org/',
      'data:text/plain,x',
      'example.org',
      '',
      'https://',
      'https://example.org:0/',
      `https://example.org/${'a'.repeat(5000)}`,
    ]) {
      expect(`${url} ${check(url)}`).toBe(`${url} bad_url`)
    }
    expect(check('http://example.org/')).toBe('tls_required')
    expect(check('https://example.org/')).toBe('ok')
    expect(check('https://8.8.8.8:8443/')).toBe('ok')
  })

  it('lets a rule open exactly its host, range and port', () => {
    expect(check('https://10.1.2.3/', '10.0.0.0/8')).toBe('ok')
    expect(check('https://11.1.2.3/', '10.0.0.0/8')).toBe('ok')
    expect(check('https://172.16.0.1/', '10.0.0.0/8')).toBe('blocked_address')
    expect(check('https://10.1.2.3:8443/', '10.0.0.0/8:443')).toBe('blocked_address')
    expect(check('https://10.1.2.3/', '10.0.0.0/8:443')).toBe('ok')
    expect(check('https://localhost:9/', 'localhost:9')).toBe('ok')
    expect(check('https://localhost:8/', 'localhost:9')).toBe('blocked_address')
    expect(check('https://[fd00::1]/', 'fd00::/8')).toBe('ok')
    expect(check('https://[::ffff:127.0.0.1]/', '127.0.0.0/8')).toBe('blocked_address')
  })

  it('lifts the TLS demand only for the scheme that says so', () => {
    expect(check('http://keys.internal/', 'http://keys.internal')).toBe('ok')
    expect(check('https://keys.internal/', 'http://keys.internal')).toBe('ok')
    expect(check('http://keys.internal/', 'keys.internal')).toBe('tls_required')
    expect(check('http://keys.internal/', 'https://keys.internal')).toBe('tls_required')
    expect(check('http://other.internal/', 'http://keys.internal')).toBe('tls_required')
    expect(check('http://10.0.0.1/', 'ldap://10.0.0.1')).toBe('blocked_address')
    expect(check('http://10.0.0.1/', '10.0.0.1')).toBe('tls_required')
    expect(check('http://10.0.0.1/', 'http://10.0.0.0/8')).toBe('ok')
  })

  it('S45 judges LDAP and SMTP hosts by the same rules', () => {
    const ldap = { host: '10.0.0.1', port: 389, tls: 'NONE', scheme: 'ldap' } as const
    expect(check(ldap)).toBe('blocked_address')
    expect(check(ldap, '10.0.0.1')).toBe('tls_required')
    expect(check({ ...ldap, tls: 'STARTTLS' }, '10.0.0.1')).toBe('ok')
    expect(check(ldap, 'ldap://10.0.0.1')).toBe('ok')
    expect(check({ ...ldap, scheme: 'smtp' }, 'ldap://10.0.0.1')).toBe('blocked_address')
    expect(check({ ...ldap, host: 'ldap.example.org' })).toBe('tls_required')
    expect(check({ ...ldap, host: 'ldap.example.org', tls: 'TLS' })).toBe('ok')
    for (const host of ['', 'a b', 'u@h', 'h/p', 'h:389', 'fe80::1%eth0', '%31'])
      expect(check({ ...ldap, host })).toBe('bad_url')
    for (const port of [0, -1, 65_536, 1.5, Number.NaN]) expect(check({ ...ldap, port })).toBe('bad_url')
  })
})
