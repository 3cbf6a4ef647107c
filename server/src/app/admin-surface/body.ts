import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AnyAdminRoute, BodyKind, BodySpec } from '../../domain/admin-route/index.ts'
import { DomainError } from '../../platform/errors/index.ts'

// Contract 2.9.
const jsonLimitBytes = 1024 * 1024

const contentTypes: Record<BodyKind, string[]> = {
  json: ['application/json'],
  xml: ['application/xml', 'text/xml', 'application/samlmetadata+xml'],
  ndjson: ['application/x-ndjson'],
  csv: ['text/csv'],
  multipart: ['multipart/form-data'],
  stream: ['application/octet-stream'],
}

export function bodySpecOf(route: AnyAdminRoute): BodySpec<unknown> | null {
  if (!route.body) return null
  if ('kinds' in route.body) return route.body
  // A body whose members are all optional may be missing (contract 0.6).
  return { kinds: ['json'], limitBytes: jsonLimitBytes, schema: route.body as z.ZodType }
}

export function acceptedTypes(route: AnyAdminRoute, spec: BodySpec<unknown>): string[] {
  if (route.method === 'PATCH') return ['application/merge-patch+json', 'application/json']
  return spec.kinds.flatMap((kind) => contentTypes[kind])
}

export function checkContentType(route: AnyAdminRoute, spec: BodySpec<unknown>, request: FastifyRequest): void {
  // Parts of a form are read on demand, so their body looks like none.
  if (request.body === undefined && !request.isMultipart()) return
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  const accepted = acceptedTypes(route, spec)
  if (!accepted.includes(type)) {
    throw new DomainError('unsupported_media_type', `Send one of: ${accepted.join(', ')}.`)
  }
}
