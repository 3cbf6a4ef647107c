import { type Readable, Transform } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { AnyAdminRoute, BodyKind, BodySpec } from '../../domain/admin-route/index.ts'
import { DomainError, fieldError } from '../../platform/errors/index.ts'
import { validate } from '../../platform/http/index.ts'
import { isStorable } from '../../platform/text/index.ts'

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

function checkContentType(route: AnyAdminRoute, spec: BodySpec<unknown>, request: FastifyRequest): void {
  // Parts of a form are read on demand, so their body looks like none.
  if (request.body === undefined && !request.isMultipart()) return
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  const accepted = acceptedTypes(route, spec)
  if (!accepted.includes(type)) {
    throw new DomainError('unsupported_media_type', `Send one of: ${accepted.join(', ')}.`)
  }
}

/** Only answers to plain JSON are kept for repeated requests: a stream cannot be compared with the first one. */
export function isPlainBody(spec: BodySpec<unknown> | null): boolean {
  return spec === null || spec.kinds.every((kind) => kind === 'json')
}

export function validateQuery(route: AnyAdminRoute, query: Record<string, string>): unknown {
  const broken = Object.entries(query).find(([, value]) => typeof value === 'string' && !isStorable(value))
  if (broken) throw fieldError(broken[0], 'A text may contain neither NUL nor half a character.')
  if (route.query) return validate(route.query, query)
  const unknown = Object.keys(query).map((field) => ({
    field,
    code: 'unknown_field',
    message: 'There is no such parameter.',
  }))
  if (unknown.length > 0) {
    throw new DomainError('unknown_field', 'This route takes no such parameter.', { fields: unknown })
  }
  return query
}

/** JSON as an object, XML and CSV as text, NDJSON and streams as a bounded stream, a form as `{ file, fields }`. */
export async function readBody(
  route: AnyAdminRoute,
  spec: BodySpec<unknown> | null,
  request: FastifyRequest,
): Promise<unknown> {
  if (!spec) {
    // What was sent was meant to have an effect.
    const empty = request.body === undefined || JSON.stringify(request.body) === '{}'
    if (!empty || request.isMultipart()) throw invalidBody('unknown_field', 'This route takes no body.')
    return undefined
  }
  checkContentType(route, spec, request)
  if (request.isMultipart()) return validate(spec.schema, await readForm(request, spec.limitBytes))
  if (request.body === undefined) return spec.optional ? undefined : validate(spec.schema, {})
  if (isStream(request.body)) return validate(spec.schema, limitStream(request.body, spec.limitBytes))
  // A patch is checked once it is applied to what it changes.
  return route.method === 'PATCH' ? checkPatch(request.body) : validate(spec.schema, request.body)
}

function checkPatch(body: unknown): unknown {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  throw invalidBody('invalid_type', 'A merge patch is a JSON object.')
}

function invalidBody(code: string, message: string): DomainError {
  return new DomainError('validation_failed', message, { fields: [{ field: '', code, message }] })
}

async function readForm(request: FastifyRequest, limitBytes: number) {
  const part = await request.file({ limits: { fileSize: limitBytes } })
  if (!part) throw invalidBody('required', 'The form has no part `file`.')
  const content = await part.toBuffer()
  const fields = Object.entries(part.fields).flatMap(([name, field]) =>
    field && 'value' in field ? [[name, String(field.value)]] : [],
  )
  const file = { name: part.filename, contentType: part.mimetype, content }
  return { file, fields: Object.fromEntries(fields) as Record<string, string> }
}

function isStream(body: unknown): body is Readable {
  return typeof body === 'object' && body !== null && 'pipe' in body
}

/** Ends with 413 once more bytes arrive than the route accepts. */
function limitStream(stream: Readable, limitBytes: number): Readable {
  let read = 0
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length
      if (read <= limitBytes) done(null, chunk)
      else done(new DomainError('payload_too_large', 'The body is larger than this route accepts.'))
    },
  })
  stream.on('error', (error) => limited.destroy(error))
  return stream.pipe(limited)
}
