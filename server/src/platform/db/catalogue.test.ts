import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../../test/services/scratch-database.ts'
import { findSchemaViolations } from './catalogue.ts'

let database: ScratchDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createScratchDatabase({ migrated: true })
  client = new pg.Client({ connectionString: database.ownerUrl })
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await database.drop()
})

/** What the check says about a schema with `statements` added; they are rolled back afterwards. */
async function findAfter(statements: string): Promise<string[]> {
  await client.query('begin')
  try {
    await client.query(statements)
    return await findSchemaViolations(client)
  } finally {
    await client.query('rollback')
  }
}

test('the migrated schema keeps every rule that lets it be distributed by realm', async () => {
  expect(await findSchemaViolations(client)).toEqual([])
})

const planted: [rule: string, statements: string, violations: string[]][] = [
  [
    'a tenant table whose primary key does not start with realm_id',
    'create table planted (id uuid primary key, realm_id text not null)',
    ['table planted has no primary key starting with realm_id'],
  ],
  [
    'a tenant table without primary key',
    'create table planted (realm_id text not null)',
    ['table planted has no primary key starting with realm_id'],
  ],
  [
    'a new table without realm_id',
    'create table planted (id uuid primary key)',
    ['table planted has no realm_id and is not in the list of server tables'],
  ],
  [
    'a unique index over all realms',
    'create unique index planted on users (username_folded)',
    ['unique index planted of users does not start with realm_id'],
  ],
  [
    'a unique index on an expression of realm_id',
    'create unique index planted on users (lower(realm_id), id)',
    ['unique index planted of users does not start with realm_id'],
  ],
  [
    'a foreign key that crosses realms',
    `create table planted (realm_id text, id uuid, other uuid, primary key (realm_id, id));
     create table target (realm_id text, id uuid, primary key (realm_id, id), unique (id));
     alter table planted add constraint crossing foreign key (other) references target (id)`,
    [
      'unique index target_id_key of target does not start with realm_id',
      'foreign key crossing of planted does not start with realm_id on both sides',
    ],
  ],
  [
    'an identity column and its sequence',
    'create table planted (realm_id text, id bigint generated always as identity, primary key (realm_id, id))',
    ['sequence planted_id_seq'],
  ],
  [
    'a function and a trigger',
    `create function planted() returns trigger language plpgsql as 'begin return new; end';
     create trigger planted before insert on users for each row execute function planted()`,
    ['trigger planted on users', 'stored procedure or function planted'],
  ],
  [
    'a partition that is partitioned again',
    `create table planted (realm_id text, id uuid, primary key (realm_id, id)) partition by range (id);
     create table planted_deep partition of planted default partition by range (realm_id)`,
    ['partition planted_deep is partitioned again'],
  ],
]

test.each(planted)('finds %s', async (_rule, statements, violations) => {
  expect(await findAfter(statements)).toEqual(violations)
})
