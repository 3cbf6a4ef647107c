import { sql } from 'kysely'
import { type Executor, prepareRecordStatement, prepareStatement, type Tx } from '../../platform/db/index.ts'

export interface EventRow {
  realmId: string
  id: string
  category: string
  type: string
  outcome: string
  actor: string
  resourceType: string | null
  resourceId: string | null
  clientId: string | null
  sessionId: string | null
  impersonatorId: string | null
  agentId: string | null
  traceId: string | null
  ipHash: Buffer | null
  actorKeyId: string | null
  actorSealed: Buffer | null
  detailKeyId: string | null
  detailSealed: Buffer | null
}

type EventInsert = EventRow & { day: string; stripe: number }

const insertFields = [
  ...['realmId', 'id', 'category', 'type', 'outcome', 'actor', 'resourceType', 'resourceId', 'clientId', 'sessionId'],
  ...['impersonatorId', 'agentId', 'traceId', 'ipHash', 'actorKeyId', 'actorSealed', 'detailKeyId', 'detailSealed'],
  ...['day', 'stripe'],
] as (keyof EventInsert)[]

/** The event and its share of the day's totals in one statement: one round trip for every write of the service. */
const insertEventAndTotal = prepareRecordStatement(
  'insert_event',
  insertFields,
  (db, value: EventInsert & Record<string, unknown>) =>
    db
      .with('event', (qb) =>
        qb.insertInto('audit_events').values({
          realm_id: value.realmId,
          id: value.id,
          category: value.category,
          type: value.type,
          outcome: value.outcome,
          actor: value.actor,
          resource_type: value.resourceType,
          resource_id: value.resourceId,
          client_id: value.clientId,
          session_id: value.sessionId,
          impersonator_id: value.impersonatorId,
          agent_id: value.agentId,
          trace_id: value.traceId,
          ip_hash: value.ipHash,
          actor_key_id: value.actorKeyId,
          actor_sealed: value.actorSealed,
          detail_key_id: value.detailKeyId,
          detail_sealed: value.detailSealed,
        }),
      )
      .insertInto('audit_rollups')
      .values({
        realm_id: value.realmId,
        day: value.day,
        type: value.type,
        outcome: value.outcome,
        stripe: value.stripe,
        category: value.category,
        count: 1,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['realm_id', 'day', 'type', 'outcome', 'stripe'])
          .doUpdateSet((eb) => ({ count: eb('audit_rollups.count', '+', 1) })),
      ),
)

export async function insertEvent(tx: Tx, event: EventInsert): Promise<void> {
  await insertEventAndTotal(tx, event as EventInsert & Record<string, unknown>)
}

export async function readAuditKeys(db: Executor, realmId: string, ids: string[]) {
  return db
    .selectFrom('audit_keys')
    .select(['id', 'key_sealed'])
    .where('realm_id', '=', realmId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

const auditKeyById = prepareStatement('audit_key', (db, realmId: string, id: string) =>
  db.selectFrom('audit_keys').select('key_sealed').where('realm_id', '=', realmId).where('id', '=', id),
)

export async function readAuditKey(db: Executor, realmId: string, id: string): Promise<Buffer | null> {
  const [row] = await auditKeyById(db, realmId, id)
  return row?.key_sealed ?? null
}

/** Keeps the key that is there already when two transactions make one at the same time. */
export async function insertAuditKey(
  tx: Tx,
  key: { realmId: string; id: string; sealed: Buffer; now: number },
): Promise<Buffer> {
  const inserted = await tx
    .insertInto('audit_keys')
    .values({ realm_id: key.realmId, id: key.id, key_sealed: key.sealed, created_at: key.now })
    .onConflict((conflict) => conflict.columns(['realm_id', 'id']).doNothing())
    .returning('key_sealed')
    .executeTakeFirst()
  if (inserted) return inserted.key_sealed
  const [stored] = await readAuditKeys(tx, key.realmId, [key.id])
  if (!stored) throw new Error('an audit key vanished')
  return stored.key_sealed
}
