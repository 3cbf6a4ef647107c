import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Context, openContext, type Origin, type Services, type UserActor } from '../../domain/context/index.ts'
import { clearSessionCookie } from '../../domain/sessions/index.ts'
import type { RealmSnapshot } from '../../domain/snapshot/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { isForeignKeyBroken, runRead, runTransaction, type Work, workOnPool } from '../../platform/db/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { originOf, refuseOtherMethods, validate } from '../../platform/http/index.ts'
import { type AccountBearer, type Demand, findAccountHolder, tellHowFresh } from './caller.ts'

export interface AccountOptions {
  /** Access with access tokens; the issuer of the tokens provides it. */
  bearer?: AccountBearer
}

/** A request of somebody who was let in. */
export interface AccountCall<Query = unknown, Body = unknown> {
  services: Services
  realm: RealmSnapshot
  holder: UserActor
  origin: Origin
  params: Record<string, string>
  query: Query
  body: Body
}

export interface AccountResult {
  status: number
  body?: unknown
  headers?: Record<string, string>
  /** Set after a session of the caller's own ended. */
  clearSession?: boolean
}

/**
 * Routes of the account are data, as those of administrators are: one interpreter asks who calls, what the route demands and what
 * was sent, in this order, and opens the transaction. The type makes `demand` impossible to leave out.
 */
export interface AccountRoute<Query = unknown, Body = unknown, Prepared = unknown> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Behind /realms/{realm}/account, in the form of the framework. */
  path: string
  demand: Demand
  summary: string
  description: string
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  response: Record<number, z.ZodType>
  /** What takes hashing or counting runs before the transaction. */
  prepare?(call: AccountCall<Query, Body>): Promise<Prepared>
  handle(ctx: Context, call: AccountCall<Query, Body>, prepared: Prepared): Promise<AccountResult>
}

// oxlint-disable-next-line typescript/no-explicit-any -- the table holds routes of every shape.
export type AnyAccountRoute = AccountRoute<any, any, any>

export function accountRoute<Query, Body, Prepared>(
  route: AccountRoute<Query, Body, Prepared>,
): AccountRoute<Query, Body, Prepared> {
  return route
}

const base = '/realms/:realm/account'
// What was sent was meant to have an effect.
const noQuery = z.strictObject({})

export function registerRoutes(
  app: FastifyInstance,
  services: Services,
  kit: PageKit,
  routes: readonly AnyAccountRoute[],
  options: AccountOptions,
): void {
  const methods = Map.groupBy(routes, ({ path }) => path)
  for (const route of routes) {
    app.route({
      method: route.method,
      url: base + route.path,
      schema: describeRoute(route),
      handler: (request, reply) => answer(services, kit, route, options, request, reply),
    })
  }
  for (const [path, ofPath] of methods) {
    // The account itself is a page, too: whoever serves that refuses the other methods there.
    if (path !== '')
      refuseOtherMethods(
        app,
        base + path,
        ofPath.map(({ method }) => method),
      )
  }
}

async function answer(
  services: Services,
  kit: PageKit,
  route: AnyAccountRoute,
  { bearer }: AccountOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const realm = await kit.findOpenRealm(request)
  const holder = await findAccountHolder(services, realm, request, reply, bearer ?? null, route.demand)
  const call: AccountCall = {
    ...{ services, realm, holder, origin: originOf(request) },
    params: request.params as Record<string, string>,
    query: validate(route.query ?? noQuery, request.query),
    body: route.body ? readBody(route.body, request) : undefined,
  }
  try {
    return send(services, realm, request, reply, await run(route, call))
  } catch (error) {
    if (error instanceof DomainError && error.code === 'insufficient_user_authentication') {
      tellHowFresh(services, realm, reply)
    }
    throw error
  }
}

/** JSON and nothing else: a form of another site could send the rest (S38). */
function readBody<Body>(schema: z.ZodType<Body>, request: FastifyRequest): Body {
  const type = request.headers['content-type']?.split(';')[0]!.trim().toLowerCase()
  if (type !== undefined && type !== 'application/json') {
    throw new DomainError('unsupported_media_type', 'Send application/json.')
  }
  return validate(schema, request.body ?? {})
}

async function run(route: AnyAccountRoute, call: AccountCall): Promise<AccountResult> {
  const { services } = call
  const prepared: unknown = await route.prepare?.(call)
  if (route.method === 'GET') {
    // A plain read needs no transaction.
    return runRead(() => route.handle(contextOf(call, workOnPool(services.db)), call, prepared))
  }
  try {
    return await runTransaction(services.db, (work) => route.handle(contextOf(call, work), call, prepared))
  } catch (error) {
    // Whoever asks was removed since they were let in: what hangs on them has nobody to hang on.
    if (!isForeignKeyBroken(error)) throw error
    throw new DomainError('unauthenticated', 'This account is not there any more.', { cause: error })
  }
}

/** The person acts, in their own realm. */
export function contextOf({ services, realm, holder, origin }: AccountCall, work: Work): Context {
  return openContext(services, work, { realmId: realm.realmId, actor: holder, origin })
}

function send(
  services: Services,
  realm: RealmSnapshot,
  request: FastifyRequest,
  reply: FastifyReply,
  result: AccountResult,
): FastifyReply {
  const { link, ...headers } = result.headers ?? {}
  reply.code(result.status).headers(headers)
  if (link) reply.header('link', link.replace('<?', `<${request.url.split('?')[0]!}?`))
  if (result.clearSession) forgetSession(services, realm, request, reply)
  if (result.status === 204) return reply.send()
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(result.body))
}

function forgetSession(services: Services, realm: RealmSnapshot, request: FastifyRequest, reply: FastifyReply): void {
  if (request.headers.authorization !== undefined) return
  reply.header('set-cookie', clearSessionCookie(services.config.secure, realm.realmId))
}

const permissions: Record<Demand, string> = {
  READ: 'your own session, or an access token of yours for the account',
  WRITE: 'your own session with X-XSRF-TOKEN, or an access token of yours for the account; nobody who acts as you',
  FRESH:
    'your own session with X-XSRF-TOKEN, or an access token of yours for the account, and a sign-in of the last five ' +
    'minutes; nobody who acts as you',
}

/** A read that is nobody else's carries no CSRF token. */
const ownRead = `${permissions.READ}; nobody who acts as you`

const refusals: Record<Demand, Record<number, z.ZodType>> = {
  READ: { 401: z.null().describe('No session and no token.') },
  WRITE: {
    401: z.null().describe('No session and no token.'),
    403: z.null().describe('CSRF token missing or stale, or somebody acts as you.'),
  },
  FRESH: {
    401: z.null().describe('No session and no token, or `insufficient_user_authentication`: the sign-in is too old.'),
    403: z.null().describe('CSRF token missing or stale, or somebody acts as you.'),
  },
}

function describeRoute(route: AnyAccountRoute) {
  const names = ['realm', ...[...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!)]
  const isRead = route.method === 'GET'
  const bySession: Record<string, string[]> = isRead ? { session: [] } : { session: [], csrf: [] }
  const permission = isRead && route.demand === 'WRITE' ? ownRead : permissions[route.demand]
  return {
    tags: ['account'],
    summary: route.summary,
    description: `${route.description} Permission: ${permission}.`,
    params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
    ...(route.query ? { querystring: z.object((route.query as unknown as z.ZodObject).shape) } : {}),
    ...(route.body ? { body: route.body } : {}),
    response: { ...route.response, ...refusals[route.demand] },
    security: [bySession, { bearer: [] }],
  }
}
