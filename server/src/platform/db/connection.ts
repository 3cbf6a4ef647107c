import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { registerPool, statementName } from './named-statements.ts'
import type { DB } from './types.generated.ts'

export type Database = Kysely<DB>

export interface DatabaseOptions {
  url: string
  poolSize: number
  /** False behind poolers that cannot keep prepared statements in transaction mode. */
  prepared: boolean
  applicationName?: string
}

// Epoch milliseconds and counters stay below 2^53, so numbers are exact; dates are plain text days.
const int8 = 20
const date = 1082
const parsers = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === int8) return Number
    if (oid === date) return (text: string) => text
    return pg.types.getTypeParser(oid, format as 'text')
  },
} as unknown as pg.CustomTypesConfig

// A caller waits this long for a free connection and is then answered 503, rather than piling up behind a lost database.
const connectionTimeoutMs = 3000
// No statement of a request may run longer; the purge and retention jobs use their own, longer-lived connections.
const statementTimeoutMs = 15_000

/** Sends the registered hot statements by name, so that the server parses and plans them once per connection. */
class NamedClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- pg's query has a dozen overloads that all pass through here.
  override query(text: any, values?: any, callback?: any): any {
    const name = typeof text === 'string' ? statementName(text) : undefined
    if (name) return super.query({ name, text, values }, callback)
    return super.query(text, values, callback)
  }
}

export function createPool(options: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: connectionTimeoutMs,
    query_timeout: statementTimeoutMs,
    application_name: options.applicationName ?? 'gatehouse',
    types: parsers,
    ...(options.prepared ? { Client: NamedClient } : {}),
  })
  // An idle connection that breaks (fail-over, restart) is dropped by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  // The same for one that breaks while a request holds it: its statement fails by itself, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  registerPool(db, pool)
  return db
}
