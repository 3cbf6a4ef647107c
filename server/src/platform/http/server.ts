import { randomBytes } from 'node:crypto'
import type {} from '@fastify/swagger'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { DomainError, fieldError } from '../errors/index.ts'
import type { Log } from '../log/index.ts'
import { isStorable } from '../text/index.ts'
import { createClientIp } from './client-ip.ts'
import { parseCookies } from './cookies.ts'
import { parseJsonBody } from './json.ts'
import { toDomainError, toProblem } from './problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    traceId: string
    clientIp: string | null
    cookies: Record<string, string>
  }
  interface FastifyContextConfig {
    /** How errors of this route are shown: problem+json unless the route says otherwise. */
    renderError?: (request: FastifyRequest, reply: FastifyReply, error: DomainError) => unknown
  }
}

export interface HttpOptions {
  baseUrl: string
  trustedProxies: string[]
  log: Log
  observe(method: string, route: string, status: number, seconds: number): void
  /** How an address that does not exist is shown; problem+json otherwise. */
  renderNotFound?: (request: FastifyRequest, reply: FastifyReply, error: DomainError) => unknown
}

// Contract 2.9 and S50.
const jsonLimitBytes = 1024 * 1024
const headerLimitBytes = 16 * 1024
// Slow senders are cut off (slow-loris): headers within 10 s, the whole request within 30 s.
const headersTimeoutMs = 10_000
const requestTimeoutMs = 30_000
const keepAliveTimeoutMs = 72_000

const textTypes = ['application/xml', 'text/xml', 'application/samlmetadata+xml', 'text/csv']
const jsonTypes = ['application/json', 'application/merge-patch+json']

export function createHttpServer(options: HttpOptions): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: jsonLimitBytes,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Open keep-alive connections must not hold a shutdown up; those with a request in flight are waited for.
    forceCloseConnections: 'idle',
    http: { maxHeaderSize: headerLimitBytes, headersTimeout: headersTimeoutMs },
    routerOptions: { maxParamLength: 1024, caseSensitive: true },
  })
  const clientIp = createClientIp(options.trustedProxies)
  const logFailure = createFailureLog(options.log)

  // Bodies are validated by the surfaces, after the caller was: the schemas of routes are for the description.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(jsonTypes, { parseAs: 'string' }, async (_request: FastifyRequest, text: string | Buffer) =>
    parseJsonBody(String(text)),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, text: string | Buffer) => parseForm(String(text)),
  )
  app.addContentTypeParser(textTypes, { parseAs: 'string' }, async (_request: FastifyRequest, text: string | Buffer) =>
    String(text),
  )
  app.addContentTypeParser(['application/x-ndjson', 'application/octet-stream'], (_request, payload, done) =>
    done(null, payload),
  )

  app.decorateRequest('traceId', '')
  app.decorateRequest('clientIp', null)
  app.decorateRequest('cookies')
  app.addHook('onRequest', async (request) => {
    request.traceId = traceIdOf(request.headers.traceparent)
    const forwarded = request.headers['x-forwarded-for']
    request.clientIp = clientIp(
      request.socket.remoteAddress,
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    )
    request.cookies = parseCookies(request.headers.cookie)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    options.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
  })

  app.setErrorHandler((thrown, request, reply) => {
    const error = toDomainError(thrown)
    if (error.status >= 500) {
      const path = request.url.split('?')[0]
      logFailure(error, { err: error.cause ?? thrown, traceId: request.traceId, path })
    }
    if (error.retryAfterSeconds !== null) reply.header('retry-after', String(error.retryAfterSeconds))
    const render = request.routeOptions.config?.renderError
    return render ? render(request, reply, error) : sendProblem(options.baseUrl, request, reply, error)
  })
  app.setNotFoundHandler((request, reply) => {
    const error = new DomainError('not_found', 'There is nothing at this address.')
    return options.renderNotFound?.(request, reply, error) ?? sendProblem(options.baseUrl, request, reply, error)
  })
  return app
}

// A crowd that is refused and a database that is away give the same line again and again; writing each would slow the refusals.
const unavailableEveryMs = 1000

function createFailureLog(log: Log): (error: DomainError, members: object) => void {
  let nextAt = 0
  let unwritten = 0
  return (error, members) => {
    if (error.code !== 'unavailable') return log.error(members, error.detail)
    if (performance.now() < nextAt) {
      unwritten++
      return
    }
    log.error({ ...members, unwritten }, error.detail)
    nextAt = performance.now() + unavailableEveryMs
    unwritten = 0
  }
}

export function sendProblem(
  baseUrl: string,
  request: FastifyRequest,
  reply: FastifyReply,
  error: DomainError,
): FastifyReply {
  const instance = request.url.split('?')[0]!
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(toProblem(error, { baseUrl, instance, traceId: request.traceId })))
}

/** Answers 405 with Allow for the methods of a path that no route serves (contract 7.4). */
export function refuseOtherMethods(app: FastifyInstance, url: string, allowed: string[]): void {
  const allow = allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (method) => !allow.includes(method),
  )
  app.route({
    method: others as 'GET'[],
    url,
    schema: { hide: true },
    // The body of a method that is not served is not read.
    onRequest: async (_request, reply) => {
      reply.header('allow', allow.join(', '))
      throw new DomainError('method_not_allowed', `This address answers ${allow.join(', ')}.`)
    },
    handler: async () => undefined,
  })
}

// Repeated fields are an attempt to be read differently by two readers; the first one counts and only it.
function parseForm(text: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (!isStorable(name) || !isStorable(value)) {
      throw fieldError(name.replaceAll('\0', ''), 'A text may contain neither NUL nor half a character.')
    }
    if (!(name in fields)) fields[name] = value
  }
  return fields
}

function traceIdOf(traceparent: unknown): string {
  const match =
    typeof traceparent === 'string' ? /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(traceparent) : null
  return match && !/^0+$/.test(match[1]!) ? match[1]! : randomBytes(16).toString('hex')
}

/** Where a request came from, as far as it can be believed. */
export function originOf(request: FastifyRequest) {
  return { sourceIp: request.clientIp, userAgent: request.headers['user-agent'] ?? null, traceId: request.traceId }
}
