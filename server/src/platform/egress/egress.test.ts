import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress, EgressError, type Lookup, parseEgressRule } from './index.ts'

// The canary stands on loopback, where no call may arrive. A neighbour on 127.0.0.2, which rules open, stands for "public".
let canary: Server
let canaryV6: Server
let neighbour: Server
let canaryPort = 0
let reached = 0
const seenPaths: string[] = []

function listen(host: string, port: number, handler: RequestListener): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(handler)
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

beforeAll(async () => {
  canary = await listen('127.0.0.1', 0, (_request, response) => response.end('SECRET'))
  canaryPort = (canary.address() as AddressInfo).port
  canaryV6 = await listen('::1', canaryPort, (_request, response) => response.end('SECRET'))
  for (const server of [canary, canaryV6]) server.on('connection', () => (reached += 1))
  neighbour = await listen('127.0.0.2', canaryPort, (request, response) => {
    seenPaths.push(request.url ?? '')
    response.setHeader('connection', 'close')
    const location = request.url?.startsWith('/to/') ? decodeURIComponent(request.url.slice(4)) : null
    if (location === null) return response.end('public answer')
    response.writeHead(302, { location }).end()
  })
})

afterAll(() => {
  for (const server of [canary, canaryV6, neighbour]) {
    server.closeAllConnections()
    server.close()
  }
})

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (caught: unknown) => caught,
  )
  return error instanceof EgressError ? error.reason : `no EgressError: ${String(error)}`
}

