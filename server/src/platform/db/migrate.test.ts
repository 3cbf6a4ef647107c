import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { migrate, pendingMigrations } from './migrate.ts'

let database: ScratchDatabase
let dir: string

beforeEach(async () => {
  database = await createScratchDatabase({ migrated: false })
  dir = await mkdtemp(join(tmpdir(), 'gatehouse-migrate-'))
})

afterEach(async () => {
  await database.drop()
  await rm(dir, { recursive: true })
})

const write = (name: string, text: string) => writeFile(join(dir, name), text)
const run = (options: { dryRun?: boolean; log?: (line: string) => void } = {}) =>
  migrate({ adminUrl: database.ownerUrl, appRole: 'gatehouse_app', dir, ...options })
const first = ['0001_first.sql', 'create table first (id text primary key);'] as const

test('applies each file once, in order, and remembers it', async () => {
  await write('0002_second.sql', 'alter table first add column name text;')
  await write(...first)
  const result = await run()
  expect(result.applied.slice(0, 2)).toEqual(['0001_first.sql', '0002_second.sql'])
  expect(await run()).toEqual({ applied: [], pending: [] })
})

test('two runners at once apply every migration exactly once', async () => {
  await write('0001_first.sql', 'create table first (id text primary key); select pg_sleep(0.3);')
  const results = await Promise.all([run(), run()])
  expect(results.map((result) => result.applied.length).toSorted((a, b) => a - b)).toEqual([0, 2])
})

test('a failing file leaves nothing behind and names itself', async () => {
  await write('0001_first.sql', 'create table first (id text primary key); select 1 / 0;')
  await expect(run()).rejects.toThrow('0001_first.sql failed and was rolled back: division by zero')
  expect((await database.run(`select to_regclass('first') as found`)).rows).toEqual([{ found: null }])
})

test('refuses a file that was changed after it was applied', async () => {
  await write(...first)
  await run()
  await write('0001_first.sql', `${first[1]} -- a later thought`)
  await expect(run()).rejects.toThrow('0001_first.sql was changed after it was applied')
  await expect(pendingMigrations({ url: database.appUrl, dir })).rejects.toThrow('was changed')
})

test('refuses a database that a newer release has migrated', async () => {
  await write(...first)
  await write('0002_newer.sql', 'create table newer (id text primary key);')
  await run()
  await rm(join(dir, '0002_newer.sql'))
  await expect(run()).rejects.toThrow('0002_newer.sql, which this release does not know')
  await expect(pendingMigrations({ url: database.appUrl, dir })).rejects.toThrow('newer release')
})

test('refuses two migrations with one number and names outside the pattern', async () => {
  await write(...first)
  await write('0001_other.sql', 'select 1;')
  await expect(run()).rejects.toThrow('two migrations have the number 0001')
  await rm(join(dir, '0001_other.sql'))
  await write('2_Second.sql', 'select 1;')
  await expect(run()).rejects.toThrow('2_Second.sql is no migration name')
})

test('builds indexes concurrently from a file without transaction', async () => {
  await write(...first)
  await write(
    '0002_index.sql',
    '-- no-transaction\ncreate index concurrently if not exists a on first (id);\ncreate index concurrently if not exists b on first (id);\n',
  )
  expect((await run()).applied).toContain('0002_index.sql')
})

test('refuses to take the invalid index of a failed build for a finished one', async () => {
  await write('0001_first.sql', `create table first (id text); insert into first values ('x'), ('x');`)
  await write(
    '0002_index.sql',
    '-- no-transaction\ncreate unique index concurrently if not exists once on first (id);\n',
  )
  await expect(run()).rejects.toThrow('0002_index.sql stopped half way')
  await expect(run()).rejects.toThrow('The index once is invalid after 0002_index.sql')
})

test('gives up on a locked table after seconds instead of holding up its readers', async () => {
  await write(...first)
  await run()
  await write('0002_second.sql', 'alter table first add column name text;')
  const reader = new pg.Client({ connectionString: database.ownerUrl })
  await reader.connect()
  await reader.query('begin')
  await reader.query('select * from first')
  await expect(run()).rejects.toThrow('lock timeout')
  await reader.end()
})

test('a dry run prints the SQL and changes nothing', async () => {
  await write(...first)
  const lines: string[] = []
  const result = await run({ dryRun: true, log: (line) => lines.push(line) })
  expect(result.pending).toEqual(['0001_first.sql', expect.stringMatching(/^pgboss none to \d+$/)])
  expect(lines[0]).toBe(`-- 0001_first.sql\n${first[1]}`)
  expect((await database.run(`select to_regclass('schema_migrations') as found`)).rows).toEqual([{ found: null }])
})

test('lists what is pending, also to a role that owns nothing', async () => {
  await write(...first)
  expect(await pendingMigrations({ url: database.appUrl, dir })).toHaveLength(2)
  await run()
  expect(await pendingMigrations({ url: database.appUrl, dir })).toEqual([])
})
