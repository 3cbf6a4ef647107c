import { idTime } from '../../../platform/ids/index.ts'
import type { Services } from '../../context/index.ts'
import { useAuditKeys } from './audit-key.ts'
import type { ChainServices } from './extend.ts'
import { readSeal } from './read-store.ts'
import { sealRealm } from './seal.ts'
import { readHead } from './store.ts'
import { deletePlaces, deleteSealsBefore, hasEventsBefore } from './trim-store.ts'

const batchSize = 2000

/**
 * Before retention removes events: a signed seal says up to where, so that nobody can pass off another removal as this one. False
 * when there is nothing to remove, or when another worker holds the chain: then it is left for the next time.
 */
export async function announceRemoval(services: ChainServices, realmId: string, beforeId: string): Promise<boolean> {
  if (!(await hasEventsBefore(services.db, realmId, beforeId))) return false
  // Nothing was ever chained here, so nothing would be missed.
  if (!(await readHead(services.db, realmId))) return true
  return sealRealm(services, await useAuditKeys(services), realmId, beforeId)
}

/**
 * After retention removed events: their places go, too, up to the last seal that is older than all that remains. That seal stays:
 * the rest of the chain is checked from it on.
 */
export async function trimChain(
  { db, adminDb }: Pick<Services, 'db' | 'adminDb'>,
  realmId: string,
  beforeId: string,
): Promise<void> {
  const anchor = await readSeal(db, realmId, { upToTime: idTime(beforeId) })
  if (!anchor) return
  while ((await deletePlaces(adminDb, realmId, anchor.seq, batchSize)) === batchSize);
  await deleteSealsBefore(adminDb, realmId, anchor.number)
}
