import { runTransaction, type Tx } from '../../../platform/db/index.ts'
import type { Log } from '../../../platform/log/index.ts'
import type { Clock } from '../../../platform/time/index.ts'
import type { AuditKeys } from './audit-key.ts'
import type { ChainServices } from './extend.ts'
import { type Seal, sealText } from './proof/index.ts'
import { type ChainHead, insertSeal, lockHead, writeHead } from './store.ts'

// Until its seal, whoever owns the database could write the newest part of a chain anew. A seal is a row and a signature: every
// five minutes of a busy realm cost less than a hundredth of its events.
export const sealAfterMs = 5 * 60_000
const sealAfterEvents = 5000

export function isSealDue({ seq, sealedSeq, unsealedSince }: ChainHead, now: number): boolean {
  return unsealedSince !== null && (seq - sealedSeq >= sealAfterEvents || now - unsealedSince >= sealAfterMs)
}

interface Sealing {
  tx: Tx
  clock: Clock
  log: Log
  afterCommit(effect: () => void): void
}

/** Signs where the chain stands. The caller holds the head and writes the one that is returned. */
export async function sealChain(
  { tx, clock, log, afterCommit }: Sealing,
  keys: AuditKeys,
  realmId: string,
  head: ChainHead,
  removedBefore: string | null,
): Promise<ChainHead> {
  const seal: Seal = {
    realm: realmId,
    number: head.seals + 1,
    seq: head.seq,
    hash: head.hash,
    at: clock.now(),
    removedBefore,
    keyId: keys.keyId,
  }
  const signed = { ...seal, signature: keys.sign(sealText(seal)) }
  await insertSeal(tx, signed)
  // The log leaves the database's reach: with it, even a chain cut off together with its seals can be told.
  afterCommit(() => log.info({ seal: signed }, 'audit chain sealed'))
  return { ...head, seals: seal.number, sealedSeq: head.seq, unsealedSince: null }
}

/** Seals one realm's chain where it stands; says before which id its retention removes events. */
export async function sealRealm(
  services: ChainServices,
  keys: AuditKeys,
  realmId: string,
  removedBefore: string | null = null,
): Promise<boolean> {
  return runTransaction(services.db, async ({ tx, afterCommit }) => {
    const head = await lockHead(tx, realmId)
    if (head === 'GONE') return true
    if (head === 'BUSY') return false
    // Another worker was quicker.
    if (removedBefore === null && !isSealDue(head, services.clock.now())) return true
    const sealing = { tx, afterCommit, clock: services.clock, log: services.log }
    await writeHead(tx, realmId, await sealChain(sealing, keys, realmId, head, removedBefore))
    return true
  })
}
