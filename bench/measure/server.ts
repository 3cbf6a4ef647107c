import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '../../server/src/platform/db/migrate.ts'
import { findSparePort, startPostgres } from '../../server/test/services/index.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

// Far longer than the service may take, so that a slow start is reported as such.
const readyTimeoutMs = 60_000

export interface BenchDatabase {
  url: string
  adminUrl: string
}

export interface Bench {
  masterKeys: { id: string; key: Buffer }[]
  createDatabase(name: string): Promise<BenchDatabase>
  /** For another product on the same server: its URL, with a user and a password. */
  createEmptyDatabase(name: string): Promise<string>
  startService(database: BenchDatabase, options?: ServiceOptions): Promise<Service>
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** Before the script: flags for Node, such as --cpu-prof. */
  nodeArguments?: string[]
  env?: Record<string, string>
}

export interface Service {
  url: string
  pid: number
  readyMs: number
  rssBytes(): number
  stop(): Promise<void>
}

/** A PostgreSQL of its own for the run, and the services started on it. */
export async function startBench(): Promise<Bench> {
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const masterKeys = [{ id: 'bench', key: randomBytes(32) }]
  const services = new Set<Service>()
  await runOnce(postgres.url, [
    // Loading writes gigabytes; checkpoints in between would only be waited for.
    `alter system set max_wal_size = '16GB'`,
    'select pg_reload_conf()',
    'create role gatehouse_owner login',
    'create role gatehouse_app login',
  ])
  return {
    masterKeys,
    async createEmptyDatabase(name) {
      await runOnce(postgres.url, [
        `create role ${name} login password '${name}'`,
        `create database ${name} owner ${name}`,
      ])
      return Object.assign(new URL(postgres.url), { username: name, password: name, pathname: `/${name}` }).href
    },
    async createDatabase(name) {
      await runOnce(postgres.url, [`create database ${name} owner gatehouse_owner`])
      const urlFor = (user: string) =>
        Object.assign(new URL(postgres.url), { username: user, pathname: `/${name}` }).href
      const database = { url: urlFor('gatehouse_app'), adminUrl: urlFor('gatehouse_owner') }
      await migrate({ adminUrl: database.adminUrl, appRole: 'gatehouse_app' })
      return database
    },
    async startService(database, options = {}) {
      const service = await spawnService(database, folder, masterKeys, options)
      services.add(service)
      return service
    },
    async stop() {
      for (const service of services) await service.stop()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function runOnce(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

async function spawnService(
  database: BenchDatabase,
  cwd: string,
  masterKeys: Bench['masterKeys'],
  { nodeArguments = [], env = {} }: ServiceOptions,
): Promise<Service> {
  const port = await findSparePort()
  const url = `http://127.0.0.1:${port}`
  const start = performance.now()
  const child = spawn(process.execPath, [...nodeArguments, join(root, 'server/bin/gatehouse.js'), 'serve'], {
    cwd,
    // Log and audit lines are written as in production, to where nobody reads them.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      GATEHOUSE_DATABASE_URL: database.url,
      GATEHOUSE_DATABASE_ADMIN_URL: database.adminUrl,
      GATEHOUSE_MASTER_KEYS: masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
      GATEHOUSE_BASE_URL: url,
      GATEHOUSE_PORT: String(port),
      ...env,
    },
  })
  await waitUntilReady(child, url)
  return {
    url,
    pid: child.pid!,
    readyMs: performance.now() - start,
    rssBytes: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    stop: () => endChild(child),
  }
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  for (const end = performance.now() + readyTimeoutMs; performance.now() < end; await sleep(10)) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode} before it was ready`)
    const answer = await fetch(`${url}/monitoring/health/readiness`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return
  }
  await endChild(child)
  throw new Error('the service did not become ready')
}

function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
    child.kill('SIGTERM')
  })
}

// What the kernel counts in, on every Linux that Node runs on.
const ticksPerSecond = 100

/** Processor that a process has used so far: unlike a rate, it hardly depends on what else the machine does. */
export function readProcessorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  // utime and stime of proc(5), which counts from the field before the name.
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
}

/** Builds the service when a source is newer than what was built. */
export async function buildIfStale(): Promise<void> {
  const built = join(root, 'server/dist/app/cli.js')
  const source = join(root, 'server/src')
  const newest = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((latest, entry) => Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0)
  if (existsSync(built) && statSync(built).mtimeMs > newest) return
  const child = spawn('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error('the build failed')
}
