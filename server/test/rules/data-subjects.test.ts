// Every table that can hold a person is answered for by a folder: what export shows of it and what erasure removes.
// Contract 0.4, 2.53, 2.54; architecture 2. Read from the database's own catalogue, so that a new table cannot be forgotten.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminRoutes, contributions } from '../../src/app/module-list.ts'
import { createScratchDatabase, type ScratchDatabase } from '../services/scratch-database.ts'

/** Names of columns that hold a person's id, name, address or words, in whatever table. */
const personalNames =
  /^(user_id|subject|actor|created_by|updated_by|owner_id|impersonator_id|approved_by|reviewed_by|username|email|phone|source_ip|ip|user_agent|locale|label|device_name|typed_name)$/

/** Tables with such a column, or with free content, where nobody needs to do anything; each with the reason. */
const reviewed: Record<string, string> = {
  audit_rollups: 'Counts of events; no person in them.',
  claims: 'What an administrator set up for every token: sources and constants, nobody’s values.',
  client_mappers: 'The same for one client.',
  client_registrations: 'What an application says of itself; contacts are the application’s.',
  clients: 'created_by is ADMIN, DCR or CIMD; settings are the application’s.',
  flows: 'Steps of a flow.',
  message_templates: 'Texts of the realm: `subject` is a line of a mail, `locale` the template’s.',
  messaging_providers: 'The realm’s own mail server; from_address is the realm’s.',
  provisioning: 'Settings of the realm.',
  realm_settings: 'Settings of the realm.',
  server_settings: 'Settings of the server.',
}

interface Column {
  table: string
  column: string
  type: string
}

let scratch: ScratchDatabase
beforeAll(async () => {
  scratch = await createScratchDatabase({ migrated: true })
})
afterAll(() => scratch.drop())

/** Partitions are their parent; the queue of jobs is a schema of its own, whose data the security tests look into. */
async function readColumns(): Promise<Column[]> {
  const { rows } = await scratch.run(`
    select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped`)
  return rows as Column[]
}

async function readReferencesToPeople(): Promise<string[]> {
  const { rows } = await scratch.run(`
    select conrelid::regclass::text as table from pg_constraint where contype = 'f' and confrelid = 'users'::regclass`)
  return rows.map((row: { table: string }) => row.table)
}

/** By the name of a column, by a reference to a person, or by content whose shape the schema does not know. */
async function tablesThatMayHoldPeople(): Promise<string[]> {
  const columns = await readColumns()
  const byColumn = columns
    .filter(({ column, type }) => personalNames.test(column) || type === 'jsonb' || /(^|_)sealed$/.test(column))
    .map(({ table }) => table)
  return [...new Set([...byColumn, ...(await readReferencesToPeople())])].toSorted()
}

// Sealed keys and secrets of the realm itself.
const ownSecrets = new Set(['realm_keys'])
const sections = contributions.flatMap(({ dataSubject = [], traces = [] }) => [...dataSubject, ...traces])
const answeredFor = new Set(sections.flatMap(({ tables }) => tables))

async function findForgotten(): Promise<string[]> {
  const tables = await tablesThatMayHoldPeople()
  return tables.filter((table) => !answeredFor.has(table) && !reviewed[table] && !ownSecrets.has(table))
}

test('every table that can hold a person is answered for, or reviewed with a reason', async () => {
  expect(await findForgotten()).toEqual([])
})

test('a new table with a person’s id, a reference to one or free content is found', async () => {
  await scratch.run(`
    create table forgotten_id (realm_id text, id uuid, user_id uuid, primary key (realm_id, id));
    create table forgotten_content (realm_id text, id uuid, anything jsonb, primary key (realm_id, id));
    create table forgotten_words (realm_id text, id uuid, words_sealed bytea, primary key (realm_id, id));
    create table forgotten_reference (realm_id text, id uuid, holder uuid, primary key (realm_id, id),
      foreign key (realm_id, holder) references users (realm_id, id) on delete cascade)`)
  const forgotten = ['forgotten_content', 'forgotten_id', 'forgotten_reference', 'forgotten_words']
  expect(await findForgotten()).toEqual(forgotten)
  await scratch.run(`drop table ${forgotten.join(', ')}`)
})

test('no section and no reason is about a table that is not there', async () => {
  const tables = new Set((await readColumns()).map(({ table }) => table))
  expect([...answeredFor].filter((table) => !tables.has(table))).toEqual([])
  const doubled = Object.keys(reviewed).filter((table) => answeredFor.has(table))
  expect(doubled).toEqual([])
})

test('no two sections have one name', () => {
  const names = contributions.flatMap(({ dataSubject = [] }) => dataSubject.map(({ section }) => section))
  expect(new Set(names).size).toBe(names.length)
})

test('every write to a person whose answer is kept or told in an event says whose it is', () => {
  const answering = adminRoutes.filter(
    ({ method, path, response }) =>
      method !== 'GET' && path.startsWith('/users') && Object.values(response).some((schema) => schema !== null),
  )
  expect(answering.length).toBeGreaterThan(8)
  expect(answering.filter(({ event }) => !event?.subject).map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('what refers to a person goes with them', async () => {
  const { rows } = await scratch.run(`
    select conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and confrelid = 'users'::regclass and confdeltype <> 'c'`)
  expect(rows).toEqual([])
})
