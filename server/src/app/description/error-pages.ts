import type { FastifyInstance } from 'fastify'
import {
  pageHeaders,
  renderErrorPage,
  renderErrorReferenceIndexPage,
  renderErrorReferencePage,
} from '../../pages/index.ts'
import { type ErrorCode, errorCodes, errorKinds } from '../../platform/errors/index.ts'

/** /errors/{code}: what the `type` of a problem points to. */
export function registerErrorPages(app: FastifyInstance): void {
  app.get('/errors', { schema: { hide: true } }, async (_request, reply) => {
    const codes = errorCodes.map((code) => ({ code, title: errorKinds[code].title, status: errorKinds[code].status }))
    return reply.headers(pageHeaders()).send(renderErrorReferenceIndexPage({ codes }))
  })
  app.get('/errors/:code', { schema: { hide: true } }, async (request, reply) => {
    const { code } = request.params as { code: string }
    const kind = Object.hasOwn(errorKinds, code) ? errorKinds[code as ErrorCode] : null
    reply.headers(pageHeaders())
    if (!kind) {
      const page = {
        realm: null,
        status: 404,
        title: 'Unknown error code',
        message: 'There is no error of this code.',
        reference: request.traceId,
      }
      return reply.code(404).send(renderErrorPage({ ...page, links: [{ label: 'All error codes', href: '/errors' }] }))
    }
    return reply.send(
      renderErrorReferencePage({
        code,
        title: kind.title,
        status: kind.status,
        explanation: kind.explanation,
        whatToDo: kind.remedy,
      }),
    )
  })
}
