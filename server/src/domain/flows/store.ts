import { sql } from 'kysely'
import type { Executor, Tx } from '../../platform/db/index.ts'

export interface FlowRow {
  id: string
  alias: string
  display_name: string | null
  description: string | null
  type: string
  steps: unknown
  created_at: number
  updated_at: number
}

export interface BindingRow {
  type: string
  alias: string
}

const columns = [
  ...(['id', 'alias', 'display_name', 'description', 'type', 'steps', 'created_at', 'updated_at'] as const),
] as const

/** Makes writers of the realm's configuration wait for one another; taken first by everybody, so nobody waits in a circle. */
export async function lockRealm(tx: Tx, realmId: string): Promise<void> {
  await tx.selectFrom('realms').select('realm_id').where('realm_id', '=', realmId).forNoKeyUpdate().execute()
}

export async function selectFlow(db: Executor, realmId: string, alias: string): Promise<FlowRow | null> {
  const row = await db
    .selectFrom('flows')
    .select(columns)
    .where('realm_id', '=', realmId)
    .where('alias', '=', alias)
    .executeTakeFirst()
  return row ?? null
}

/** All rows of the realm by alias: the quota bounds them. */
export async function selectFlows(db: Executor, realmId: string, limit: number): Promise<FlowRow[]> {
  return db.selectFrom('flows').select(columns).where('realm_id', '=', realmId).orderBy('alias').limit(limit).execute()
}

/** Rows with one of these aliases, or bound to their type, in one statement so that both belong together. */
export async function selectFlowsInUse(
  db: Executor,
  realmId: string,
  aliases: readonly string[],
): Promise<(FlowRow & { bound: boolean })[]> {
  return db
    .selectFrom('flows')
    .leftJoin('flow_bindings', (join) =>
      join
        .onRef('flow_bindings.realm_id', '=', 'flows.realm_id')
        .onRef('flow_bindings.type', '=', 'flows.type')
        .onRef('flow_bindings.alias', '=', 'flows.alias'),
    )
    .select(columns.map((column) => `flows.${column}` as const))
    .select(sql<boolean>`flow_bindings.alias is not null`.as('bound'))
    .where('flows.realm_id', '=', realmId)
    .where((eb) =>
      eb.or([
        eb('flows.alias', '=', sql<string>`any(${[...aliases]}::text[])`),
        eb('flow_bindings.alias', 'is not', null),
      ]),
    )
    .execute()
}

/** Rows without these aliases, up to a number. */
export async function countFlows(
  db: Executor,
  realmId: string,
  without: readonly string[],
  upTo: number,
): Promise<number> {
  const row = await db
    .selectFrom(
      db
        .selectFrom('flows')
        .select('id')
        .where('realm_id', '=', realmId)
        .where('alias', '<>', sql<string>`all(${[...without]}::text[])`)
        .limit(upTo)
        .as('counted'),
    )
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return row.total
}

export interface FlowValues {
  alias: string
  display_name: string | null
  description: string | null
  steps: unknown
  updated_at: number
}

const asColumns = ({ steps, ...rest }: FlowValues) => ({ ...rest, steps: JSON.stringify(steps) })

export async function insertFlow(
  tx: Tx,
  row: FlowValues & { realm_id: string; id: string; type: string; created_at: number },
): Promise<void> {
  const { realm_id, id, type, created_at, ...values } = row
  await tx
    .insertInto('flows')
    .values({ realm_id, id, type, created_at, ...asColumns(values) })
    .execute()
}

export async function updateFlow(tx: Tx, realmId: string, id: string, values: FlowValues): Promise<void> {
  await tx
    .updateTable('flows')
    .set((eb) => ({ ...asColumns(values), version: eb('version', '+', 1) }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute()
}

export async function deleteFlowRow(tx: Tx, realmId: string, id: string): Promise<void> {
  await tx.deleteFrom('flows').where('realm_id', '=', realmId).where('id', '=', id).execute()
}

export async function selectBindings(db: Executor, realmId: string): Promise<BindingRow[]> {
  return db.selectFrom('flow_bindings').select(['type', 'alias']).where('realm_id', '=', realmId).execute()
}

export async function writeBinding(tx: Tx, realmId: string, { type, alias }: BindingRow): Promise<void> {
  await tx
    .insertInto('flow_bindings')
    .values({ realm_id: realmId, type, alias })
    .onConflict((conflict) => conflict.columns(['realm_id', 'type']).doUpdateSet({ alias }))
    .execute()
}

/** Back to the built-in flow of the type. */
export async function deleteBinding(tx: Tx, realmId: string, type: string): Promise<void> {
  await tx.deleteFrom('flow_bindings').where('realm_id', '=', realmId).where('type', '=', type).execute()
}
