import { DomainError } from '../errors/index.ts'

// Deeper documents are no configuration but an attack on the parser of the next reader.
const maxDepth = 32
const poisoned = new Set(['__proto__', 'constructor', 'prototype'])

/** Reads a JSON body: nothing at all is no body; member names that could reach an object's prototype are refused. */
export function parseJsonBody(text: string): unknown {
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw malformed(`The body is not JSON: ${(cause as Error).message}`, cause)
  }
  checkDepth(value, 0)
  return value
}

function checkDepth(value: unknown, depth: number): void {
  if (value === null || typeof value !== 'object') return
  if (depth >= maxDepth) throw malformed(`The body is nested deeper than ${maxDepth} levels.`)
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value) && poisoned.has(name)) throw malformed(`A member may not be called ${name}.`)
    checkDepth(member, depth + 1)
  }
}

function malformed(message: string, cause?: unknown): DomainError {
  return new DomainError('malformed_json', message, { cause, fields: [{ field: '', code: 'malformed_json', message }] })
}
