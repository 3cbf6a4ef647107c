import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress, type Egress, parseEgressRule } from '../../../platform/egress/index.ts'
import { findBreach } from './index.ts'
import { findInRange } from './range.ts'

const leaked = 'a leaked but rare passphrase'
const padded = 'only a padding line has this one'
const unknown = 'nobody ever leaked this passphrase'
const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const rangeOf = (text: string, count: number) =>
  `${'0'.repeat(35)}:3\r\n${sha1(text).slice(5)}:${count}\r\n${'F'.repeat(35)}:0\r\n`

describe('range format', () => {
  it('finds a suffix in any case, ignores padding, and takes no other text for a range', () => {
    const suffix = sha1(leaked).slice(5)
    expect(findInRange(`${suffix}:12`, suffix)).toBe(true)
    expect(findInRange(`${suffix.toLowerCase()}:12\n`, suffix)).toBe(true)
    expect(findInRange(`${'A'.repeat(35)}:1\r\n${suffix}:1\r\n`, suffix)).toBe(true)
    expect(findInRange(`${suffix}:0\r\n`, suffix)).toBe(false)
    expect(findInRange(`${'A'.repeat(35)}:1`, suffix)).toBe(false)
    expect(findInRange(`X${suffix}:1`, suffix)).toBeNull()
    expect(findInRange('<html>Sign in to the network</html>', suffix)).toBeNull()
    expect(findInRange('', suffix)).toBeNull()
  })
})

describe('range directory (FILE)', () => {
  let directory = ''
  const egress = createEgress({ allow: [] })
  const ask = (password: string, breachDir: string | null = directory) =>
    findBreach({ egress, breachDir, breachUrl: null }, 'FILE', password)

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-ranges-'))
    writeFileSync(join(directory, `${sha1(leaked).slice(0, 5)}.txt`), rangeOf(leaked, 4))
    writeFileSync(join(directory, sha1(padded).slice(0, 5)), rangeOf(padded, 0))
    writeFileSync(join(directory, sha1('bare name').slice(0, 5)), rangeOf('bare name', 1))
    writeFileSync(join(directory, `${sha1('too large').slice(0, 5)}.txt`), Buffer.alloc(2_000_000, '0'))
  })
  afterAll(async () => {
    rmSync(directory, { recursive: true })
    await egress.close()
  })

  it('S43 finds a password in files with and without .txt', async () => {
    expect(await ask(leaked)).toEqual({ isBreached: true, isUnavailable: false })
    expect(await ask('bare name')).toEqual({ isBreached: true, isUnavailable: false })
    expect(await ask(padded)).toEqual({ isBreached: false, isUnavailable: false })
    expect(await ask(unknown)).toEqual({ isBreached: false, isUnavailable: false })
  })

  it('allows and reports when the directory is missing, not set, or its file is not a range', async () => {
    const unavailable = { isBreached: false, isUnavailable: true }
    expect(await ask(leaked, join(directory, 'missing'))).toEqual(unavailable)
    expect(await ask(leaked, null)).toEqual(unavailable)
    expect(await ask('too large')).toEqual(unavailable)
  })

  it('still asks the built-in list when the directory is missing', async () => {
    expect(await ask('password1', null)).toEqual({ isBreached: true, isUnavailable: false })
  })
})

describe('range server (HIBP_RANGE)', () => {
  let server: Server
  let egress: Egress
  let url = ''
  let answer: RequestListener = (_request, response) => response.end()
  const requests: IncomingMessage[] = []

  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request)
      answer(request, response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    egress = createEgress({ allow: [parseEgressRule('http://127.0.0.1')] })
  })
  afterAll(async () => {
    await egress.close()
    server.closeAllConnections()
    server.close()
  })
  const ask = (password: string, breachUrl: string | null = url) =>
    findBreach({ egress, breachDir: null, breachUrl }, 'HIBP_RANGE', password)

  it('S43 finds a password, sending five digits of its hash, asking for padding, and nothing more', async () => {
    answer = (_request, response) => response.end(rangeOf(leaked, 17))
    expect(await ask(leaked, `${url}/`)).toEqual({ isBreached: true, isUnavailable: false })
    const request = requests.at(-1)
    expect(request?.url).toBe(`/range/${sha1(leaked).slice(0, 5)}`)
    expect(request?.headers['add-padding']).toBe('true')
    expect(JSON.stringify(request?.headers)).not.toContain(sha1(leaked).slice(5, 12))
    expect(await ask(unknown)).toEqual({ isBreached: false, isUnavailable: false })
    answer = (_request, response) => response.end(rangeOf(padded, 0))
    expect(await ask(padded)).toEqual({ isBreached: false, isUnavailable: false })
  })

  it('does not ask the server about a password the built-in list knows', async () => {
    const before = requests.length
    expect((await ask('password1')).isBreached).toBe(true)
    expect(requests).toHaveLength(before)
  })

  it('allows and reports when the server fails, redirects, answers with a page, hangs up, or is not reachable', async () => {
    const unavailable = { isBreached: false, isUnavailable: true }
    const failures: RequestListener[] = [
      (_request, response) => response.writeHead(503).end(rangeOf(leaked, 1)),
      (_request, response) => response.writeHead(404).end(),
      (_request, response) => response.writeHead(302, { location: `${url}/elsewhere` }).end(),
      (_request, response) => response.end('<html>welcome</html>'),
      (_request, response) => void response.socket?.destroy(),
      (_request, response) => response.end(Buffer.alloc(300 * 1024, 'x')),
    ]
    for (const failure of failures) {
      answer = failure
      expect(await ask(leaked)).toEqual(unavailable)
    }
    expect(await ask(leaked, null)).toEqual(unavailable)
    expect(await ask(leaked, 'http://127.0.0.1:1')).toEqual(unavailable)
    expect(await ask(leaked, 'http://127.0.0.3')).toEqual(unavailable)
  })

  it('waits two seconds at most', async () => {
    answer = () => {}
    const started = performance.now()
    expect((await ask(leaked)).isUnavailable).toBe(true)
    expect(performance.now() - started).toBeLessThan(3500)
  })
})
