import type pg from 'pg'
import { runInParallel } from './connection.ts'

interface Definition {
  table: string
  name: string
  definition: string
}

const listForeignKeys = `select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and c.relname = any ($1)`

// Primary keys stay: rows are inserted in their order, which costs little.
const listSecondaryIndexes = `select c.relname as table, x.relname as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
  where not i.indisprimary and c.relnamespace = 'public'::regnamespace and c.relname = any ($1)
    and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`

/** Loads tables without their foreign keys and secondary indexes, which are built afterwards as the schema had them. */
export async function withoutIndexes(
  client: pg.Client,
  url: string,
  tables: string[],
  load: () => Promise<void>,
): Promise<void> {
  const foreignKeys = (await client.query<Definition>(listForeignKeys, [tables])).rows
  const indexes = (await client.query<Definition>(listSecondaryIndexes, [tables])).rows
  for (const key of foreignKeys) await client.query(`alter table ${key.table} drop constraint ${key.name}`)
  for (const index of indexes) await client.query(`drop index ${index.name}`)
  await load()
  await runInParallel(
    url,
    indexes.map(({ definition }) => ({ text: definition })),
  )
  for (const key of foreignKeys)
    await client.query(`alter table ${key.table} add constraint ${key.name} ${key.definition}`)
}
