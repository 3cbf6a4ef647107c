import { sql } from 'kysely'
import { type Database, type Executor, runTransaction, type Tx } from '../../platform/db/index.ts'

export const defaultPartition = 'audit_events_default'

export interface PartitionFile {
  name: string
  bytes: number
}

/** From the catalogue, which the serving role may read although it has no rights on the partitions themselves. */
export async function readPartitions(db: Executor): Promise<PartitionFile[]> {
  const result = await sql<PartitionFile>`
    select c.relname as name, pg_relation_size(c.oid) as bytes
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.audit_events'::regclass`.execute(db)
  return result.rows
}

// Any number that no other lock of the service uses; nodes that start together then make partitions one after the other.
const partitionLock = 7_241_901
// Longer waits would queue every writer of events behind this one; the next run tries again.
const lockTimeout = sql.raw(`set local lock_timeout = '1s'`)

const lockNotAvailable = '55P03'

interface NewPartition {
  name: string
  fromId: string
  untilId: string
}

/** Makes one partition. KNOWN: another node was quicker; BUSY: a lock could not be had in time. */
export async function createPartition(adminDb: Database, partition: NewPartition): Promise<'MADE' | 'KNOWN' | 'BUSY'> {
  try {
    return (await runTransaction(adminDb, ({ tx }) => attachPartition(tx, partition))) ? 'MADE' : 'KNOWN'
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return 'BUSY'
    throw error
  }
}

/**
 * The table is made beside its parent and then attached, because that lets events be written meanwhile; rows that had to go
 * to the default partition move along.
 */
async function attachPartition(tx: Tx, partition: NewPartition): Promise<boolean> {
  await lockTimeout.execute(tx)
  await sql`select pg_advisory_xact_lock(${partitionLock})`.execute(tx)
  const known = await readPartitions(tx)
  if (known.some(({ name }) => name === partition.name)) return false
  const table = sql.table(partition.name)
  const [from, until] = [sql.lit(partition.fromId), sql.lit(partition.untilId)]
  await sql`create table ${table} (like audit_events including all)`.execute(tx)
  await moveFromDefault(tx, partition)
  await sql`alter table audit_events attach partition ${table} for values from (${from}) to (${until})`.execute(tx)
  return true
}

async function moveFromDefault(tx: Tx, { name, fromId, untilId }: NewPartition) {
  if (!(await hasDefaultRows(tx))) return
  const from = sql.table(defaultPartition)
  await sql`lock table ${from} in access exclusive mode`.execute(tx)
  await sql`
    with moved as (delete from ${from} where id >= ${fromId} and id < ${untilId} returning *)
    insert into ${sql.table(name)} select * from moved`.execute(tx)
  // An empty file tells readers at a glance that there is nothing to look for.
  if (!(await hasDefaultRows(tx))) await sql`truncate ${from}`.execute(tx)
}

export async function hasDefaultRows(adminDb: Executor): Promise<boolean> {
  const result = await sql<{ found: boolean }>`
    select exists (select 1 from ${sql.table(defaultPartition)}) as found`.execute(adminDb)
  return result.rows[0]?.found ?? false
}
