import type { FastifyReply, FastifyRequest } from 'fastify'
import { constantTimeEqual } from '../../platform/crypto/index.ts'
import { DomainError } from '../../platform/errors/index.ts'
import type { Services } from '../context/index.ts'
import { anonymousCsrf, csrfToken, ownSessionTokenOf, sessionTokenOf, xsrfCookie } from './cookies.ts'

export interface Browser {
  /** The secret cookie this browser is bound by: what continuations and sign-ins are tied to. */
  secret: string
  /** What the form's _csrf must be. */
  csrf: string
  /** The cookie of the realm session this request counts as, if one was sent. Whether it is still valid is another question. */
  sessionToken: string | null
  /** That of the session this browser signed in to; another one while an administrator acts as somebody. */
  ownSessionToken: string | null
  /** Cookies to set so that the next request passes. */
  cookies: string[]
}

/** The CSRF token belongs to the session where there is one, else to an anonymous cookie made with it (contract 4.5). */
export function readBrowser(services: Services, request: FastifyRequest, realmId: string): Browser {
  const { secure } = services.config
  const sessionToken = sessionTokenOf(secure, request.cookies, realmId)
  const ownSessionToken = ownSessionTokenOf(secure, request.cookies, realmId)
  const anonymous = anonymousCsrf(secure, request.cookies)
  const csrf = sessionToken ? csrfToken(sessionToken) : anonymous.token
  const cookies = anonymous.cookie ? [anonymous.cookie] : []
  if (request.cookies['XSRF-TOKEN'] !== csrf) cookies.push(xsrfCookie(secure, csrf))
  return { secret: anonymous.secret, csrf, sessionToken, ownSessionToken, cookies }
}

export function setCookies(reply: FastifyReply, cookies: string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}

/**
 * True when a browser says that the request comes from another site. Programs send neither header and pass: they are not tricked
 * into sending cookies (contract 4.5).
 */
export function isForeignOrigin(baseUrl: string, request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return true
  const origin = request.headers.origin
  return origin !== undefined && origin !== new URL(baseUrl).origin
}

/** Whether a form was sent from our page in this browser: asked of the sign-in itself too, so that nobody is signed in as another. */
export function isOwnForm(
  services: Services,
  request: FastifyRequest,
  expected: string,
  sent: string | undefined,
): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  // Privacy settings of a browser may hide the origin of our own form; it says same-origin all the same.
  const hidden = origin === 'null' && site === 'same-origin'
  const foreign = !hidden && isForeignOrigin(services.config.baseUrl, request)
  return !foreign && sent !== undefined && constantTimeEqual(sent, expected)
}

export function staleForm(): DomainError {
  return new DomainError('csrf_invalid', 'The form is stale or comes from another site. Open the sign-in page again.')
}
