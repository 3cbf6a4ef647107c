import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { DomainError } from '../../platform/errors/index.ts'

/** What was sent, or a 400 that names every parameter in question. */
export function readQuery<Query>(schema: z.ZodType<Query>, query: unknown): Query {
  const result = schema.safeParse(query)
  if (result.success) return result.data
  throw new DomainError('validation_failed', 'Some of the parameters are not valid.', {
    fields: fieldsOf(result.error),
  })
}

/** The same of the members of a body, which is JSON and nothing else: a form of another site could send the rest (S38). */
export function readBody<Body>(schema: z.ZodType<Body>, request: FastifyRequest): Body {
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/json\b/i.test(type)) {
    throw new DomainError('unsupported_media_type', 'Send application/json.')
  }
  const result = schema.safeParse(request.body ?? {})
  if (result.success) return result.data
  const isUnknown = result.error.issues.every(({ code }) => code === 'unrecognized_keys')
  const fields = fieldsOf(result.error)
  throw isUnknown
    ? new DomainError('unknown_field', 'There are no such members.', { fields })
    : new DomainError('validation_failed', 'Some of the members are not valid.', { fields })
}

function fieldsOf(error: z.ZodError) {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String)
    const names = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...path, key]) : [path]
    return names.map((name) => ({ field: name.join('.'), code: 'invalid', message: issue.message }))
  })
}
