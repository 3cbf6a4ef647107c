// Reads the database's catalogue and names every breach of the schema rules that keep the tables distributable.
// Architecture 5: keys, unique indexes and foreign keys start with realm_id; no sequences, triggers or procedures.
// Called by catalogue.test.ts on the migrated template, and by `gatehouse doctor`.
import type pg from 'pg'

// Tables of the whole server, small and without a realm; on Citus they stay on the coordinator.
const serverTables = ['schema_migrations', 'server_counters', 'server_settings']

interface Finding {
  violation: string
}

// Partitions repeat the keys of their parent, so the parent alone is looked at (here and below).
const tablesWithoutKey = `
  select format('table %I has no primary key starting with realm_id', c.relname) as violation
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id' and not a.attisdropped
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and i.indkey[0] is distinct from a.attnum`

const tablesOutsideRealms = `
  select format('table %I has no realm_id and is not in the list of server tables', c.relname) as violation
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all ($1)
    and not exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'realm_id' and not a.attisdropped)`

const uniqueIndexes = `
  select format('unique index %I of %I does not start with realm_id', x.relname, c.relname) as violation
  from pg_index i
  join pg_class x on x.oid = i.indexrelid
  join pg_class c on c.oid = i.indrelid
  left join pg_attribute a on a.attrelid = c.oid and a.attname = 'realm_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and not c.relispartition and (i.indisunique or i.indisexclusion)
    and not i.indisprimary and c.relname <> all ($1) and i.indkey[0] is distinct from a.attnum`

const foreignKeys = `
  select format('foreign key %I of %I does not start with realm_id on both sides', k.conname, c.relname) as violation
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  left join pg_attribute near on near.attrelid = k.conrelid and near.attnum = k.conkey[1]
  left join pg_attribute far on far.attrelid = k.confrelid and far.attnum = k.confkey[1]
  where c.relnamespace = 'public'::regnamespace and k.contype = 'f' and k.conparentid = 0
    and (near.attname <> 'realm_id' or far.attname <> 'realm_id')`

// An identity column owns a sequence and is found by it.
const sequences = `
  select format('sequence %I', c.relname) as violation
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'`

const triggers = `
  select format('trigger %I on %I', t.tgname, c.relname) as violation
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`

// What an extension brought with it (deptype e) is not ours.
const procedures = `
  select format('stored procedure or function %I', p.proname) as violation
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select 1 from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')`

const deepPartitions = `
  select format('partition %I is partitioned again', c.relname) as violation
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'p' and c.relispartition`

const checks = [
  { text: tablesWithoutKey, values: [] },
  { text: tablesOutsideRealms, values: [serverTables] },
  { text: uniqueIndexes, values: [serverTables] },
  { text: foreignKeys, values: [] },
  { text: sequences, values: [] },
  { text: triggers, values: [] },
  { text: procedures, values: [] },
  { text: deepPartitions, values: [] },
]

/** One sentence per violation of the rules; an empty list is a schema that can be distributed. */
export async function findSchemaViolations(client: pg.ClientBase | pg.Pool): Promise<string[]> {
  const violations: string[] = []
  for (const { text, values } of checks) {
    const result = await client.query<Finding>(`${text} order by 1`, values)
    violations.push(...result.rows.map((row) => row.violation))
  }
  return violations
}
