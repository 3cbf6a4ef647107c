// Writes the files that are generated from the code and committed; `npm run check` fails when one of them is stale.
// `npm run generate` writes all of them. To add one, add an entry to `generators` below.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { startPostgres } from '../server/test/services/index.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** @type {{name: string, files: string[], run: (context: {databaseUrl: string}) => Promise<void>}[]} */
export const generators = [
  {
    name: 'database types',
    files: ['server/src/platform/db/types.generated.ts'],
    run: ({ databaseUrl }) =>
      runCommand('kysely-codegen', [
        ...typeOptions,
        '--url',
        databaseUrl,
        '--out-file',
        'src/platform/db/types.generated.ts',
      ]),
  },
  ...[
    { name: 'API description', what: 'openapi', file: 'server/openapi.json' },
    { name: 'list of endpoints', what: 'endpoints', file: 'docs/reference/endpoints.md' },
    { name: 'configuration', what: 'configuration', file: 'docs/operate/configuration.md' },
  ].map(({ name, what, file }) => ({
    name,
    files: [file],
    run: (/** @type {{databaseUrl: string}} */ { databaseUrl }) => describe(what, file, databaseUrl),
  })),
]

/** What the built server says about itself. @param {string} what @param {string} file @param {string} databaseUrl */
async function describe(what, file, databaseUrl) {
  const env = {
    PATH: process.env.PATH,
    GATEHOUSE_DATABASE_URL: databaseUrl,
    // A key for a database that lives for a moment.
    GATEHOUSE_MASTER_KEYS: `generate:${randomBytes(32).toString('base64')}`,
    GATEHOUSE_BOOTSTRAP_ADMIN_PASSWORD: 'not-used-anywhere-0',
  }
  const { stdout } = await promisify(execFile)('node', ['bin/gatehouse.js', 'describe', what], {
    cwd: `${root}/server`,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  await mkdir(dirname(join(root, file)), { recursive: true })
  await writeFile(join(root, file), stdout)
}

// int8 and date as the parsers of platform/db/connection.ts give them; what is in JSON is checked by its reader.
// The history of migrations is the runner's own.
const typeOptions = [
  '--dialect',
  'postgres',
  '--default-schema',
  'public',
  '--include-pattern',
  'public.*',
  '--exclude-pattern',
  'public.schema_migrations',
  '--type-mapping',
  '{"int8":"number","jsonb":"unknown"}',
  '--date-parser',
  'string',
]

/** @param {string} command @param {string[]} args @returns {Promise<void>} runs in server/, output only when it fails */
function runCommand(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: `${root}/server`, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} failed:\n${output}`))))
  })
}

/** A migrated database for the generators, on the server given by GATEHOUSE_TEST_DATABASE_URL or on one of our own. */
async function withMigratedDatabase(/** @type {(url: string) => Promise<void>} */ work) {
  const { migrate } = await import('../server/src/platform/db/migrate.ts')
  const given = process.env.GATEHOUSE_TEST_DATABASE_URL
  const server = given ? null : await startPostgres()
  const admin = new pg.Client({ connectionString: given ?? server?.url })
  const name = `generate_${process.pid}`
  try {
    await admin.connect()
    await admin.query(`create database ${name}`)
    const url = new URL(given ?? server?.url ?? '')
    url.pathname = `/${name}`
    await migrate({ adminUrl: url.href, appRole: null })
    await work(url.href)
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
    await server?.stop()
  }
}

/** @param {{build?: boolean}} [options] `build`: the server must be built from the new types before it describes itself */
export async function generate({ build = false } = {}) {
  await withMigratedDatabase(async (databaseUrl) => {
    for (const [position, generator] of generators.entries()) {
      if (build && position === 1) await runCommand('npm', ['run', '--silent', 'build'])
      await generator.run({ databaseUrl })
    }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate({ build: true })
