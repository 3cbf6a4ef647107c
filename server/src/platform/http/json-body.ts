import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { DomainError } from '../errors/index.ts'
import { validate } from './validate.ts'

/** Refuses every other media type: a form of another site could send those (S38). */
export function assertJson({ headers }: FastifyRequest): void {
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/json') throw new DomainError('unsupported_media_type', 'Send application/json.')
}

/** The body of a request for programs, which is JSON and fits its schema (contract 7.1). */
export function readJsonBody<Body>(schema: z.ZodType<Body>, request: FastifyRequest): Body {
  assertJson(request)
  return validate(schema, request.body)
}
