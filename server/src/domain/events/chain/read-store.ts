import { sql } from 'kysely'
import type { Executor } from '../../../platform/db/index.ts'
import type { StoredEvent } from '../list-store.ts'
import type { Place, SignedSeal } from './proof/index.ts'

export interface ChainRow extends Place {
  eventId: string
}

const toRow = (row: { seq: number; hash: Buffer; event_id: string }): ChainRow => ({
  seq: row.seq,
  hash: row.hash.toString('hex'),
  eventId: row.event_id,
})

const selectChain = (db: Executor, realmId: string) =>
  db.selectFrom('audit_chain').select(['seq', 'event_id', 'hash']).where('realm_id', '=', realmId)

/** The places after one, up to another, in order. */
export async function readChainRows(
  db: Executor,
  realmId: string,
  range: { after: number; until: number },
  limit: number,
): Promise<ChainRow[]> {
  const rows = await selectChain(db, realmId)
    .where('seq', '>', range.after)
    .where('seq', '<=', range.until)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toRow)
}

export async function readChainRow(db: Executor, realmId: string, seq: number): Promise<ChainRow | null> {
  const row = await selectChain(db, realmId).where('seq', '=', seq).executeTakeFirst()
  return row ? toRow(row) : null
}

/** The place of the first event from an id on, up to a place; null when there is none. */
export async function readPlaceFrom(
  db: Executor,
  realmId: string,
  fromId: string,
  upToSeq: number,
): Promise<number | null> {
  const row = await selectChain(db, realmId)
    .where('event_id', '>=', fromId)
    .where('seq', '<=', upToSeq)
    .orderBy('event_id')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? null
}

export async function readFirstChainRow(db: Executor, realmId: string): Promise<ChainRow | null> {
  const row = await selectChain(db, realmId).orderBy('seq').limit(1).executeTakeFirst()
  return row ? toRow(row) : null
}

export async function readChainRowsOf(db: Executor, realmId: string, eventIds: string[]): Promise<ChainRow[]> {
  if (eventIds.length === 0) return []
  const rows = await selectChain(db, realmId).where('event_id', '=', sql<string>`any(${eventIds}::uuid[])`).execute()
  return rows.map(toRow)
}

/** Whole rows by id; what is not there is left out. */
export async function readEventRows(
  db: Executor,
  realmId: string,
  eventIds: string[],
): Promise<Map<string, StoredEvent>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('id', '=', sql<string>`any(${eventIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const sealColumns = [
  ...(['realm_id', 'number', 'seq', 'hash', 'sealed_at', 'removed_before', 'key_id', 'signature'] as const),
]

const selectSeals = (db: Executor, realmId: string) =>
  db.selectFrom('audit_seals').select(sealColumns).where('realm_id', '=', realmId)

type SealRow = Awaited<ReturnType<ReturnType<typeof selectSeals>['execute']>>[number]

const toSeal = (row: SealRow): SignedSeal => ({
  realm: row.realm_id,
  number: row.number,
  seq: row.seq,
  hash: row.hash.toString('hex'),
  at: row.sealed_at,
  removedBefore: row.removed_before,
  keyId: row.key_id,
  signature: row.signature.toString('base64url'),
})

/** The seals on places after one, up to another, by number. */
export async function readSeals(
  db: Executor,
  realmId: string,
  range: { after: number; until: number },
  limit: number,
): Promise<SignedSeal[]> {
  const rows = await selectSeals(db, realmId)
    .where('seq', '>', range.after)
    .where('seq', '<=', range.until)
    .orderBy('number')
    .limit(limit)
    .execute()
  return rows.map(toSeal)
}

export type SealPosition =
  | { last: true }
  /** The last one at or before a place, or at or before a time. */
  | { upToSeq: number }
  | { upToTime: number }
  | { firstFromTime: number }
  | { lastRemoval: true }

export async function readSeal(db: Executor, realmId: string, position: SealPosition): Promise<SignedSeal | null> {
  let query = selectSeals(db, realmId)
  if ('upToSeq' in position) query = query.where('seq', '<=', position.upToSeq).orderBy('seq', 'desc')
  if ('upToTime' in position) query = query.where('sealed_at', '<=', position.upToTime).orderBy('sealed_at', 'desc')
  if ('firstFromTime' in position) query = query.where('sealed_at', '>=', position.firstFromTime).orderBy('sealed_at')
  if ('lastRemoval' in position) query = query.where('removed_before', 'is not', null)
  const direction = 'firstFromTime' in position ? 'asc' : 'desc'
  const row = await query.orderBy('number', direction).limit(1).executeTakeFirst()
  return row ? toSeal(row) : null
}
