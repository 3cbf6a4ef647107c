import type { z } from 'zod'
import { DomainError, type FieldError } from '../errors/index.ts'

/** Checks a value against its schema and lists every offending member at once (contract 7.1, 2.1). */
export function validate<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const fields = result.error.issues.flatMap((issue) => fieldsOf(issue))
  const unknownOnly = fields.every((field) => field.code === 'unknown_field')
  const detail =
    fields.length === 1
      ? `${fields[0]!.field || 'The body'}: ${fields[0]!.message}`
      : `${fields.length} members are not valid.`
  throw new DomainError(unknownOnly ? 'unknown_field' : 'validation_failed', detail, { fields })
}

function fieldsOf(issue: z.core.$ZodIssue, base: PropertyKey[] = []): FieldError[] {
  const path = [...base, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: pathText([...path, key]),
      code: 'unknown_field',
      message: 'There is no such member.',
    }))
  }
  // Of the alternatives of a union the one that got furthest helps most; the first is the documented one.
  if (issue.code === 'invalid_union') {
    const nearest = issue.errors.find((errors) => errors.some((inner) => inner.path.length > 0)) ?? issue.errors[0]
    if (nearest?.length) return nearest.flatMap((inner) => fieldsOf(inner, path))
  }
  const missing = issue.code === 'invalid_type' && issue.message.includes('received undefined')
  const code = missing ? 'required' : issue.code === 'custom' ? 'invalid' : issue.code
  return [{ field: pathText(path), code, message: code === 'required' ? 'This member is required.' : issue.message }]
}

/** `options.nameIdFormat`, `redirectUris[1]`. */
function pathText(path: PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text ? `${text}.${String(part)}` : String(part)
  }, '')
}
