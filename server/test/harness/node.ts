import { randomBytes } from 'node:crypto'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { inject } from 'vitest'
import { adminRoutes } from '../../src/app/module-list.ts'
import { buildApp } from '../../src/app/build-app.ts'
import { type RunningServices, startServices } from '../../src/app/services.ts'
import type { Services } from '../../src/domain/context/index.ts'
import type { ServerState } from '../../src/domain/monitoring/index.ts'
import { makeSigningKey, type SigningKey } from '../../src/domain/signing-keys/index.ts'
import { type Config, loadConfig } from '../../src/platform/config/index.ts'
import { createLog } from '../../src/platform/log/index.ts'
import { createTestClock } from '../../src/platform/time/index.ts'

export const systemPassword = 'system-realm-Pass-2026'

export interface TestNode {
  url: string
  services: Services
  state: ServerState
  clock: ReturnType<typeof createTestClock>
  /** Lines of the application log and of the audit output, in order. */
  lines: string[]
  auditLines: Record<string, unknown>[]
  databaseUrl: string
  adminDatabaseUrl: string
  stop(): Promise<void>
}

/** A database of its own, cloned from the migrated template. */
export async function cloneDatabase(): Promise<{
  url: string
  adminUrl: string
  superUrl: string
  drop(): Promise<void>
}> {
  const superUrl = inject('adminUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: superUrl })
  await client.connect()
  await client.query(`create database ${name} template gatehouse_template owner gatehouse_owner`)
  await client.end()
  const urlFor = (user: string, base = superUrl) =>
    Object.assign(new URL(base), { username: user, password: '', pathname: `/${name}` }).href
  const pooler = inject('pooler')
  return {
    // Through the pooler when the whole suite is run that way (F12).
    url: urlFor('gatehouse_app', pooler?.url ?? superUrl),
    adminUrl: urlFor('gatehouse_owner'),
    superUrl: Object.assign(new URL(superUrl), { pathname: `/${name}` }).href,
    async drop() {
      const admin = new pg.Client({ connectionString: superUrl })
      await admin.connect()
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}

// RSA keys take 70 ms each; tests share a few of them.
let keys: Promise<SigningKey[]> | undefined
const masterKey = randomBytes(32).toString('base64')

export interface NodeOptions {
  env?: Record<string, string>
  database?: { url: string; adminUrl: string }
  /** The name people use for it; passkeys are bound to a name and never to an address. */
  host?: 'localhost'
}

/** A node of the service on a loopback port of its own. */
export async function startTestNode(options: NodeOptions = {}): Promise<TestNode> {
  const database = options.database ?? (await cloneDatabase())
  const lines: string[] = []
  const auditLines: Record<string, unknown>[] = []
  const clock = createTestClock()
  keys ??= Promise.all([makeSigningKey(), makeSigningKey(), makeSigningKey(), makeSigningKey()])
  const pool = await keys
  let next = 0
  const log = createLog({ level: 'info', stream: { write: (line) => lines.push(line) } })
  // Links and origin checks name the port, so it is chosen before the service is made.
  const port = await freePort()
  const url = `http://${options.host ?? '127.0.0.1'}:${port}`
  const base = {
    GATEHOUSE_PORT: String(port),
    GATEHOUSE_BASE_URL: url,
    GATEHOUSE_DATABASE_URL: database.url,
    GATEHOUSE_DATABASE_ADMIN_URL: database.adminUrl,
    GATEHOUSE_DATABASE_PREPARED: String(inject('pooler')?.prepared ?? true),
    GATEHOUSE_MASTER_KEYS: `test:${masterKey}`,
    GATEHOUSE_BOOTSTRAP_ADMIN_PASSWORD: systemPassword,
    ...options.env,
  }
  const config: Config = loadConfig(base)
  const running: RunningServices = await startServices(config, {
    clock,
    log,
    keySource: { take: async () => pool[next++ % pool.length]!, stop: () => undefined },
    writeAuditLine: (line) => auditLines.push(line as Record<string, unknown>),
  })
  const state: ServerState = { started: true, draining: false, databaseLostSince: null }
  const { services } = running
  const app = await buildApp({ services, state, metricsText: () => services.metrics.text() })
  await app.listen({ host: '127.0.0.1', port: config.port })
  return {
    url,
    services,
    state,
    clock,
    lines,
    auditLines,
    databaseUrl: database.url,
    adminDatabaseUrl: database.adminUrl,
    async stop() {
      await app.close()
      await running.stop()
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

let shared: Promise<TestNode> | undefined

/** The node that the tests of one process share. Its clock stands still for all of them: who moves time starts a node. */
export function getNode(): Promise<TestNode> {
  shared ??= startTestNode().then((node) => ({ ...node, clock: { ...node.clock, advance: refuseToMove } }))
  return shared
}

function refuseToMove(): never {
  throw new Error('other tests share this node: move the clock of one that startTestNode() gives')
}

export { adminRoutes }
