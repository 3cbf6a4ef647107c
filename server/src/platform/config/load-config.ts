// Turns the environment into the validated configuration, or into one error that lists every fault.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseEgressRule } from '../egress/index.ts'
import type { EgressRule } from '../egress/index.ts'
import { type Config, ConfigError, type MasterKey } from './config.ts'
import { loadOrCreateMasterKeys, MasterKeyFault, parseMasterKeys } from './master-keys.ts'
import { findNetworkFault } from './network-list.ts'
import { createSettingsReader, type Env, type SettingsReader } from './settings-reader.ts'

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
// More processes than this on one node is a slip of the keyboard: each holds its own database pool.
const maxProcesses = 256
// Ten minutes: an orchestrator kills the process long before.
const maxWaitMs = 600_000

export interface LoadOptions {
  // Where `.gatehouse/master-keys` lives.
  directory?: string
}

export function loadConfig(env: Env, { directory = process.cwd() }: LoadOptions = {}): Config {
  const reader = createSettingsReader(env)
  const production = env.NODE_ENV === 'production'
  const baseUrl = readBaseUrl(reader)
  const secure = baseUrl.startsWith('https:')
  const databaseUrl = readDatabaseUrl(reader, 'GATEHOUSE_DATABASE_URL')
  if (databaseUrl === null && reader.text('GATEHOUSE_DATABASE_URL') === null) {
    reader.fault('GATEHOUSE_DATABASE_URL', 'is required', 'set it to postgresql://user:password@host:5432/database')
  }
  const cores = availableParallelism()
  const port = reader.integer('GATEHOUSE_PORT', { min: 0, max: 65_535, fallback: 8080 })

  const config: Omit<Config, 'masterKeys'> = {
    baseUrl,
    secure,
    host: reader.text('GATEHOUSE_HOST') ?? '127.0.0.1',
    port,
    monitoringPort: readMonitoringPort(reader, port),
    databaseUrl: databaseUrl ?? '',
    databaseAdminUrl: readDatabaseUrl(reader, 'GATEHOUSE_DATABASE_ADMIN_URL') ?? databaseUrl ?? '',
    databasePrepared: reader.flag('GATEHOUSE_DATABASE_PREPARED', true),
    poolSize: reader.integer('GATEHOUSE_DATABASE_POOL', { min: 1, max: 1000, fallback: 10 }),
    redisUrl: reader.url('GATEHOUSE_REDIS_URL', ['redis:', 'rediss:'])?.href ?? null,
    bootstrap: {
      realm: reader.text('GATEHOUSE_BOOTSTRAP_REALM') ?? 'master',
      adminUsername: reader.text('GATEHOUSE_BOOTSTRAP_ADMIN_USERNAME') ?? 'admin',
      adminPassword: reader.text('GATEHOUSE_BOOTSTRAP_ADMIN_PASSWORD'),
    },
    trustedProxies: readTrustedProxies(reader),
    migrate: reader.choice('GATEHOUSE_MIGRATE', ['auto', 'check'], 'auto'),
    worker: reader.flag('GATEHOUSE_WORKER', true),
    processes: readProcesses(reader, cores),
    egressAllow: readEgressRules(reader),
    breachDir: reader.text('GATEHOUSE_BREACH_DIR'),
    breachUrl: reader.url('GATEHOUSE_BREACH_URL', ['https:', 'http:'])?.href ?? null,
    metricsMaxRealms: reader.integer('GATEHOUSE_METRICS_MAX_REALMS', { min: 0, max: 100_000, fallback: 1000 }),
    audit: {
      httpUrl: reader.url('GATEHOUSE_AUDIT_HTTP_URL', ['https:', 'http:'])?.href ?? null,
      httpToken: reader.text('GATEHOUSE_AUDIT_HTTP_TOKEN'),
      timeoutMs: reader.integer('GATEHOUSE_AUDIT_HTTP_TIMEOUT_MS', { min: 1, max: maxWaitMs, fallback: null }),
    },
    docsRequireSession: reader.flag('GATEHOUSE_DOCS_REQUIRE_SESSION', false),
    logLevel: reader.choice('GATEHOUSE_LOG_LEVEL', logLevels, 'info'),
    // Below a mebibyte a single busy realm would already be thrown out again and again.
    snapshotBytes: reader.integer('GATEHOUSE_SNAPSHOT_BYTES', { min: 1 << 20, max: 2 ** 40, fallback: 64 << 20 }),
    hashConcurrency: reader.integer('GATEHOUSE_HASH_CONCURRENCY', { min: 1, max: 1024, fallback: cores }),
    shutdownGraceMs: reader.integer('GATEHOUSE_SHUTDOWN_GRACE_MS', { min: 0, max: maxWaitMs, fallback: 20_000 }),
    drainMs: reader.integer('GATEHOUSE_DRAIN_MS', { min: 0, max: maxWaitMs, fallback: production ? 5000 : 0 }),
    version: readVersion(),
    commit: reader.text('GATEHOUSE_COMMIT') ?? 'unknown',
    buildTime: reader.text('GATEHOUSE_BUILD_TIME') ?? 'unknown',
  }
  const masterKeys = readMasterKeys(reader, secure || production, directory)
  if (reader.faults.length > 0) throw new ConfigError(reader.faults)
  return { ...config, masterKeys }
}

