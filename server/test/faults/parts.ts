// The parts that the fault tests injure: servers of their own, killed and restarted by process id, never the shared ones.
// fault-tests.md; each test file starts what it needs and stops it at the end.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../src/platform/db/migrate.ts'
import { findSparePort, isAlive, startPostgres, stopProcess } from '../services/index.mjs'

/** `npm run test:faults` repeats; a normal run does each thing as often as is needed to see it once. */
export function rounds(normal: number, long: number): number {
  return process.env.GATEHOUSE_FAULTS === 'long' ? long : normal
}

/** A figure for docs/operate/faults.md; a normal run keeps quiet. */
export function report(line: string): void {
  if (process.env.GATEHOUSE_FAULTS) process.stdout.write(`${line}\n`)
}

/** Waits until something is so, and answers how many milliseconds that took. */
export async function waitUntil(check: () => unknown, timeoutMs = 10_000, pauseMs = 20): Promise<number> {
  const start = performance.now()
  for (;;) {
    if (await check()) return performance.now() - start
    if (performance.now() - start > timeoutMs) throw new Error(`not so after ${timeoutMs} ms: ${check}`)
    await sleep(pauseMs)
  }
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

export async function runSql(url: string, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  // A server that is killed while the answer is read reports it twice, as a rejection and as an event.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

export interface OwnPostgres {
  port: number
  /** A superuser. */
  url: string
  database: { url: string; adminUrl: string }
  pid(): number
  /** The postmaster dies without a word; its children follow within moments. */
  kill(): void
  /** Resolves once it answers a query again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A migrated PostgreSQL that may be killed. It waits for the disk, so that what was acknowledged must be there afterwards. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-fault-'))
  const port = await findSparePort()
  const options = { port, dataDir: home, durable: true }
  let service = await startPostgres(options)
  const { url } = service
  for (const role of ['gatehouse_owner', 'gatehouse_app']) await runSql(url, `create role ${role} login`)
  await runSql(url, 'create database gatehouse owner gatehouse_owner')
  const urlFor = (username: string) => Object.assign(new URL(url), { username, pathname: '/gatehouse' }).href
  const database = { url: urlFor('gatehouse_app'), adminUrl: urlFor('gatehouse_owner') }
  await migrate({ adminUrl: database.adminUrl, appRole: 'gatehouse_app' })

  const answers = () =>
    runSql(url, 'select 1').then(
      () => true,
      () => false,
    )
  return {
    port,
    url,
    database,
    pid: () => service.pid,
    kill: () => void process.kill(service.pid, 'SIGKILL'),
    async restart() {
      // A new postmaster refuses to start while a child of the old one still holds the shared memory; then it is tried again.
      await waitUntil(async () => {
        if (!isAlive(service.pid)) service = await startPostgres(options).catch(() => service)
        return isAlive(service.pid) && (await answers())
      }, 20_000)
    },
    async stop() {
      await stopProcess(service.pid)
      rmSync(home, { recursive: true, force: true })
    },
  }
}
