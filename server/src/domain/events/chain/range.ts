import { idTime } from '../../../platform/ids/index.ts'
import type { Executor } from '../../../platform/db/index.ts'
import { timeRange } from '../filters.ts'
import type { AuditKeys } from './audit-key.ts'
import { firstHash, isSealSigned, type Place, type SignedSeal } from './proof/index.ts'
import { readChainRow, readFirstChainRow, readSeal } from './read-store.ts'
import type { ChainHead } from './store.ts'

export interface ChainRange {
  /** The place before the first one; null when there is nothing it could begin with. */
  start: Place | null
  /** The seal that stands for the start, where one does. */
  anchor: SignedSeal | null
  /** The last place that belongs to it. */
  end: number
  /** The newest seal of a removal, if it is signed. */
  removal: SignedSeal | null
}

export interface AskedRange {
  from?: string | undefined
  to?: string | undefined
  after?: string | undefined
  last?: string | undefined
}

// Events of the last moment before `to` are sealed within minutes.
const settleMs = 10 * 60_000

/**
 * Times become places by seals: what happened after a time cannot have been chained before a seal of that time. So a range begins
 * at a seal, and what is said about it hangs on a signature.
 */
export async function resolveRange(
  db: Executor,
  realmId: string,
  asked: AskedRange,
  { head, keys }: { head: ChainHead; keys: AuditKeys | null },
): Promise<ChainRange> {
  const removal = await readTrustedRemoval(db, realmId, keys)
  const times = timeRange({ from: asked.from, to: asked.to })
  const earliest = await readBeginning(db, realmId, removal, head)
  const wanted = Math.max(await wantedStart(db, realmId, asked, times.from, head), earliest?.seq ?? 0)
  const end = times.until === undefined ? null : await readSeal(db, realmId, settled(idTime(times.until)))
  const anchor = await readSeal(db, realmId, { upToSeq: wanted })
  return {
    start: earliest && (wanted === earliest.seq ? earliest : await placeAt(db, realmId, wanted)),
    anchor: anchor?.seq === wanted ? anchor : null,
    end: Math.min(end?.seq ?? head.seq, head.seq),
    removal,
  }
}

const settled = (time: number) => ({ firstFromTime: time + settleMs })

async function wantedStart(
  db: Executor,
  realmId: string,
  { after, last }: AskedRange,
  fromId: string | undefined,
  head: ChainHead,
): Promise<number> {
  if (after !== undefined) return Math.min(Number(after), head.seq)
  if (last !== undefined) return Math.max(head.seq - Number(last), 0)
  if (fromId === undefined) return 0
  return (await readSeal(db, realmId, { upToTime: idTime(fromId) }))?.seq ?? 0
}

async function placeAt(db: Executor, realmId: string, seq: number): Promise<Place | null> {
  return seq === 0 ? { seq, hash: firstHash } : readChainRow(db, realmId, seq)
}

async function readTrustedRemoval(db: Executor, realmId: string, keys: AuditKeys | null): Promise<SignedSeal | null> {
  const removal = await readSeal(db, realmId, { lastRemoval: true })
  return removal && keys && isSealSigned(removal, keys.trusted) ? removal : null
}

/**
 * Where the chain begins: at nothing, or at the seal that retention left. That seal must be older than what a signed removal
 * allows to be gone; null when it is not, or is missing.
 */
async function readBeginning(
  db: Executor,
  realmId: string,
  removal: SignedSeal | null,
  head: ChainHead,
): Promise<Place | null> {
  const first = await readFirstChainRow(db, realmId)
  const before = (first?.seq ?? head.seq + 1) - 1
  if (before === 0) return { seq: 0, hash: firstHash }
  const seal = await readSeal(db, realmId, { upToSeq: before })
  if (!seal || seal.seq !== before || !removal?.removedBefore) return null
  return seal.at <= idTime(removal.removedBefore) ? { seq: seal.seq, hash: seal.hash } : null
}
