import type { AnyAdminRoute, Loaded, Result } from '../../domain/admin-route/index.ts'
import { type Context, openContext, type Origin, type Services } from '../../domain/context/index.ts'
import { Rollback, runTransaction, type Work, workOnPool } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { validate } from '../../platform/http/index.ts'
import { recordWrite } from './audit.ts'
import { bodySpecOf } from './body.ts'
import type { Admission } from './guard.ts'
import { type IdempotentRequest, keepAnswer, replayOrClaim } from './idempotency.ts'
import { applyMergePatch } from './merge-patch.ts'

export interface AdmittedRequest {
  admission: Admission
  origin: Origin
  params: Record<string, string>
  query: unknown
  body: unknown
  dryRun: boolean
  ifMatch: string | null
  idempotency: IdempotentRequest | null
}

export function contextOf(services: Services, request: AdmittedRequest, work: Work): Context {
  const { admission, origin, dryRun } = request
  return openContext(services, work, {
    realmId: admission.realm.realmId,
    actor: admission.caller.actor,
    origin,
    dryRun,
  })
}

/** A plain read needs no transaction. */
function readContext(services: Services, request: AdmittedRequest): Context {
  return contextOf(services, request, workOnPool(services.db))
}

export async function executeRead(services: Services, route: AnyAdminRoute, request: AdmittedRequest): Promise<Result> {
  if (route.event?.auditRead) {
    return runTransaction(services.db, async (work) => {
      const ctx = contextOf(services, request, work)
      const result = await read(ctx, route, request)
      await recordWrite(ctx, route, request.params, { ...result, changes: result.changes ?? null }, null)
      return result
    })
  }
  return read(readContext(services, request), route, request)
}

async function read(ctx: Context, route: AnyAdminRoute, request: AdmittedRequest): Promise<Result> {
  const loaded = await route.load?.(ctx, request.params, false)
  if (!route.handle) return { status: 200, body: loaded?.record, version: loaded?.version }
  const { params, query } = request
  const result = await route.handle(ctx, {
    params,
    query,
    body: undefined,
    loaded: loaded as Loaded<unknown>,
    prepared: undefined,
  })
  return { ...result, version: result.version ?? loaded?.version }
}

/**
 * A write in two phases: `prepare` outside any transaction, then everything else in one. What that transaction contains, it
 * contains for every route: idempotency, the object, If-Match, the change, its audit event, the kept answer.
 */
export async function executeWrite(
  services: Services,
  route: AnyAdminRoute,
  request: AdmittedRequest,
): Promise<Result> {
  const { params, query } = request
  const isPatch = route.method === 'PATCH' && route.mergePatch
  const prepared = await route.prepare?.(readContext(services, request), { params, query, body: request.body })

  return runTransaction(services.db, async (work) => {
    const ctx = contextOf(services, request, work)
    const replay = request.idempotency ? await replayOrClaim(ctx, request.idempotency) : null
    if (replay) return replay
    const loaded = await route.load?.(ctx, params, true)
    if (loaded) checkIfMatch(request.ifMatch, loaded.version)
    const body = isPatch
      ? validate(bodySpecOf(route)!.schema, applyMergePatch(loaded?.record, request.body))
      : request.body
    if (route.quota) await checkQuota(ctx, route.quota)
    const before = loaded ? structuredClone(loaded.record) : null
    const result = await route.handle!(ctx, { params, query, body, loaded: loaded as Loaded<unknown>, prepared })
    if (request.dryRun) throw new Rollback(result)
    await recordWrite(ctx, route, params, result, before)
    const subject = route.event?.subject?.(params, result) ?? null
    if (request.idempotency) await keepAnswer(ctx, request.idempotency, result, subject)
    return result
  })
}

export function etagOf(version: number): string {
  return `"${version}"`
}

function checkIfMatch(ifMatch: string | null, version: number): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const given = ifMatch.split(',').map((tag) => tag.trim())
  if (!given.includes(etagOf(version))) {
    throw new DomainError('precondition_failed', 'The object was changed meanwhile; read it again.')
  }
}

async function checkQuota(ctx: Context, quota: NonNullable<AnyAdminRoute['quota']>): Promise<void> {
  if ((await quota.count(ctx, quota.limit)) >= quota.limit) {
    throw new DomainError('limit_reached', `The realm already has ${quota.limit} ${quota.name}.`)
  }
}
