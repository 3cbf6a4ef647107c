import { type SelectQueryBuilder, sql } from 'kysely'
import type { DB, Executor, Tx } from '../../../platform/db/index.ts'
import { type EventContent, firstHash, type Link, type SignedSeal } from './proof/index.ts'

export interface ChainHead {
  seq: number
  hash: string
  passedId: string | null
  seals: number
  sealedSeq: number
  unsealedSince: number | null
}

const headColumns = ['seq', 'hash', 'passed_id', 'seals', 'sealed_seq', 'unsealed_since'] as const

interface HeadRow {
  seq: number
  hash: Buffer
  passed_id: string | null
  seals: number
  sealed_seq: number
  unsealed_since: number | null
}

const toHead = (row: HeadRow): ChainHead => ({
  seq: row.seq,
  hash: row.hash.toString('hex'),
  passedId: row.passed_id,
  seals: row.seals,
  sealedSeq: row.sealed_seq,
  unsealedSince: row.unsealed_since,
})

export async function readHead(db: Executor, realmId: string): Promise<ChainHead | null> {
  const row = await db
    .selectFrom('audit_chain_heads')
    .select(headColumns)
    .where('realm_id', '=', realmId)
    .executeTakeFirst()
  return row ? toHead(row) : null
}

/** Lets everything that follows see one moment, whatever is chained, sealed or removed meanwhile. Must come first. */
export async function readOneMoment(tx: Tx): Promise<void> {
  await sql`set transaction isolation level repeatable read`.execute(tx)
}

/**
 * The end of the chain, held until the transaction ends. BUSY: another worker holds it, perhaps one that stands still; whoever
 * would wait for it would leave all other realms waiting, too. GONE: the realm is being removed.
 */
export async function lockHead(tx: Tx, realmId: string): Promise<ChainHead | 'BUSY' | 'GONE'> {
  const realm = await tx
    .selectFrom('realms')
    .leftJoin('audit_chain_heads', 'audit_chain_heads.realm_id', 'realms.realm_id')
    .select('audit_chain_heads.realm_id as known')
    .where('realms.realm_id', '=', realmId)
    .where('realms.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!realm) return 'GONE'
  if (realm.known === null) {
    await tx
      .insertInto('audit_chain_heads')
      .values({ realm_id: realmId, hash: Buffer.from(firstHash, 'hex') })
      .onConflict((conflict) => conflict.column('realm_id').doNothing())
      .execute()
  }
  const row = await tx
    .selectFrom('audit_chain_heads')
    .select(headColumns)
    .where('realm_id', '=', realmId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row ? toHead(row) : 'BUSY'
}

/** The newest event that has a place; null when none has. */
export async function readNewestId(tx: Tx, realmId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('audit_chain')
    .select('event_id')
    .where('realm_id', '=', realmId)
    .orderBy('event_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.event_id ?? null
}

export async function writeHead(tx: Tx, realmId: string, head: ChainHead): Promise<void> {
  await tx
    .updateTable('audit_chain_heads')
    .set({
      seq: head.seq,
      hash: Buffer.from(head.hash, 'hex'),
      passed_id: head.passedId,
      seals: head.seals,
      sealed_seq: head.sealedSeq,
      unsealed_since: head.unsealedSince,
    })
    .where('realm_id', '=', realmId)
    .execute()
}

const contentColumns = [
  ...(['e.realm_id', 'e.id', 'e.category', 'e.type', 'e.outcome', 'e.actor', 'e.resource_type'] as const),
  ...(['e.resource_id', 'e.client_id', 'e.session_id', 'e.impersonator_id', 'e.agent_id', 'e.trace_id'] as const),
  ...(['e.ip_hash', 'e.actor_key_id', 'e.actor_sealed', 'e.detail_key_id', 'e.detail_sealed'] as const),
] as const

type EventQuery = SelectQueryBuilder<DB & { e: DB['audit_events'] }, 'e', object>

const readRows = (query: EventQuery) => query.select(contentColumns).execute()
export type ContentRow = Awaited<ReturnType<typeof readRows>>[number]

const encode = (bytes: Buffer | null) => bytes?.toString('base64url') ?? null

export const contentOf = (row: ContentRow): EventContent => ({
  realmId: row.realm_id,
  id: row.id,
  category: row.category,
  type: row.type,
  outcome: row.outcome,
  actor: row.actor,
  resourceType: row.resource_type,
  resourceId: row.resource_id,
  clientId: row.client_id,
  sessionId: row.session_id,
  impersonatorId: row.impersonator_id,
  agentId: row.agent_id,
  traceId: row.trace_id,
  ipHash: encode(row.ip_hash),
  actorKeyId: row.actor_key_id,
  actorSealed: encode(row.actor_sealed),
  detailKeyId: row.detail_key_id,
  detailSealed: encode(row.detail_sealed),
})

function selectUnchained(db: Executor, realmId: string, fromId: string | null): EventQuery {
  let chained = db
    .selectFrom('audit_chain as c')
    .select('c.seq')
    .where('c.realm_id', '=', realmId)
    .whereRef('c.event_id', '=', sql.ref('e.id'))
  if (fromId !== null) chained = chained.where('c.event_id', '>=', fromId)
  const query = db
    .selectFrom('audit_events as e')
    .where('e.realm_id', '=', realmId)
    .where(({ not, exists }) => not(exists(chained)))
  return (fromId === null ? query : query.where('e.id', '>=', fromId)) as unknown as EventQuery
}

/** Committed events that have no place yet, oldest first. */
export async function readUnchainedEvents(
  tx: Tx,
  realmId: string,
  fromId: string | null,
  limit: number,
): Promise<ContentRow[]> {
  return readRows(selectUnchained(tx, realmId, fromId).orderBy('e.id').limit(limit))
}

/** Their ids alone, in a range of which either end may be open. */
export async function readUnchainedIds(
  db: Executor,
  realmId: string,
  range: { fromId: string | null; untilId: string | null },
  limit: number,
): Promise<string[]> {
  let query = selectUnchained(db, realmId, range.fromId).select('e.id').orderBy('e.id').limit(limit)
  if (range.untilId !== null) query = query.where('e.id', '<=', range.untilId)
  return (await query.execute()).map(({ id }) => id)
}

export async function insertLinks(tx: Tx, realmId: string, links: Omit<Link, 'content'>[]): Promise<void> {
  const [seqs, ids] = [links.map(({ seq }) => seq), links.map(({ eventId }) => eventId)]
  const hashes = links.map(({ hash }) => Buffer.from(hash, 'hex'))
  await sql`insert into audit_chain (realm_id, seq, event_id, hash)
    select ${realmId}, seq, event_id, hash
    from unnest(${seqs}::bigint[], ${ids}::uuid[], ${hashes}::bytea[]) as links(seq, event_id, hash)`.execute(tx)
}

export async function insertSeal(tx: Tx, seal: SignedSeal): Promise<void> {
  await tx
    .insertInto('audit_seals')
    .values({
      realm_id: seal.realm,
      number: seal.number,
      seq: seal.seq,
      hash: Buffer.from(seal.hash, 'hex'),
      sealed_at: seal.at,
      removed_before: seal.removedBefore,
      key_id: seal.keyId,
      signature: Buffer.from(seal.signature, 'base64url'),
    })
    .execute()
}
