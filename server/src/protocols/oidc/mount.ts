import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../../domain/context/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import { DomainError } from '../../platform/errors/index.ts'
import { refuseOtherMethods } from '../../platform/http/index.ts'
import { engineRoutes } from './describe.ts'
import { routes } from './paths.ts'
import { findIssuer } from './issuer.ts'
import { answerShortly } from './short-ways.ts'

/** Hands the paths of the protocol to the engine, with the request's body unread and everything about its origin pinned. */
export function mountEngine(app: FastifyInstance, services: Services, kit: PageKit): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const { path, methods, schema, hidden } of engineRoutes) {
      const url = `/realms/:realm${path}`
      for (const method of methods) {
        scope.route({
          method: method as 'GET',
          url,
          schema: method === 'OPTIONS' || hidden ? { hide: true } : schema(method),
          config: { renderError: kit.renderError },
          handler: async (request, reply) => {
            const realm = await kit.findOpenRealm(request)
            if (method === 'POST' && askedAgain.has(path)) return askAgain(request, reply)
            await answerShortly(services, await findIssuer(services, realm), path, request, reply)
            return reply
          },
        })
      }
      refuseOtherMethods(scope, url, methods)
    }
  })
}

// Both MUST take forms (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 1.0 section 2), and browsers send those from other sites.
const askedAgain = new Set<string>([routes.authorization, routes.end_session])
// What a browser surely takes as an address; a longer request is pushed (RFC 9126) or not sent at all.
const maxQueryLength = 8000
const tooLong = 'The request is too long. Push long authorization requests to /par.'

/**
 * A request that comes as a form from another site brings no Lax cookies, so the session would not be seen. It is asked again as
 * a GET of our own, where they arrive (architecture 4).
 */
async function askAgain(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isForm = (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  if (!isForm) throw new DomainError('unsupported_media_type', 'Send application/x-www-form-urlencoded.')
  let query = ''
  for await (const chunk of request.raw) {
    query += String(chunk)
    if (query.length > maxQueryLength) throw new DomainError('payload_too_large', tooLong)
  }
  const location = `${request.url.split('?')[0]}?${new URLSearchParams(query).toString()}`
  return reply.code(303).header('cache-control', 'no-store').header('location', location).send()
}
