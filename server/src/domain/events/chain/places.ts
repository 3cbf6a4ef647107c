import type { Executor } from '../../../platform/db/index.ts'
import type { Place } from './proof/index.ts'
import { readChainRowsOf } from './read-store.ts'

/** The places of these events in the chain; what was written in the last minute has none yet. */
export async function findPlaces(db: Executor, realmId: string, eventIds: string[]): Promise<Map<string, Place>> {
  const rows = await readChainRowsOf(db, realmId, eventIds)
  return new Map(rows.map(({ eventId, seq, hash }) => [eventId, { seq, hash }]))
}
