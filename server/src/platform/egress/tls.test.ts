import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate } from '../../../test/messaging/certificate.ts'
import { createEgress, type Egress, EgressError, parseEgressRule } from './index.ts'

const open: Server[] = []
let trusted: { cert: string; key: string }
let egress: Egress
const allow = ['http://127.0.0.2', 'ldap://127.0.0.2', 'smtp://127.0.0.2'].map(parseEgressRule)
const lookup = async () => [{ address: '127.0.0.2', family: 4 }]

async function start(server: Server): Promise<number> {
  open.push(server)
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  return (server.address() as AddressInfo).port
}

const startHttps = (options: TlsOptions) =>
  start(createHttpsServer(options, (_request, response) => response.end('secure')))

beforeAll(async () => {
  trusted = await makeCertificate('service.test')
  egress = createEgress({ allow, lookup, ca: [trusted.cert] })
})

afterAll(async () => {
  await egress.close()
  for (const server of open) server.close()
})

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (caught: unknown) => caught,
  )
  return error instanceof EgressError ? error.reason : `no EgressError: ${String(error)}`
}

describe('egress over TLS', () => {
  it('accepts a trusted certificate for the name, and reuses the connection', async () => {
    const port = await startHttps(trusted)
    for (const path of ['/a', '/b']) {
      expect((await egress.fetch(`https://service.test:${port}${path}`)).body.toString()).toBe('secure')
    }
  })

  it('S45 refuses a certificate for another name, an untrusted one, and TLS below 1.2', async () => {
    const port = await startHttps(trusted)
    expect(await reasonOf(egress.fetch(`https://other.test:${port}/`))).toBe('network')
    expect(await reasonOf(egress.fetch(`https://127.0.0.2:${port}/`))).toBe('network')
    const strangerPort = await startHttps(await makeCertificate('service.test'))
    expect(await reasonOf(egress.fetch(`https://service.test:${strangerPort}/`))).toBe('network')
    const oldPort = await startHttps({
      ...trusted,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    })
    expect(await reasonOf(egress.fetch(`https://service.test:${oldPort}/`))).toBe('network')
  })

  it('S45 still checks certificates when the environment says not to', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      const port = await startHttps(await makeCertificate('service.test'))
      expect(await reasonOf(egress.fetch(`https://service.test:${port}/`))).toBe('network')
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })

  it('dials LDAP and SMTP with TLS, STARTTLS and, where a rule says so, without', async () => {
    const tlsPort = await start(createTlsServer(trusted, (socket) => socket.end('tls')))
    const read = async (socket: AsyncIterable<Buffer>) => {
      let text = ''
      for await (const chunk of socket) text += chunk
      return text
    }
    const direct = await egress.connect({ host: 'service.test', port: tlsPort, tls: 'TLS', scheme: 'ldap' })
    expect(direct).toBeInstanceOf(TLSSocket)
    expect(await read(direct)).toBe('tls')
    const bare = await egress.connect({ host: 'service.test', port: tlsPort, tls: 'STARTTLS', scheme: 'smtp' })
    expect(bare).not.toBeInstanceOf(TLSSocket)
    expect(await read(await egress.upgrade(bare, { host: 'service.test' }))).toBe('tls')
    const plainPort = await start(createTcpServer((socket) => socket.end('plain')))
    expect(await read(await egress.connect({ host: '127.0.0.2', port: plainPort, tls: 'NONE', scheme: 'ldap' }))).toBe(
      'plain',
    )
    expect(await reasonOf(egress.connect({ host: 'other.test', port: tlsPort, tls: 'TLS', scheme: 'ldap' }))).toBe(
      'network',
    )
    expect(await reasonOf(egress.connect({ host: '127.0.0.1', port: plainPort, tls: 'TLS', scheme: 'ldap' }))).toBe(
      'blocked_address',
    )
  })
})
