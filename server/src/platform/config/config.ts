// The shape of the configuration after validation: what the rest of the service may rely on.
import type { EgressRule } from '../egress/index.ts'

export interface MasterKey {
  id: string
  key: Buffer
}

export interface Config {
  // Without trailing slash.
  baseUrl: string
  // True when the base URL is https: cookies then carry Secure.
  secure: boolean
  host: string
  port: number
  monitoringPort: number | null
  databaseUrl: string
  databaseAdminUrl: string
  databasePrepared: boolean
  poolSize: number
  redisUrl: string | null
  // The first key encrypts, all of them decrypt.
  masterKeys: MasterKey[]
  bootstrap: { realm: string; adminUsername: string; adminPassword: string | null }
  trustedProxies: string[]
  migrate: 'auto' | 'check'
  worker: boolean
  processes: number
  egressAllow: EgressRule[]
  breachDir: string | null
  breachUrl: string | null
  metricsMaxRealms: number
  audit: { httpUrl: string | null; httpToken: string | null; timeoutMs: number | null }
  docsRequireSession: boolean
  logLevel: string
  snapshotBytes: number
  hashConcurrency: number
  shutdownGraceMs: number
  drainMs: number
  version: string
  commit: string
  buildTime: string
}

export class ConfigError extends Error {
  readonly faults: string[]

  constructor(faults: string[]) {
    super(`The configuration has ${faults.length} fault(s):\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}
