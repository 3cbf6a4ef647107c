import { runTransaction, type Tx } from '../../../platform/db/index.ts'
import type { Services } from '../../context/index.ts'
import type { AuditKeys } from './audit-key.ts'
import { linkHash } from './proof/index.ts'
import { isSealDue, sealChain } from './seal.ts'
import { type ChainHead, contentOf, insertLinks, lockHead, readUnchainedEvents, writeHead } from './store.ts'

export type ChainServices = Pick<Services, 'db' | 'sealer' | 'clock' | 'log'>

export interface Extension {
  outcome: 'DONE' | 'MORE' | 'BUSY'
  chained: number
}

// One transaction holds the realm's head for some tens of milliseconds; a killed worker loses no more than this.
const batchSize = 500
// A realm with years of history goes on in the next run, so that others get their turn.
const batchesPerTurn = 20

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
  const rows = await readUnchainedEvents(tx, realmId, startOf(head, fromId), batchSize)
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

/** Where to look from: a chain that is new, or was left in the middle of its history, goes on where it was. */
function startOf({ passedId }: ChainHead, fromId: string): string | null {
  if (passedId === null) return null
  return passedId < fromId ? passedId : fromId
}
