// Spreads the tenant tables over the nodes of a Citus cluster by realm_id, all rows of a realm together on one node.
// Architecture 1 and 5: the same SQL runs with and without Citus, so this is a step an operator takes once.
// Called by `gatehouse migrate --distribute`, after the migrations and again after an upgrade that brought new tables.
import pg from 'pg'

export interface DistributeOptions {
  adminUrl: string
  log?: (line: string) => void
}

export interface DistributeResult {
  /** The exit code of the command: 0 done, 2 the server has no Citus. */
  exitCode: 0 | 2
  distributed: string[]
}

// Citus reads the tenant's shard from this table first; all others are placed beside it.
const rootTable = 'realms'

const listTenantTables = `
  select c.relname as name,
    coalesce((select array_agg(distinct f.relname::text) from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid and not f.relispartition), '{}') as references
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname`

interface TenantTable {
  name: string
  references: string[]
}

/** A table can be distributed only after those its foreign keys point to. */
export function orderByReference(tables: TenantTable[]): string[] {
  const ordered: string[] = []
  let waiting = tables
  while (waiting.length > 0) {
    const ready = waiting.filter((table) => table.references.every((name) => ordered.includes(name)))
    if (ready.length === 0)
      throw new Error(`foreign keys run in a circle: ${waiting.map((table) => table.name).join(', ')}`)
    ordered.push(...ready.map((table) => table.name))
    waiting = waiting.filter((table) => !ready.includes(table))
  }
  return [rootTable, ...ordered.filter((name) => name !== rootTable)]
}

export async function distribute({ adminUrl, log = () => {} }: DistributeOptions): Promise<DistributeResult> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'gatehouse-distribute' })
  await client.connect()
  try {
    const offered = await client.query(`select 1 from pg_available_extensions where name = 'citus'`)
    if (offered.rowCount === 0) {
      log(
        'This PostgreSQL does not offer the extension citus: nothing was distributed. The service runs the same without it.',
      )
      return { exitCode: 2, distributed: [] }
    }
    await client.query('create extension if not exists citus')
    return { exitCode: 0, distributed: await distributeTables(client, log) }
  } finally {
    await client.end()
  }
}

async function distributeTables(client: pg.Client, log: (line: string) => void): Promise<string[]> {
  const tables = (await client.query<TenantTable>(listTenantTables)).rows
  const already = await client.query<{ name: string }>('select logicalrelid::text as name from pg_dist_partition')
  const done = new Set(already.rows.map((row) => row.name))
  const distributed: string[] = []
  for (const name of orderByReference(tables).filter((table) => !done.has(table))) {
    const place = name === rootTable ? 'none' : rootTable
    await client.query('select create_distributed_table($1::regclass, $2, colocate_with => $3)', [
      name,
      'realm_id',
      place,
    ])
    log(`distributed ${name}`)
    distributed.push(name)
  }
  return distributed
}
