import { z } from 'zod'
import { notFound } from '../../platform/errors/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { type AnyAdminRoute, adminRoute, idParameter } from '../admin-route/index.ts'
import type { Context } from '../context/index.ts'
import { insertRealmJob, selectRealmJob } from './store.ts'

const RealmJob = z
  .object({
    jobId: z.uuid(),
    realmId: z.string(),
    type: z.string().describe('What is being done.'),
    status: z.enum(['RUNNING', 'SUCCEEDED', 'FAILED']),
    result: z.unknown().describe('The report, once the job has ended; null while it runs.'),
    createdAt: z.int(),
    finishedAt: z.int().nullable(),
  })
  .meta({ id: 'RealmJob' })
type RealmJob = z.infer<typeof RealmJob>

/** A job is shown to who started it and to realm-admins; to others it is not there. */
async function loadJob(ctx: Context, id: string | undefined): Promise<{ record: RealmJob; version: number }> {
  const row = await selectRealmJob(ctx.tx, ctx.realmId, idParameter(id))
  const { actor } = ctx
  const visible = actor.kind === 'USER' && (actor.permissions.has('realm-admin') || row?.created_by === actor.userId)
  if (!row || !visible) throw notFound()
  const record: RealmJob = {
    jobId: row.id,
    realmId: ctx.realmId,
    type: row.type,
    status: row.status as RealmJob['status'],
    result: row.result,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
  return { record, version: row.version }
}

async function exampleJob(ctx: Context): Promise<Record<string, string>> {
  const id = newId(ctx.now)
  await insertRealmJob(ctx.tx, { realmId: ctx.realmId, id, type: 'example', createdBy: 'system', now: ctx.now })
  return { jobId: id }
}

export const jobRoutes: AnyAdminRoute[] = [
  adminRoute({
    method: 'GET',
    path: '/jobs/{jobId}',
    permission: { anyAdmin: true },
    summary: 'Read the progress of long work',
    description: 'The address that an answer 202 gives. Only who started the work and realm-admins can read it.',
    response: { 200: RealmJob },
    load: (ctx, params) => loadJob(ctx, params.jobId),
    example: { fixture: exampleJob },
  }),
]
