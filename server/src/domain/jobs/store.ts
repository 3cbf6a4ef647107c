import type { Executor, Tx } from '../../platform/db/index.ts'

export async function insertRealmJob(
  tx: Tx,
  job: { realmId: string; id: string; type: string; createdBy: string; now: number },
): Promise<void> {
  await tx
    .insertInto('realm_jobs')
    .values({
      realm_id: job.realmId,
      id: job.id,
      type: job.type,
      status: 'RUNNING',
      created_by: job.createdBy,
      created_at: job.now,
    })
    .execute()
}

export async function selectRealmJob(db: Executor, realmId: string, id: string) {
  return db.selectFrom('realm_jobs').selectAll().where('realm_id', '=', realmId).where('id', '=', id).executeTakeFirst()
}

export async function finishRealmJob(
  tx: Tx,
  realmId: string,
  id: string,
  end: { status: string; result: unknown },
  now: number,
): Promise<void> {
  await tx
    .updateTable('realm_jobs')
    .set((eb) => ({
      status: end.status,
      result: JSON.stringify(end.result ?? null),
      finished_at: now,
      version: eb('version', '+', 1),
    }))
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('status', '=', 'RUNNING')
    .execute()
}

export async function clearCreator(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx
    .updateTable('realm_jobs')
    .set({ created_by: 'system' })
    .where('realm_id', '=', realmId)
    .where('created_by', '=', userId)
    .execute()
}
