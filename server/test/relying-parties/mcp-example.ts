// The example MCP server and client (examples/mcp) as processes of their own, and a person with a browser beside the client.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from '../harness/index.ts'
import { walk, type Walk } from './walk.ts'

const script = (name: string) => fileURLToPath(new URL(`../../../examples/mcp/${name}`, import.meta.url))

export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

export interface McpServer {
  /** The address that clients are given. */
  url: string
  /** All that it ever wrote. */
  output(): string
  /** Also with another issuer. */
  restart(issuer?: string): Promise<void>
  stop(): Promise<void>
}

export interface ServerOptions {
  port?: number
  /** What it is known by, where that is not its own address. */
  resource?: string
}

export async function startMcpServer(issuer: string, options: ServerOptions = {}): Promise<McpServer> {
  const port = options.port ?? (await findPort())
  const url = `http://127.0.0.1:${port}/mcp`
  let output = ''
  let child: ChildProcess
  const start = async (named = issuer) => {
    const env = { ...process.env, ISSUER: named, PORT: String(port), RESOURCE: options.resource ?? url }
    child = spawn(process.execPath, [script('server.mjs')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += String(chunk)))
    await once(child.stdout!, 'data')
  }
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  await start()
  return { url, output: () => output, restart: (other) => stop().then(() => start(other)), stop }
}

export interface State {
  clients: Record<string, Record<string, unknown>>
  tokens: Record<string, { access_token: string; refresh_token?: string; scope?: string }>
}

export interface McpClient {
  /** Runs the command line once; the person follows every address that it prints. */
  run(...command: string[]): Promise<Outcome>
  /** Where it keeps what it learns. */
  file: string
  readState(): State
  /** Makes the access token one that no longer counts. */
  spoilToken(): void
  stop(): void
}

export interface Outcome {
  code: number | null
  output: string
  complaints: string
  /** The authorization requests that the person was sent with. */
  asked: URL[]
  pages: Walk['pages'][]
  /** Where the person ended up each time. */
  callbacks: (URL | null)[]
}

export interface ClientOptions {
  server: string
  env?: Record<string, string>
  /** The person's browser, or what goes on in its place. */
  person: Browser | ((address: URL) => Promise<URL>)
}

/** A client with a folder of its own, where it keeps what it learns. */
export function createMcpClient({ server, env = {}, person }: ClientOptions): McpClient {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mcp-'))
  const file = join(folder, 'state.json')
  return {
    async run(...command) {
      const child = spawn(process.execPath, [script('client.mjs'), server, ...command], {
        env: { ...process.env, STATE_FILE: file, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const outcome: Outcome = { code: null, output: '', complaints: '', asked: [], pages: [], callbacks: [] }
      const visits: Promise<void>[] = []
      child.stdout.on('data', (chunk: Buffer) => (outcome.output += String(chunk)))
      child.stderr.on('data', (chunk: Buffer) => {
        outcome.complaints += String(chunk)
        const addresses = [...outcome.complaints.matchAll(/^Open this address in your browser:\n(\S+)\n/gm)]
        for (const [, address] of addresses.slice(visits.length)) {
          outcome.asked.push(new URL(address!))
          const going = visit(person, new URL(address!), outcome, child)
          visits.push(
            going.catch((error: unknown) => {
              outcome.complaints += String(error)
              child.kill()
            }),
          )
        }
      })
      const [code] = (await once(child, 'close')) as [number | null]
      await Promise.all(visits)
      return { ...outcome, code }
    },
    file,
    readState: () => JSON.parse(readFileSync(file, 'utf8')) as State,
    spoilToken() {
      const text = readFileSync(file, 'utf8')
      writeFileSync(file, text.replace(/("access_token": "[^"]*)[^"]{20}"/, '$1AAAAAAAAAAAAAAAAAAAA"'))
    },
    stop: () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function visit(person: ClientOptions['person'], address: URL, outcome: Outcome, child: ChildProcess) {
  let callback: URL | null
  if (typeof person === 'function') callback = await person(address)
  else {
    const seen = await walk(person, address)
    outcome.pages.push(seen.pages)
    callback = seen.callback as URL | null
  }
  outcome.callbacks.push(callback)
  // Stayed at a page: the program would wait for minutes.
  if (!callback) child.kill()
  else await fetch(callback)
}
