import pg from 'pg'

export interface Loading {
  /** The owner's connection; statements that build on one another go through it. */
  client: pg.Client
  url: string
  now: number
  log(line: string): void
}

// Bulk work sorts and builds indexes: a connection may use what the service's many connections may not.
const bulkSettings = [
  `set work_mem = '256MB'`,
  `set maintenance_work_mem = '512MB'`,
  'set synchronous_commit = off',
  // A statement of minutes is expected here.
  'set statement_timeout = 0',
]

/** UUID v7 of a time and a number: what the service makes, computed in the database and repeatable. */
const idFunction = `create function pg_temp.scale_id(ms bigint, n bigint) returns uuid language sql immutable as $$
  select (lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid $$`

export async function openBulkConnection(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse-bench' })
  await client.connect()
  for (const setting of bulkSettings) await client.query(setting)
  await client.query(idFunction)
  return client
}

// The machine this is measured on has two cores.
const lanes = 2

/** Runs independent statements on a few connections of their own. */
export async function runInParallel(url: string, statements: { text: string; values?: unknown[] }[]): Promise<void> {
  const waiting = [...statements]
  const work = async () => {
    const client = await openBulkConnection(url)
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) await client.query(next.text, next.values)
    } finally {
      await client.end()
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, statements.length) }, work))
}

/** Says how long a part took. */
export async function timed<T>(loading: Pick<Loading, 'log'>, what: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await work()
  loading.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}
