// The migration runner: plain SQL files, forward only, each applied once under a lock and remembered by its checksum.
// Contract 9.4 and 10.1 (GATEHOUSE_MIGRATE), decision docs/decisions/0004-plain-sql-migrations.md.
// Called by `gatehouse migrate`, by the start of the service, by the tests' template database and the type generator.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { applyGrants } from './grants.ts'
import { findPendingJobSchema, planJobSchema } from './job-schema.ts'
import { defaultMigrationDir, type MigrationFile, readMigrationFiles, splitStatements } from './migration-files.ts'

export interface MigrateOptions {
  /** URL of the owning role, connected directly (an advisory lock does not survive PgBouncer in transaction mode). */
  adminUrl: string
  /** The serving role, which gets its rights at the end; null or the owner itself needs none. */
  appRole: string | null
  dir?: string
  /** Prints the SQL through `log` and changes nothing. */
  dryRun?: boolean
  log?: (line: string) => void
}

export interface MigrateResult {
  applied: string[]
  /** What a dry run found to do; empty after a real run. */
  pending: string[]
}

// Any number does; this one is ours on every database.
const advisoryLockKey = 727_074

// A blocking pg_advisory_lock deadlocks with CREATE INDEX CONCURRENTLY of the holder, so the lock is polled.
const lockPollMs = 100

// Longer than any migration should take while other nodes wait to start; after that a person should look.
const lockWaitMs = 10 * 60_000

// A migration that waits for a lock makes every later query on that table wait behind it: it gives up early instead.
const lockTimeout = '3s'

const createHistory = `create table if not exists public.schema_migrations (
  name text primary key, sha256 text not null, applied_at timestamptz not null default now())`

/** Applies what is missing, installs the job tables and sets the rights of the serving role. */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  const { adminUrl, appRole, dir = defaultMigrationDir, dryRun = false, log = () => {} } = options
  const files = await readMigrationFiles(dir)
  return withClient(adminUrl, async (client) => {
    if (dryRun) return printPending(client, files, log)
    await client.query(`set lock_timeout = '${lockTimeout}'`)
    await takeLock(client)
    await client.query(createHistory)
    const applied: string[] = []
    for (const file of await findPendingFiles(client, files)) {
      log(`applying ${file.name}`)
      await (file.transactional ? applyInTransaction(client, file) : applyStatements(client, file))
      applied.push(file.name)
    }
    const jobSchemaStep = await findPendingJobSchema(client)
    if (jobSchemaStep) {
      log(`applying ${jobSchemaStep}`)
      for (const statement of await planJobSchema(client)) await client.query(statement)
      applied.push(jobSchemaStep)
    }
    const owner = await client.query<{ name: string }>('select current_user::text as name')
    if (appRole && appRole !== owner.rows[0]?.name) await applyGrants(client, appRole)
    return { applied, pending: [] }
  })
}

/** The names of migrations still to be applied, for GATEHOUSE_MIGRATE=check. Writes nothing; the serving role may ask. */
export async function pendingMigrations({
  url,
  dir = defaultMigrationDir,
}: {
  url: string
  dir?: string
}): Promise<string[]> {
  const files = await readMigrationFiles(dir)
  return withClient(url, (client) => listPending(client, files))
}

async function listPending(client: pg.Client, files: MigrationFile[]): Promise<string[]> {
  const names = (await findPendingFiles(client, files)).map((file) => file.name)
  const jobSchemaStep = await findPendingJobSchema(client)
  return jobSchemaStep ? [...names, jobSchemaStep] : names
}

async function printPending(
  client: pg.Client,
  files: MigrationFile[],
  log: (line: string) => void,
): Promise<MigrateResult> {
  for (const file of await findPendingFiles(client, files)) log(`-- ${file.name}\n${file.text}`)
  const pending = await listPending(client, files)
  if (await findPendingJobSchema(client)) for (const statement of await planJobSchema(client)) log(statement)
  return { applied: [], pending }
}

/** Compares files with the history and refuses both a changed file and a database that is ahead of this release. */
async function findPendingFiles(client: pg.Client, files: MigrationFile[]): Promise<MigrationFile[]> {
  const table = await client.query<{ found: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as found`,
  )
  if (!table.rows[0]?.found) return files
  const history = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from public.schema_migrations order by name',
  )
  const known = new Map(files.map((file) => [file.name, file]))
  const done = new Set<string>()
  for (const { name, sha256 } of history.rows) {
    const file = known.get(name)
    if (!file) {
      throw new Error(
        `The database has the migration ${name}, which this release does not know: it was migrated by a newer release. ` +
          'Run that release, or restore the backup made before the upgrade.',
      )
    }
    if (file.sha256 !== sha256) {
      throw new Error(
        `The migration ${name} was changed after it was applied: put the file back and add a new migration`,
      )
    }
    done.add(name)
  }
  return files.filter((file) => !done.has(file.name))
}

const recordMigration = 'insert into public.schema_migrations (name, sha256) values ($1, $2)'

async function applyInTransaction(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query('begin')
  try {
    await client.query(file.text)
    await client.query(recordMigration, [file.name, file.sha256])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`The migration ${file.name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

const listInvalidIndexes = `select c.relname as name from pg_index i
  join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'public' and not i.indisvalid`

/** Statements of such a file are written to be repeatable, since a failure leaves the earlier ones in place. */
async function applyStatements(client: pg.Client, file: MigrationFile): Promise<void> {
  try {
    for (const statement of splitStatements(file.text)) await client.query(statement)
  } catch (error) {
    throw new Error(`The migration ${file.name} stopped half way: ${(error as Error).message}`, { cause: error })
  }
  // A concurrent build that failed leaves an invalid index, which IF NOT EXISTS takes for a finished one.
  const invalid = await client.query<{ name: string }>(listInvalidIndexes)
  const [first] = invalid.rows
  if (first) throw new Error(`The index ${first.name} is invalid after ${file.name}: drop it and migrate again`)
  await client.query(recordMigration, [file.name, file.sha256])
}

async function takeLock(client: pg.Client): Promise<void> {
  const end = Date.now() + lockWaitMs
  for (;;) {
    const result = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [advisoryLockKey])
    if (result.rows[0]?.taken) return
    if (Date.now() > end)
      throw new Error('Another process has held the migration lock for ten minutes: look at what it does')
    await delay(lockPollMs)
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gatehouse-migrate' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    // The lock belongs to the session and ends with it.
    await client.end()
  }
}
