import { sql } from 'kysely'
import type { Database, Executor, Tx } from '../../platform/db/index.ts'
import { prefixEnd } from '../../platform/text/index.ts'

const columns = ['realm_id', 'display_name', 'enabled', 'system', 'created_at', 'version'] as const

export async function selectRealm(db: Executor, realmId: string, forUpdate = false) {
  let query = db.selectFrom('realms').select(columns).where('realm_id', '=', realmId).where('deleted_at', 'is', null)
  if (forUpdate) query = query.forUpdate()
  return query.executeTakeFirst()
}
export type RealmRow = NonNullable<Awaited<ReturnType<typeof selectRealm>>>

/** Not bound to one realm: the list of realms, by name, one more than the page. */
export async function selectRealms(
  db: Executor,
  page: { offset: number; limit: number; after: string | null; prefix: string | null; only: string | null },
) {
  let query = db.selectFrom('realms').select(columns).where('deleted_at', 'is', null)
  if (page.only !== null) query = query.where('realm_id', '=', page.only)
  if (page.prefix !== null)
    query = query.where('realm_id', '>=', page.prefix).where('realm_id', '<', prefixEnd(page.prefix))
  if (page.after !== null) query = query.where('realm_id', '>', page.after)
  return query
    .orderBy('realm_id')
    .limit(page.limit + 1)
    .offset(page.after === null ? page.offset : 0)
    .execute()
}

/** False when the name is taken, also by a realm that is still being purged. */
export async function insertRealm(
  tx: Tx,
  realm: { realmId: string; displayName: string | null; system: boolean; seedVersion: number; now: number },
): Promise<boolean> {
  const row = await tx
    .insertInto('realms')
    .values({
      realm_id: realm.realmId,
      display_name: realm.displayName,
      system: realm.system,
      seed_version: realm.seedVersion,
      created_at: realm.now,
      // From the clock, so that a realm made anew under an old name never repeats a version that a node may remember.
      config_version: realm.now,
    })
    .onConflict((conflict) => conflict.column('realm_id').doNothing())
    .returning('realm_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function updateRealm(
  tx: Tx,
  realmId: string,
  values: { display_name: string | null; enabled: boolean },
): Promise<void> {
  await tx
    .updateTable('realms')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .execute()
}

export async function markRealmDeleted(tx: Tx, realmId: string, now: number): Promise<void> {
  await tx.updateTable('realms').set({ deleted_at: now }).where('realm_id', '=', realmId).execute()
}

/** Locked until the end of the transaction: whoever else wants to bring the realm up to date waits and finds it done. */
export async function lockSeedVersion(tx: Tx, realmId: string): Promise<number | null> {
  const row = await tx
    .selectFrom('realms')
    .select('seed_version')
    .where('realm_id', '=', realmId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.seed_version ?? null
}

export async function writeSeedVersion(tx: Tx, realmId: string, seedVersion: number): Promise<void> {
  await tx.updateTable('realms').set({ seed_version: seedVersion }).where('realm_id', '=', realmId).execute()
}

export async function hasAnyRealm(db: Executor): Promise<boolean> {
  return (await db.selectFrom('realms').select('realm_id').limit(1).executeTakeFirst()) !== undefined
}

/** Two nodes that start at the same time on an empty database wait for one another here. */
export async function lockBootstrap(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(727075)`.execute(tx)
}

export interface TenantTable {
  name: string
  keyColumns: string[]
}

/**
 * Every table that holds rows of a realm, children before parents, read from the catalogue: a table that a later release adds
 * is purged without anybody remembering it.
 */
export async function readTenantTables(db: Database): Promise<TenantTable[]> {
  const { rows: tables } = await sql<{ name: string; keys: string[] }>`
    select c.relname as name, array_agg(a.attname::text order by k.position) as keys
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join lateral unnest(i.indkey) with ordinality k(attnum, position) on true
    join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'realms'
      and exists (select 1 from pg_attribute r where r.attrelid = c.oid and r.attname = 'realm_id' and not r.attisdropped)
    group by c.relname order by c.relname`.execute(db)
  const { rows: links } = await sql<{ child: string; parent: string }>`
    select distinct child.relname as child, parent.relname as parent from pg_constraint f
    join pg_class child on child.oid = f.conrelid join pg_class parent on parent.oid = f.confrelid
    where f.contype = 'f' and f.conrelid <> f.confrelid`.execute(db)
  const ordered: TenantTable[] = []
  const left = new Map(tables.map((table) => [table.name, { name: table.name, keyColumns: table.keys }]))
  while (left.size > 0) {
    const free = [...left.values()].filter(
      (table) => !links.some((link) => link.parent === table.name && left.has(link.child)),
    )
    if (free.length === 0) throw new Error('tenant tables refer to one another in a circle')
    for (const table of free) {
      ordered.push(table)
      left.delete(table.name)
    }
  }
  return ordered
}

export async function deleteRealmRows(
  db: Database,
  table: TenantTable,
  realmId: string,
  limit: number,
): Promise<number> {
  const keys = sql.join(table.keyColumns.map((column) => sql.ref(column)))
  const result = await sql`delete from ${sql.table(table.name)} where realm_id = ${realmId} and (${keys}) in (
    select ${keys} from ${sql.table(table.name)} where realm_id = ${realmId} limit ${limit})`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

export async function deleteRealmRow(db: Database, realmId: string): Promise<void> {
  await db.deleteFrom('realms').where('realm_id', '=', realmId).where('deleted_at', 'is not', null).execute()
}

export async function selectSystemRealm(db: Executor): Promise<string | null> {
  const row = await db.selectFrom('realms').select('realm_id').where('system', '=', true).executeTakeFirst()
  return row?.realm_id ?? null
}

export async function isMarkedDeleted(db: Database, realmId: string): Promise<boolean> {
  const row = await db
    .selectFrom('realms')
    .select('realm_id')
    .where('realm_id', '=', realmId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}