function readBaseUrl(reader: SettingsReader): string {
  const name = 'GATEHOUSE_BASE_URL'
  const url = reader.url(name, ['https:', 'http:']) ?? new URL('http://127.0.0.1:8080')
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    reader.fault(name, 'holds more than scheme, host and port', 'use a form like https://login.example.com')
  }
  return url.origin
}

function readDatabaseUrl(reader: SettingsReader, name: string): string | null {
  const value = reader.text(name)
  // Only the scheme is checked: socket directories make connection strings that the URL parser refuses.
  if (value === null || /^postgres(ql)?:\/\/./.test(value)) return value
  reader.fault(name, 'is not a PostgreSQL connection string', 'use postgresql://user:password@host:5432/database')
  return null
}

function readMonitoringPort(reader: SettingsReader, port: number): number | null {
  const name = 'GATEHOUSE_MONITORING_PORT'
  const value = reader.integer(name, { min: 0, max: 65_535, fallback: null })
  if (value !== null && value !== 0 && value === port) {
    reader.fault(name, 'is the port of the service itself', 'use another port, or leave it out')
  }
  return value
}

function readTrustedProxies(reader: SettingsReader): string[] {
  const name = 'GATEHOUSE_TRUSTED_PROXIES'
  const networks = reader.list(name)
  for (const network of networks) {
    const problem = findNetworkFault(network)
    if (problem !== null) reader.fault(name, `entry ${network.slice(0, 60)} ${problem}`, 'use entries like 10.0.0.0/8')
  }
  return networks
}

function readProcesses(reader: SettingsReader, cores: number): number {
  const name = 'GATEHOUSE_PROCESSES'
  if (reader.text(name) === 'auto') return cores
  return reader.integer(name, { min: 1, max: maxProcesses, fallback: 1 })
}

function readEgressRules(reader: SettingsReader): EgressRule[] {
  const name = 'GATEHOUSE_EGRESS_ALLOW'
  const rules: EgressRule[] = []
  for (const entry of reader.list(name)) {
    try {
      rules.push(parseEgressRule(entry))
    } catch (error) {
      reader.fault(
        name,
        `entry ${entry.slice(0, 100)}: ${(error as Error).message}`,
        'use [scheme://]host-or-CIDR[:port]',
      )
    }
  }
  return rules
}

function readMasterKeys(reader: SettingsReader, required: boolean, directory: string): MasterKey[] {
  const name = 'GATEHOUSE_MASTER_KEYS'
  const value = reader.text(name)
  try {
    if (value !== null) return parseMasterKeys(value)
    if (required) {
      const remedy = 'set it to k1:$(openssl rand -base64 32) and keep a copy, for without it stored secrets are lost'
      reader.fault(name, 'is required with an https base URL or NODE_ENV=production', remedy)
      return []
    }
    // A start that fails anyway leaves no file behind.
    return reader.faults.length > 0 ? [] : loadOrCreateMasterKeys(directory)
  } catch (error) {
    if (error instanceof MasterKeyFault) reader.fault(name, error.message, error.remedy)
    else reader.fault(name, `cannot be made (${(error as Error).message})`, `set it, or make ${directory} writable`)
    return []
  }
}

// The package file is three folders up both from the sources and from the build.
function readVersion(): string {
  const content = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(content) as { version: string }).version
}
