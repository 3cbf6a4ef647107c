/** A server started by these functions. `stop` ends it by its process id and removes what it wrote to temporary places. */
export interface Service {
  url: string
  port: number
  pid: number
  /** The folder with its data and its `log`. */
  home: string
  stop(): Promise<void>
}

export interface PgBouncerService extends Service {
  /** Whether this PgBouncer (1.21 or newer) carries named statements in transaction mode. */
  prepared: boolean
}

export interface PostgresOptions {
  port?: number
  /** Kept at `stop` and reused by the next start; without it a temporary folder is used and removed. */
  dataDir?: string
  /** Waits for the disk as a production server does; needed by tests that kill the server and look what survived. */
  durable?: boolean
  /** Keeps running when this process ends. */
  outlive?: boolean
}

export interface RedisOptions {
  port?: number
  outlive?: boolean
}

export interface PgBouncerOptions {
  /** URL of the PostgreSQL behind it; the answer's `url` has the same user and database. */
  target: string
  port?: number
  users?: string[]
  /** Server connections per user and database. */
  poolSize?: number
}

export function startPostgres(options?: PostgresOptions): Promise<Service>
export function startRedis(options?: RedisOptions): Promise<Service>
export function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncerService>
export function findSparePort(): Promise<number>
export function isAlive(pid: number): boolean
export function stopProcess(pid: number, signal?: NodeJS.Signals): Promise<void>
