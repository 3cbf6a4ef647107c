import { runTransaction, type Tx } from '../../../platform/db/index.ts'
import { firstIdAt, idTime } from '../../../platform/ids/index.ts'
import type { Services } from '../../context/index.ts'
import type { AuditKeys } from './audit-key.ts'
import { latestMs, linkHash } from './proof/index.ts'
import { isSealDue, sealChain } from './seal.ts'
import {
  type ChainHead,
  contentOf,
  insertLinks,
  lockHead,
  readNewestId,
  readUnchainedEvents,
  writeHead,
} from './store.ts'

export type ChainServices = Pick<Services, 'db' | 'sealer' | 'clock' | 'log'>

export interface Extension {
  outcome: 'DONE' | 'MORE' | 'BUSY'
  chained: number
}

// One transaction holds the realm's head for some tens of milliseconds; a killed worker loses no more than this.
const batchSize = 500
// A realm with years of history goes on in the next run, so that others get their turn.
const batchesPerTurn = 20
// The nightly look takes a while for all realms.
const runMs = 3_600_000

/** Gives places to the events of one realm that have none, from this id on, in batches that each stand for themselves. */
export async function extendChain(
  services: ChainServices,
  keys: AuditKeys,
  realmId: string,
  fromId: string,
): Promise<Extension> {
  let chained = 0
  let cursor = fromId
  for (let batch = 0; batch < batchesPerTurn; batch++) {
    const start = cursor
    const taken = await runTransaction(services.db, ({ tx, afterCommit }) =>
      extendOnce({ ...services, tx, afterCommit }, keys, realmId, start),
    )
    if (taken === 'BUSY') return { outcome: 'BUSY', chained }
    if (taken === 'GONE' || taken.length === 0) break
    chained += taken.length
    if (taken.length < batchSize) break
    if (batch === batchesPerTurn - 1) return { outcome: 'MORE', chained }
    // Below its last event nothing is left without a place but what came in meanwhile.
    cursor = taken.at(-1)!
  }
  return { outcome: 'DONE', chained }
}

type Step = Pick<ChainServices, 'clock' | 'log'> & { tx: Tx; afterCommit(effect: () => void): void }

/** One batch; returns the ids of the events that got a place. */
async function extendOnce(
  step: Step,
  keys: AuditKeys,
  realmId: string,
  fromId: string,
): Promise<string[] | 'BUSY' | 'GONE'> {
  const { tx, clock } = step
  const head = await lockHead(tx, realmId)
  if (head === 'BUSY' || head === 'GONE') return head
  await assertUntouched(tx, realmId, head)
  const rows = await readUnchainedEvents(tx, realmId, startOf(head, fromId, clock.now()), batchSize)
  if (rows.length === 0) return []
  const links = []
  let { seq, hash } = head
  for (const row of rows) {
    seq += 1
    hash = linkHash(hash, contentOf(row))
    links.push({ seq, hash, eventId: row.id })
  }
  await insertLinks(tx, realmId, links)
  const lastId = rows.at(-1)!.id
  const passedId = head.passedId !== null && head.passedId > lastId ? head.passedId : lastId
  const next = { ...head, seq, hash, passedId, unsealedSince: head.unsealedSince ?? clock.now() }
  await writeHead(tx, realmId, isSealDue(next, clock.now()) ? await sealChain(step, keys, realmId, next, null) : next)
  return rows.map(({ id }) => id)
}

/** Whoever set the end of a chain back would have what they put in long ago chained and sealed as if it had been there. */
async function assertUntouched(tx: Tx, realmId: string, { seq, passedId }: ChainHead): Promise<void> {
  const newest = await readNewestId(tx, realmId)
  const isSetBack = passedId === null ? seq > 0 : newest !== null && newest > passedId
  if (isSetBack) throw new Error('the end of the audit chain was set back')
}

/**
 * Where to look from: a chain that is new, or was left in the middle of its history, goes on where it was. What is older than
 * anything may come late gets no place, wherever the mark of the last run stands; a clock that ran ahead changes nothing in that.
 */
function startOf({ passedId }: ChainHead, fromId: string, now: number): string | null {
  if (passedId === null) return null
  if (passedId < fromId) return passedId
  const earliest = firstIdAt(Math.min(idTime(passedId), now) - latestMs - runMs)
  return fromId < earliest ? earliest : fromId
}