const answers =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('egress', () => {
  // Plain HTTP is opened for one documentation range, so that the scheme is not what stops the calls below.
  const plain = () => ['http://192.0.2.0/24', 'http://127.0.0.2'].map(parseEgressRule)

  it('S45 connects to no spelling of an inside address', async () => {
    const egress = createEgress({ allow: plain() })
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0177.0.0.1',
      '0x7f000001',
      '0x7f.0.0.1',
      '0.0.0.0',
      '0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '169.254.169.254',
      '[fd00::1]',
      '[fd00:ec2::254]',
      '[fe80::1]',
      '10.0.0.1',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      'localhost',
      'localhost.',
      'LocalHost',
      'foo.localhost',
    ]
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const reason = await reasonOf(egress.fetch(`${scheme}://${host}:${canaryPort}/`))
        expect(`${scheme} ${host} ${reason}`).toBe(`${scheme} ${host} blocked_address`)
      }
    }
    expect(await reasonOf(egress.fetch(`http://[fe80::1%25lo]:${canaryPort}/`))).toBe('bad_url')
    expect(await reasonOf(egress.fetch(`http://[::1%25lo]:${canaryPort}/`))).toBe('bad_url')
    expect(reached).toBe(0)
    await egress.close()
  })

  it('S45 refuses names whose answers are inside, in part or in whole', async () => {
    const mixtures = [
      ['127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['127.0.0.2', '127.0.0.1'],
      ['127.0.0.1', '127.0.0.2'],
      ['127.0.0.2', '::1'],
      ['93.184.216.34', '10.0.0.1'],
      ['fe80::1%lo'],
      ['nonsense'],
    ]
    for (const addresses of mixtures) {
      const egress = createEgress({ allow: plain(), lookup: answers(...addresses) })
      expect(`${addresses} ${await reasonOf(egress.fetch(`https://name.test:${canaryPort}/`))}`).toBe(
        `${addresses} blocked_address`,
      )
      await egress.close()
    }
    expect(reached).toBe(0)
    expect(seenPaths).toEqual([])
  })

  it('S45 is not led inside by a name that answers public first and private later (rebinding)', async () => {
    let lookups = 0
    const lookup: Lookup = async () => {
      lookups += 1
      return [{ address: lookups === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
    }
    const egress = createEgress({ allow: plain(), lookup })
    const first = await egress.fetch(`http://rebind.test:${canaryPort}/one`)
    expect(first.body.toString()).toBe('public answer')
    // One lookup for one connection: the address that was checked is the address that was dialled.
    expect(lookups).toBe(1)
    expect(await reasonOf(egress.fetch(`http://rebind.test:${canaryPort}/two`))).toBe('blocked_address')
    expect(await reasonOf(egress.connect({ host: 'rebind.test', port: canaryPort, tls: 'TLS', scheme: 'ldap' }))).toBe(
      'blocked_address',
    )
    expect(reached).toBe(0)
    await egress.close()
  })

  it('S45 judges the address of the finished connection once more and sends nothing when it is another one', async () => {
    let bytes = 0
    const inside = createTcpServer((socket) => socket.on('data', (chunk) => (bytes += chunk.length)))
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.3', resolve))
    // An answer that changes between the check and the connection, which no ordinary lookup can give.
    let reads = 0
    const shifty = {
      family: 4,
      get address() {
        reads += 1
        return reads === 1 ? '127.0.0.2' : '127.0.0.3'
      },
    }
    const egress = createEgress({ allow: plain(), lookup: async () => [shifty] })
    const url = `http://name.test:${(inside.address() as AddressInfo).port}/`
    expect(await reasonOf(egress.fetch(url))).toBe('blocked_address')
    expect(reads).toBeGreaterThan(1)
    expect(bytes).toBe(0)
    await egress.close()
    inside.close()
  })

  it('S45 follows no redirect, to metadata, inside, or from https to http', async () => {
    const egress = createEgress({ allow: plain() })
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      `http://127.0.0.1:${canaryPort}/`,
      `http://127.0.0.2:${canaryPort}/next`,
      '/next',
      '//localhost/',
    ]) {
      const url = `http://127.0.0.2:${canaryPort}/to/${encodeURIComponent(location)}`
      expect(await reasonOf(egress.fetch(url))).toBe('redirect')
    }
    expect(seenPaths).not.toContain('/next')
    expect(reached).toBe(0)
    await egress.close()
  })

  it('S45 demands https where no rule lifts it, and opens no socket to find out', async () => {
    const egress = createEgress({ allow: [parseEgressRule('127.0.0.2'), parseEgressRule('127.0.0.1')] })
    expect(await reasonOf(egress.fetch(`http://127.0.0.2:${canaryPort}/`))).toBe('tls_required')
    expect(await reasonOf(egress.fetch(`http://127.0.0.1:${canaryPort}/`))).toBe('tls_required')
    expect(await reasonOf(egress.connect({ host: '127.0.0.1', port: canaryPort, tls: 'NONE', scheme: 'smtp' }))).toBe(
      'tls_required',
    )
    expect(await reasonOf(egress.fetch(`http://u:p@127.0.0.1:${canaryPort}/`))).toBe('bad_url')
    expect(reached).toBe(0)
    await egress.close()
  })

  it('S45 uses no proxy from the environment', async () => {
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${canaryPort}`
    try {
      const egress = createEgress({ allow: plain() })
      expect((await egress.fetch(`http://127.0.0.2:${canaryPort}/direct`)).status).toBe(200)
      await egress.close()
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name]
        else process.env[name] = before[index]
      })
    }
    expect(reached).toBe(0)
  })

  it('S45 says nothing about the address in its message', async () => {
    const egress = createEgress({ allow: plain(), lookup: answers('10.20.30.40') })
    const error = await egress.fetch('https://name.test/').catch((caught: unknown) => caught)
    expect(String(error)).not.toContain('10.20')
    await egress.close()
  })

  it('refuses a name with a host rule when it resolves to a metadata address', async () => {
    const egress = createEgress({ allow: [parseEgressRule('http://name.test')], lookup: answers('169.254.169.254') })
    expect(await reasonOf(egress.fetch('http://name.test/'))).toBe('blocked_address')
    const inside = createEgress({ allow: [parseEgressRule('http://name.test')], lookup: answers('127.0.0.2') })
    expect((await inside.fetch(`http://name.test:${canaryPort}/`)).status).toBe(200)
    await Promise.all([egress.close(), inside.close()])
  })
})
