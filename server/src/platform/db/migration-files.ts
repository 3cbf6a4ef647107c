// Migration files as they lie in server/migrations: NNNN_name.sql, forward only, never edited after a release.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface MigrationFile {
  name: string
  text: string
  sha256: string
  /** False for files marked `-- no-transaction`, which hold statements like CREATE INDEX CONCURRENTLY. */
  transactional: boolean
}

// src/platform/db and dist/platform/db lie equally deep in the package, so one path serves both.
export const defaultMigrationDir = fileURLToPath(new URL('../../../migrations', import.meta.url))

const fileNamePattern = /^\d{4}_[a-z0-9_]+\.sql$/

export async function readMigrationFiles(dir: string): Promise<MigrationFile[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.sql')).sort()
  const badName = names.find((name) => !fileNamePattern.test(name))
  if (badName) throw new Error(`${badName} is no migration name: NNNN_lower_case_words.sql is expected`)
  const twice = names.find((name, index) => name.slice(0, 4) === names[index - 1]?.slice(0, 4))
  if (twice) throw new Error(`two migrations have the number ${twice.slice(0, 4)}: renumber the newer one`)
  return Promise.all(names.map((name) => readMigrationFile(dir, name)))
}

async function readMigrationFile(dir: string, name: string): Promise<MigrationFile> {
  const text = await readFile(`${dir}/${name}`, 'utf8')
  return {
    name,
    text,
    sha256: createHash('sha256').update(text).digest('hex'),
    transactional: !/^-- no-transaction\b/m.test(text),
  }
}

/**
 * Cuts a file without transaction into its statements. PostgreSQL runs several statements sent at once in one implicit
 * transaction, where CREATE INDEX CONCURRENTLY is refused. Such files hold only plain statements ending at a line end.
 */
export function splitStatements(text: string): string[] {
  return text
    .split(/;[ \t]*$/m)
    .map((statement) => statement.replace(/^\s*--.*$/gm, '').trim())
    .filter(Boolean)
}
