// The interpreter of admin routes: does for every route what nobody may forget, in one fixed order.
// Architecture 3, contract 0.6 and 2.A, specification parts 4-7.
// Called by app/build-app with the route table; the sweeps of the tests read the same table.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AnyAdminRoute, BodySpec, Result } from '../../domain/admin-route/index.ts'
import type { Services } from '../../domain/context/index.ts'
import { runTransaction } from '../../platform/db/index.ts'
import { DomainError, fieldError } from '../../platform/errors/index.ts'
import { originOf, refuseOtherMethods } from '../../platform/http/index.ts'
import { createLane } from '../../platform/lanes/index.ts'
import { recordDenial } from './audit.ts'
import { bodySpecOf, isPlainBody, readBody, validateQuery } from './body.ts'
import type { BearerResolver } from './callers.ts'
import { describeRoute } from './describe.ts'
import { type AdmittedRequest, contextOf, etagOf, executeRead, executeWrite } from './execute.ts'
import { type Admission, admit } from './guard.ts'
import { identifyRequest } from './idempotency.ts'

export { answerPlace } from './idempotency.ts'
export { deleteOldKeys } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    admission: Admission | null
  }
}

/** Every route of the table and, where a route offers it, its PATCH twin. */
export function expandRoutes(routes: AnyAdminRoute[]): AnyAdminRoute[] {
  return routes.flatMap((route) => (route.mergePatch ? [route, patchTwin(route)] : [route]))
}

function patchTwin(route: AnyAdminRoute): AnyAdminRoute {
  const summary = route.summary.replace(/^Replace/, 'Change members of')
  const description = 'A JSON merge patch (RFC 7396): members that are left out stay, null clears.'
  return { ...route, method: 'PATCH', summary, description }
}

export function fullPath(route: AnyAdminRoute): string {
  return (route.scope === 'server' ? '/admin' : '/admin/realms/{realm}') + route.path
}

export interface SurfaceOptions {
  /** Machine access with access tokens; the issuer of the tokens provides it. */
  bearer?: BearerResolver
}

export function registerAdminSurface(
  app: FastifyInstance,
  services: Services,
  table: AnyAdminRoute[],
  options: SurfaceOptions = {},
): void {
  app.decorateRequest('admission', null)
  const methods = new Map<string, string[]>()
  for (const route of expandRoutes(table)) {
    const url = fullPath(route).replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(url, [...(methods.get(url) ?? []), route.method])
    registerRoute(app, services, route, url, options)
  }
  for (const [url, allowed] of methods) refuseOtherMethods(app, url, allowed)
}

function registerRoute(
  app: FastifyInstance,
  services: Services,
  route: AnyAdminRoute,
  url: string,
  options: SurfaceOptions,
): void {
  const spec = bodySpecOf(route)
  const lane = route.lane
    ? createLane({ name: `${route.method} ${route.path}`, ...route.lane, retryAfterSeconds: 2 })
    : null
  app.route({
    method: route.method,
    url,
    schema: describeRoute(route),
    ...(spec ? { bodyLimit: spec.limitBytes } : {}),
    // Before the body is read: nobody unknown makes us parse anything.
    onRequest: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      await refusing(services, route, request, async () => {
        const onCaller = (admission: Admission) => {
          request.admission = admission
        }
        await admit(services, route, request, reply, { bearer: options.bearer ?? null, onCaller })
      })
    },
    handler: async (request, reply) => {
      const run = () => refusing(services, route, request, () => serve(services, route, spec, request))
      return send(request, reply, route, await (lane ? lane.run(run) : run()))
    },
  })
}

async function serve(
  services: Services,
  route: AnyAdminRoute,
  spec: BodySpec<unknown> | null,
  request: FastifyRequest,
): Promise<Result> {
  const isWrite = route.method !== 'GET'
  const { dryRun, ...query } = request.query as Record<string, string>
  const admitted: AdmittedRequest = {
    admission: request.admission!,
    origin: originOf(request),
    params: request.params as Record<string, string>,
    query: validateQuery(route, isWrite ? query : (request.query as Record<string, string>)),
    body: undefined,
    dryRun: isWrite && readDryRun(dryRun),
    ifMatch: request.headers['if-match'] ?? null,
    idempotency: null,
  }
  if (!isWrite) return executeRead(services, route, admitted)
  admitted.body = await readBody(route, spec, request)
  const key = request.headers['idempotency-key']
  const repeatable = route.method === 'POST' && route.idempotencyKey !== false && isPlainBody(spec)
  if (typeof key === 'string' && repeatable && !admitted.dryRun) {
    const path = request.url.split('?')[0]!
    admitted.idempotency = identifyRequest(key, admitted.admission.caller.actor.userId, path, request.body)
  }
  return executeWrite(services, route, admitted)
}

/** Whoever asks for a dry run in a way that is not understood must not be taken at less than their word. */
function readDryRun(value: unknown): boolean {
  if (value !== undefined && value !== 'true' && value !== 'false')
    throw fieldError('dryRun', 'dryRun is true or false.')
  return value === 'true'
}

/** Records a refused write against the caller before the refusal is answered. */
async function refusing<T>(
  services: Services,
  route: AnyAdminRoute,
  request: FastifyRequest,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const denied = error instanceof DomainError && (error.status === 403 || error.code === 'reauthentication_required')
    if (denied && route.method !== 'GET' && request.admission) {
      const admitted = { admission: request.admission, origin: originOf(request), dryRun: false } as AdmittedRequest
      const params = request.params as Record<string, string>
      await runTransaction(services.db, (work) =>
        recordDenial(contextOf(services, admitted, work), route, params, error),
      )
    }
    throw error
  }
}

function send(request: FastifyRequest, reply: FastifyReply, route: AnyAdminRoute, result: Result): unknown {
  reply.code(result.status)
  if (result.version !== undefined && result.status !== 204) {
    const etag = etagOf(result.version)
    reply.header('etag', etag)
    if (route.method === 'GET' && request.headers['if-none-match'] === etag) return reply.code(304).send()
  }
  const path = request.url.split('?')[0]!
  if (result.status === 201 && result.resourceId)
    reply.header('location', `${path}/${encodeURIComponent(result.resourceId)}`)
  for (const [name, value] of Object.entries(result.headers ?? {})) {
    reply.header(name, name === 'link' ? value.replace('<?', `<${path}?`) : value)
  }
  if (result.stream) return reply.type(result.contentType ?? 'application/octet-stream').send(result.stream)
  if (result.status === 204) return reply.send()
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result.body))
}
