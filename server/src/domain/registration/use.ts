import { LRUCache } from 'lru-cache'
import type { Database } from '../../platform/db/index.ts'
import type { Services } from '../context/index.ts'
import { moveLastUse } from './store.ts'

const dayMs = 86_400_000
// A few hundred bytes each: no more than some megabytes of clients that were used today.
const maxNoted = 10_000
const notedByDatabase = new WeakMap<Database, LRUCache<string, number>>()

/**
 * Keeps a registered client from ending as unused. Called whenever it gets a token, and writes at most once a day; for clients of
 * administrators it finds nothing to write.
 */
export async function noteUse(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  realmId: string,
  clientUuid: string,
): Promise<void> {
  let noted = notedByDatabase.get(db)
  if (!noted) notedByDatabase.set(db, (noted = new LRUCache<string, number>({ max: maxNoted })))
  const now = clock.now()
  const key = `${realmId}:${clientUuid}`
  if (now - (noted.get(key) ?? 0) < dayMs) return
  await moveLastUse(db, realmId, clientUuid, { now, before: now - dayMs / 2 })
  noted.set(key, now)
}
