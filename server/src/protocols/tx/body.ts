import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { DomainError, type FieldError } from '../../platform/errors/index.ts'

/** Checks a JSON body against its schema and names every member that is not right (contract 7.1). */
export function readBody<T>(schema: z.ZodType<T>, request: FastifyRequest): T {
  if (!isJson(request)) throw new DomainError('unsupported_media_type', 'Send the body as application/json.')
  const result = schema.safeParse(request.body)
  if (result.success) return result.data
  const fields = result.error.issues.flatMap((issue) => describeIssue(issue))
  const isUnknown = fields.every(({ code }) => code === 'unknown_field')
  throw new DomainError(isUnknown ? 'unknown_field' : 'validation_failed', 'Some members are not valid.', { fields })
}

export function isJson(request: FastifyRequest): boolean {
  return /^application\/json\b/i.test(request.headers['content-type'] ?? '')
}

function describeIssue(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys') {
    const message = 'There is no such member.'
    return issue.keys.map((key) => ({ field: [...path, key].join('.'), code: 'unknown_field', message }))
  }
  const isMissing = issue.code === 'invalid_type' && issue.message.includes('received undefined')
  const code = isMissing ? 'required' : 'invalid'
  return [{ field: path.join('.'), code, message: isMissing ? 'This member is required.' : issue.message }]
}
