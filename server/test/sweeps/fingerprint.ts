// What a realm holds, in one comparable value: a test that nothing was changed compares two of them.
// S1, S2, S11: "the database is unchanged" is looked up in the tables, not asked of the service.
import pg from 'pg'
import type { TestNode } from '../harness/index.ts'

// Written by every request that is made, whatever it does: the audit trail with its keys and roll-ups, and what is counted.
const alwaysMoving = new Set([
  ...['audit_events', 'audit_rollups', 'audit_keys', 'idempotency_keys', 'realm_activity', 'realm_counters'],
  // A job follows the events.
  ...['audit_chain', 'audit_chain_heads', 'audit_seals'],
])

interface Reader {
  client: pg.Client
  statement: string
}

const readers = new WeakMap<TestNode, Promise<Reader>>()

/** The tables that hold rows of realms, from the catalogue. */
async function selectTenantTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function readTenantTables(node: TestNode): Promise<string[]> {
  const client = new pg.Client({ connectionString: node.adminDatabaseUrl })
  await client.connect()
  try {
    return await selectTenantTables(client)
  } finally {
    await client.end()
  }
}

async function connect(node: TestNode): Promise<Reader> {
  const client = new pg.Client({ connectionString: node.adminDatabaseUrl })
  await client.connect()
  const tables = (await selectTenantTables(client)).filter((name) => !alwaysMoving.has(name))
  // The time of a session's last use moves with every request, too.
  const row = (name: string) =>
    name === 'sessions' ? `to_jsonb(r) - '{last_access_at,last_admin_at}'::text[]` : 'to_jsonb(r)'
  const parts = tables.map(
    (name) => `select '${name}' as name, coalesce(jsonb_agg(${row(name)} order by (${row(name)})::text), '[]') as rows
      from ${client.escapeIdentifier(name)} r where realm_id = $1`,
  )
  return { client, statement: parts.join(' union all ') }
}

/** Every row that a realm has in the tables that configuration and people are in. */
export async function readRealm(node: TestNode, realmId: string): Promise<Record<string, unknown[]>> {
  if (!readers.has(node)) readers.set(node, connect(node))
  const { client, statement } = await readers.get(node)!
  const { rows } = await client.query<{ name: string; rows: unknown[] }>(statement, [realmId])
  return Object.fromEntries(rows.map(({ name, rows: found }) => [name, found]))
}

/** The same as text, which is quick to compare and shows where it differs. */
export async function fingerprint({ node }: { node: TestNode }, realmId: string): Promise<string> {
  return JSON.stringify(await readRealm(node, realmId), null, 1)
}
