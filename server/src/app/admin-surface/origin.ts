import type { FastifyRequest } from 'fastify'

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
