import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress, type Egress, EgressError, parseEgressRule } from './index.ts'

let server: Server
let base = ''
let egress: Egress
let openSockets = 0
let peakSockets = 0
let sent = 0
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))

const handlers: Record<string, RequestListener> = {
  '/silent': () => {},
  '/drip': (_request, response) => {
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/huge': (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
    }
    response.on('drain', more)
    more()
  },
  '/declared': (_request, response) => {
    response.writeHead(200, { 'content-length': '50000000' })
    response.write('x')
  },
  '/bomb': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  '/twice': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('x'))),
  '/broken': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is not gzip'),
  '/gzip': (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello')),
  '/deflate': (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('hello')),
  '/br': (_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('hello')),
  '/headers': (_request, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end('x'),
  '/reset': (_request, response) => void response.socket?.resetAndDestroy(),
  '/exact': (_request, response) => response.end(Buffer.alloc(1000)),
  '/echo': (request, response) => {
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (chunk: string) => (body += chunk))
    request.on('end', () =>
      response.writeHead(418, { 'x-two': ['a', 'b'] }).end(`${request.method} ${request.headers['x-test']} ${body}`),
    )
  },
}

beforeAll(async () => {
  server = createServer((request, response) => handlers[request.url ?? '']?.(request, response))
  server.on('connection', (socket) => {
    openSockets += 1
    peakSockets = Math.max(peakSockets, openSockets)
    socket.on('close', () => (openSockets -= 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve))
  base = `http://127.0.0.2:${(server.address() as AddressInfo).port}`
  egress = createEgress({ allow: [parseEgressRule('http://127.0.0.2')] })
})

afterAll(async () => {
  await egress.close()
  server.closeAllConnections()
  server.close()
})

async function fail(work: Promise<unknown>): Promise<{ reason: string; ms: number }> {
  const started = performance.now()
  const error = await work.then(
    () => null,
    (caught: unknown) => caught,
  )
  const reason = error instanceof EgressError ? error.reason : `no EgressError: ${String(error)}`
  return { reason, ms: performance.now() - started }
}

describe('egress limits', () => {
  it('sends method, headers and body and gives back status, headers and body of any status', async () => {
    const answer = await egress.fetch(`${base}/echo`, { method: 'POST', headers: { 'x-test': 'yes' }, body: 'content' })
    expect(answer.status).toBe(418)
    expect(answer.headers['x-two']).toBe('a, b')
    expect(answer.body.toString()).toBe('POST yes content')
  })

  it('decompresses gzip, deflate and brotli', async () => {
    for (const path of ['/gzip', '/deflate', '/br']) {
      expect((await egress.fetch(base + path)).body.toString()).toBe('hello')
    }
  })

  it('F21 ends a silent host and a slow drip at the total timeout', async () => {
    for (const path of ['/silent', '/drip']) {
      const { reason, ms } = await fail(egress.fetch(base + path, { timeoutMs: 300 }))
      expect(reason).toBe('timeout')
      expect(ms).toBeGreaterThan(250)
      expect(ms).toBeLessThan(1500)
    }
  })

  it('F21 stops an endless body at the limit and closes the connection', async () => {
    const { reason } = await fail(egress.fetch(`${base}/huge`))
    expect(reason).toBe('too_large')
    await new Promise((resolve) => setTimeout(resolve, 100))
    const after = sent
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sent).toBe(after)
    // What the kernel and both streams buffer comes on top of our 256 KiB, but not the whole stream.
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('F21 refuses a declared 50 MB without reading it', async () => {
    const { reason, ms } = await fail(egress.fetch(`${base}/declared`))
    expect(reason).toBe('too_large')
    expect(ms).toBeLessThan(1000)
  })

  it('F21 bounds what a gzip bomb may unfold to', async () => {
    expect(bomb.length).toBeLessThan(256 * 1024)
    const before = process.memoryUsage.rss()
    expect((await fail(egress.fetch(`${base}/bomb`))).reason).toBe('too_large')
    expect(process.memoryUsage.rss() - before).toBeLessThan(32 * 1024 * 1024)
    expect((await fail(egress.fetch(`${base}/twice`))).reason).toBe('network')
    expect((await fail(egress.fetch(`${base}/broken`))).reason).toBe('network')
  })

  it('allows a body of exactly the limit and refuses one byte more', async () => {
    expect((await egress.fetch(`${base}/exact`, { maxBytes: 1000 })).body.length).toBe(1000)
    expect((await fail(egress.fetch(`${base}/exact`, { maxBytes: 999 }))).reason).toBe('too_large')
    expect((await egress.fetch(`${base}/exact`, { method: 'HEAD', maxBytes: 1 })).body.length).toBe(0)
  })

  it('F21 refuses headers without end and survives a reset', async () => {
    expect((await fail(egress.fetch(`${base}/headers`))).reason).toBe('too_large')
    expect((await fail(egress.fetch(`${base}/reset`))).reason).toBe('network')
    expect((await fail(egress.fetch('http://127.0.0.2:1/'))).reason).toBe('network')
  })

  it('F21 opens at most eight sockets to a host that hangs and refuses more calls than can wait', async () => {
    const own = createEgress({ allow: [parseEgressRule('http://127.0.0.2')] })
    server.closeAllConnections()
    await new Promise((resolve) => setTimeout(resolve, 50))
    peakSockets = 0
    const calls = Array.from({ length: 70 }, () => fail(own.fetch(`${base}/silent`, { timeoutMs: 400 })))
    const reasons = (await Promise.all(calls)).map(({ reason }) => reason)
    expect(reasons.filter((reason) => reason === 'timeout')).toHaveLength(64)
    expect(reasons.filter((reason) => reason === 'network')).toHaveLength(6)
    expect(peakSockets).toBe(8)
    expect((await own.fetch(`${base}/gzip`)).status).toBe(200)
    await own.close()
  })

  it('F21 gives up on a name lookup and on a TLS handshake that hang', async () => {
    const held: Socket[] = []
    const mute = createTcpServer((socket) => void held.push(socket))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.2', resolve))
    const limits = { connectTimeoutMs: 300 }
    const slowNames = createEgress({ allow: [], lookup: () => new Promise(() => {}), limits })
    const slowTls = createEgress({ allow: [parseEgressRule('127.0.0.2')], limits })
    const port = (mute.address() as AddressInfo).port
    const results = await Promise.all([
      fail(slowNames.fetch('https://name.test/')),
      fail(slowTls.fetch(`https://127.0.0.2:${port}/`)),
      fail(slowTls.connect({ host: '127.0.0.2', port, tls: 'TLS', scheme: 'ldap' })),
    ])
    for (const { reason, ms } of results) {
      expect(reason).toBe('timeout')
      expect(ms).toBeLessThan(1500)
    }
    for (const socket of held) socket.destroy()
    mute.close()
    await Promise.all([slowNames.close(), slowTls.close()])
  })
})
