import { sql } from 'kysely'
import {
  definePart,
  type Executor,
  type PartRun,
  prepareStatement,
  runTogether,
  type Tx,
} from '../../platform/db/index.ts'

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

const eventFields = [
  ...(['realmId', 'id', 'category', 'type', 'outcome', 'actor', 'resourceType', 'resourceId', 'clientId'] as const),
  ...(['sessionId', 'impersonatorId', 'agentId', 'traceId', 'ipHash'] as const),
  ...(['actorKeyId', 'actorSealed', 'detailKeyId', 'detailSealed'] as const),
]

const eventPart = definePart('event', eventFields, (db, value: EventRow) =>
  db.insertInto('audit_events').values({
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

interface DayShare {
  realmId: string
  day: string
  type: string
  outcome: string
  stripe: number
  category: string
}

const rollupFields = ['realmId', 'day', 'type', 'outcome', 'stripe', 'category'] as const
const rollupPart = definePart('rollup', rollupFields, (db, value: DayShare) =>
  db
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

/** The event, its share of the day's totals and what goes along with them in one round trip. */
export async function insertEvent(
  tx: Tx,
  event: EventRow & { day: string; stripe: number },
  alongside: PartRun[],
): Promise<void> {
  await runTogether(tx, [...alongside, eventPart(event), rollupPart(event)])
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

/**
 * The same for a person, who is kept from being erased until the end of the transaction: either the erasure sees this key, or
 * this finds nobody. Null when nobody is there.
 */
export async function insertPersonKey(
  tx: Tx,
  key: { realmId: string; id: string; sealed: Buffer; now: number },
): Promise<Buffer | null> {
  const inserted = await tx
    .insertInto('audit_keys')
    .columns(['realm_id', 'id', 'key_sealed', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['users.realm_id', 'users.id'])
        .select([sql<Buffer>`${key.sealed}::bytea`.as('key_sealed'), sql<number>`${key.now}::bigint`.as('created_at')])
        .where('users.realm_id', '=', key.realmId)
        .where('users.id', '=', key.id)
        .forKeyShare(),
    )
    .onConflict((conflict) => conflict.columns(['realm_id', 'id']).doNothing())
    .returning('key_sealed')
    .executeTakeFirst()
  return inserted?.key_sealed ?? readAuditKey(tx, key.realmId, key.id)
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
