// Long work that was started by a request and is answered 202: its record, and how a worker brings it to an end.
// Contract 3.11 and 4.1 (`Location: …/jobs/{id}`).
// Called by routes whose work may take longer than a request; read under /jobs/{id}.
import { runTransaction } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { Result } from '../admin-route/index.ts'
import type { Context, Contribution, Services } from '../context/index.ts'
import { clearCreator, finishRealmJob, insertRealmJob } from './store.ts'

export { jobRoutes } from './routes.ts'

/** Realm-admins can still read what an administrator started who is no longer there. */
export const jobsContribution: Contribution = {
  traces: [{ tables: ['realm_jobs'], eraseFor: ({ tx, realmId }, userId) => clearCreator(tx, realmId, userId) }],
}

export interface RealmJobData {
  realmId: string
  jobId: string
}

/** Puts the work in the queue and answers where its progress can be read; both or neither. */
export async function startRealmJob<Data extends object>(
  ctx: Context,
  job: { name: string },
  type: string,
  data: Data,
): Promise<Result> {
  const jobId = newId(ctx.now)
  const createdBy = ctx.actor.kind === 'USER' ? ctx.actor.userId : 'system'
  await insertRealmJob(ctx.tx, { realmId: ctx.realmId, id: jobId, type, createdBy, now: ctx.now })
  await ctx.services.jobs.enqueue(ctx.tx, job, { ...data, realmId: ctx.realmId, jobId })
  const location = `/admin/realms/${ctx.realmId}/jobs/${jobId}`
  return { status: 202, body: { jobId, status: 'RUNNING' }, headers: { location }, resourceId: jobId }
}

/** Called by the worker once; a second run of the same job finds it ended and changes nothing. */
export async function endRealmJob(
  services: Services,
  { realmId, jobId }: RealmJobData,
  end: { status: 'SUCCEEDED' | 'FAILED'; result: unknown },
): Promise<void> {
  await runTransaction(services.db, ({ tx }) => finishRealmJob(tx, realmId, jobId, end, services.clock.now()))
}
