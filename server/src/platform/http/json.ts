import { DomainError, fieldError } from '../errors/index.ts'
import { isStorable } from '../text/index.ts'

// Deeper documents are no configuration but an attack on the parser of the next reader.
const maxDepth = 32
const poisoned = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a JSON body: nothing at all is no body; member names that could reach an object's prototype are refused, and so is
 * text that no column can hold.
 */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed(`The body is not JSON: ${(cause as Error).message}`, cause)
  }
  check(value, '', 0)
  return value
}

function check(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string' && !isStorable(value)) {
    throw fieldError(path, 'A text may contain neither NUL nor half a character.')
  }
  if (value === null || typeof value !== 'object') return
  if (depth >= maxDepth) throw malformed(`The body is nested deeper than ${maxDepth} levels.`)
  for (const [name, member] of Object.entries(value)) {
    const isEntry = Array.isArray(value)
    const at = isEntry ? `${path}[${name}]` : path ? `${path}.${name}` : name
    if (!isEntry && poisoned.has(name)) throw malformed(`A member may not be called ${name}.`)
    if (!isStorable(name)) throw fieldError(at.toWellFormed(), 'A name may contain neither NUL nor half a character.')
    check(member, at, depth + 1)
  }
}

function malformed(message: string, cause?: unknown): DomainError {
  return new DomainError('malformed_json', message, { cause, fields: [{ field: '', code: 'malformed_json', message }] })
}
