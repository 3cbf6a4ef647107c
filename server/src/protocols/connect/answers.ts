import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RegistrationFault } from '../../domain/registration/index.ts'
import type { PageKit } from '../../pages/page-kit.ts'
import type { DomainError } from '../../platform/errors/index.ts'

const statuses = { invalid_redirect_uri: 400, invalid_client_metadata: 400, invalid_token: 401, access_denied: 403 }

export function sendError(reply: FastifyReply, status: number, error: string, description: string): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ error, error_description: description }))
}

/** RFC 7591 section 3.2.2; a token that is of no use is told as RFC 6750 section 3 does. */
export function sendFault(reply: FastifyReply, fault: RegistrationFault, hadToken: boolean): FastifyReply {
  if (fault.error === 'invalid_token') {
    reply.header('www-authenticate', hadToken ? 'Bearer error="invalid_token"' : 'Bearer')
  }
  return sendError(reply, statuses[fault.error], fault.error, fault.description)
}

/** What goes wrong before or beside a registration, in the words that clients of OAuth understand. */
export function renderConnectError(kit: PageKit) {
  return (request: FastifyRequest, reply: FastifyReply, error: DomainError): unknown => {
    switch (error.code) {
      case 'realm_not_found':
      case 'realm_disabled':
        return kit.renderError(request, reply, error)
      case 'unavailable':
        return sendError(reply, error.status, 'temporarily_unavailable', error.detail)
      case 'internal_error':
        return sendError(reply, error.status, 'server_error', error.detail)
      default:
        return sendError(reply, error.status, 'invalid_client_metadata', error.detail)
    }
  }
}
