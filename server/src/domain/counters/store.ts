import { sql } from 'kysely'
import { type Executor, prepareRecordStatement } from '../../platform/db/index.ts'

interface Adjustment extends Record<string, unknown> {
  realmId: string
  name: string
  stripe: number
  by: number
}

const adjustRealm = prepareRecordStatement(
  'adjust_realm_counter',
  ['realmId', 'name', 'stripe', 'by'],
  (db, value: Adjustment) =>
    db
      .insertInto('realm_counters')
      .values({ realm_id: value.realmId, name: value.name, stripe: value.stripe, value: value.by })
      .onConflict((conflict) =>
        conflict
          .columns(['realm_id', 'name', 'stripe'])
          .doUpdateSet((eb) => ({ value: eb('realm_counters.value', '+', eb.ref('excluded.value')) })),
      ),
)

const adjustServer = prepareRecordStatement(
  'adjust_server_counter',
  ['name', 'stripe', 'by'],
  (db, value: Omit<Adjustment, 'realmId'>) =>
    db
      .insertInto('server_counters')
      .values({ name: value.name as string, stripe: value.stripe as number, value: value.by as number })
      .onConflict((conflict) =>
        conflict
          .columns(['name', 'stripe'])
          .doUpdateSet((eb) => ({ value: eb('server_counters.value', '+', eb.ref('excluded.value')) })),
      ),
)

/**
 * Two statements, because one lives with the realm and the other on the coordinator. The order is the same in every transaction,
 * so two of them never wait for one another.
 */
export async function addToCounters(
  db: Executor,
  adjustment: { realmId: string; name: string; stripe: number; by: number },
): Promise<void> {
  await adjustRealm(db, adjustment)
  await adjustServer(db, adjustment)
}

/** Objects that come and go, as opposed to what happened and stays counted when its realm is gone. */
export const counterNames = ['users', 'sessions', 'realms', 'clients', 'agents'] as const

/** How many objects of each kind the realm has. */
export async function readRealmCounters(db: Executor, realmId: string): Promise<Map<string, number>> {
  const totals = await readRealmTotals(db, realmId)
  return new Map([...totals].filter(([name]) => (counterNames as readonly string[]).includes(name)))
}

/** The same and what ever happened in it. */
export async function readRealmTotals(db: Executor, realmId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('realm_counters')
    .select(['name', (eb) => eb.fn.sum<string>('value').as('total')])
    .where('realm_id', '=', realmId)
    .groupBy('name')
    .execute()
  return new Map(rows.map((row) => [row.name, Number(row.total)]))
}

/** Server-wide, over at most a few dozen rows. */
export async function readServerCounters(db: Executor): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('server_counters')
    .select(['name', (eb) => eb.fn.sum<string>('value').as('total')])
    .groupBy('name')
    .execute()
  return new Map(rows.map((row) => [row.name, Number(row.total)]))
}

/** How often each thing happened, by its name. */
export type Figures = Record<string, number>

/** The name of the sum by which the most active realms are found. */
const allActivity = 'all'

/** A realm's totals and its day in one statement. Names are in one order everywhere, so that two nodes never deadlock. */
export async function addActivity(
  db: Executor,
  { realmId, day, stripe, figures }: { realmId: string; day: string; stripe: number; figures: Figures },
): Promise<void> {
  const entries = Object.entries(figures).sort(([a], [b]) => (a < b ? -1 : 1))
  const sum = entries.reduce((total, [, value]) => total + value, 0)
  await db
    .with('totals', (qb) =>
      qb
        .insertInto('realm_counters')
        .values(entries.map(([name, value]) => ({ realm_id: realmId, name, stripe, value })))
        .onConflict((conflict) =>
          conflict
            .columns(['realm_id', 'name', 'stripe'])
            .doUpdateSet((eb) => ({ value: eb('realm_counters.value', '+', eb.ref('excluded.value')) })),
        ),
    )
    .insertInto('realm_activity')
    .values([[allActivity, sum] as const, ...entries].map(([name, value]) => ({ realm_id: realmId, day, name, value })))
    .onConflict((conflict) =>
      conflict
        .columns(['realm_id', 'day', 'name'])
        .doUpdateSet((eb) => ({ value: eb('realm_activity.value', '+', eb.ref('excluded.value')) })),
    )
    .execute()
}

export async function addServerActivity(db: Executor, stripe: number, figures: Figures): Promise<void> {
  const entries = Object.entries(figures).sort(([a], [b]) => (a < b ? -1 : 1))
  await db
    .insertInto('server_counters')
    .values(entries.map(([name, value]) => ({ name, stripe, value })))
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'stripe'])
        .doUpdateSet((eb) => ({ value: eb('server_counters.value', '+', eb.ref('excluded.value')) })),
    )
    .execute()
}

/** Not bound to one realm: the most active of a day, most active first, over an index that has them in this order. */
export async function readMostActive(db: Executor, day: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('realm_activity')
    .select('realm_id')
    .where('day', '=', sql<never>`${day}::date`)
    .where('name', '=', allActivity)
    .orderBy('value', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.realm_id)
}

/** What happened in these realms on a day. */
export async function readRealmActivity(db: Executor, day: string, realmIds: string[]): Promise<Map<string, Figures>> {
  const activity = new Map<string, Figures>(realmIds.map((realmId) => [realmId, {}]))
  if (realmIds.length === 0) return activity
  const rows = await db
    .selectFrom('realm_activity')
    .select(['realm_id', 'name', 'value'])
    .where('realm_id', '=', sql<string>`any(${realmIds}::text[])`)
    .where('day', '=', sql<never>`${day}::date`)
    .execute()
  for (const row of rows) activity.get(row.realm_id)![row.name] = row.value
  return activity
}

/** Not bound to one realm: whole days go at once, over the index by day. */
export async function deleteActivityBefore(db: Executor, day: string): Promise<number> {
  const result = await db.deleteFrom('realm_activity').where('day', '<', sql<never>`${day}::date`).executeTakeFirst()
  return Number(result.numDeletedRows)
}
