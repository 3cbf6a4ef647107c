import type { Database, Executor } from '../../../platform/db/index.ts'

export async function hasEventsBefore(db: Executor, realmId: string, beforeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('audit_events')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('id', '<', beforeId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes the oldest places up to one; the number removed is below `limit` when none is left. */
export async function deletePlaces(
  adminDb: Database,
  realmId: string,
  upToSeq: number,
  limit: number,
): Promise<number> {
  const oldest = adminDb
    .selectFrom('audit_chain')
    .select('seq')
    .where('realm_id', '=', realmId)
    .where('seq', '<=', upToSeq)
    .orderBy('seq')
    .limit(limit)
  const result = await adminDb
    .deleteFrom('audit_chain')
    .where('realm_id', '=', realmId)
    .where('seq', '<=', upToSeq)
    .where('seq', 'in', oldest)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export async function deleteSealsBefore(adminDb: Database, realmId: string, number: number): Promise<void> {
  await adminDb.deleteFrom('audit_seals').where('realm_id', '=', realmId).where('number', '<', number).execute()
}
