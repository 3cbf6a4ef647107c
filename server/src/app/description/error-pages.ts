import type { FastifyInstance } from 'fastify'
import {
  type ErrorReferenceProps,
  pageHeaders,
  renderErrorPage,
  renderErrorReferenceIndexPage,
  renderErrorReferencePage,
} from '../../pages/index.ts'
import { type ErrorCode, errorCodes, errorKinds } from '../../platform/errors/index.ts'
import { findOauthError, oauthErrorCodes } from '../../platform/errors/oauth/index.ts'

/** /errors/{code}: what the `type` of a problem points to, and what the codes of OAuth mean here. */
export function registerErrorPages(app: FastifyInstance): void {
  app.get('/errors', { schema: { hide: true } }, async (_request, reply) => {
    const codes = errorCodes
      .filter((code) => !findOauthError(code))
      .map((code) => ({ code, title: errorKinds[code].title, status: errorKinds[code].status }))
    const oauthCodes = oauthErrorCodes.map((code) => {
      const { title, status } = findOauthError(code)!
      return { code, title, status }
    })
    return reply.headers(pageHeaders()).send(renderErrorReferenceIndexPage({ codes, oauthCodes }))
  })
  app.get('/errors/:code', { schema: { hide: true } }, async (request, reply) => {
    const { code } = request.params as { code: string }
    const known = describeCode(code)
    reply.headers(pageHeaders())
    if (!known) {
      const page = {
        realm: null,
        status: 404,
        title: 'Unknown error code',
        message: 'There is no error of this code.',
        reference: request.traceId,
      }
      return reply.code(404).send(renderErrorPage({ ...page, links: [{ label: 'All error codes', href: '/errors' }] }))
    }
    return reply.send(renderErrorReferencePage(known))
  })
}

/** One address serves both: the one code that they share (RFC 9470) means the same, and OAuth says more of it. */
function describeCode(code: string): ErrorReferenceProps | null {
  const oauth = findOauthError(code)
  if (oauth) {
    const { title, status, explanation, remedy, causes, standard } = oauth
    const places = oauth.places.map((place) => (place === 'api' ? 'any API' : `/${place}`))
    return { code, title, status, explanation, whatToDo: remedy, causes, places, standard }
  }
  if (!Object.hasOwn(errorKinds, code)) return null
  const { title, status, explanation, remedy } = errorKinds[code as ErrorCode]
  return { code, title, status, explanation, whatToDo: remedy }
}
