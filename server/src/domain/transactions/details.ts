// What may be signed: one object, small enough to be read by a person, made only of what every reader of JSON reads alike.
import { fieldError } from '../../platform/errors/index.ts'
import { canonicalJson, isStorable } from '../../platform/text/index.ts'

/** One authorization_details object (RFC 9396). */
export type Details = Record<string, unknown>

// A person has to see all of it on one page.
const maxDepth = 8
const maxBytes = 16 * 1024
const maxTextLength = 4096
const maxNameLength = 128

/** The canonical text of the details: what is hashed, kept and shown. Refuses what could be read in two ways. */
export function canonicaliseDetails(details: Details, type: string): string {
  checkValue(details, 'details', 1)
  if (Object.hasOwn(details, 'type') && details.type !== type) {
    throw fieldError('details.type', 'details.type must be the type of the transaction (RFC 9396 section 2).')
  }
  const text = canonicalJson(details)
  if (Buffer.byteLength(text) > maxBytes) {
    throw fieldError('details', `The details have at most ${maxBytes} bytes in canonical form.`, 'too_big')
  }
  return text
}

export function parseDetails(canonical: string): Details {
  return JSON.parse(canonical) as Details
}

function checkValue(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string') checkText(value, path)
  else if (typeof value === 'number') checkNumber(value, path)
  else if (typeof value === 'object' && value !== null) checkMembers(value, path, depth)
}

function checkMembers(value: object, path: string, depth: number): void {
  if (depth > maxDepth) throw fieldError(path, `The details are nested at most ${maxDepth} levels deep.`)
  for (const [name, member] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    if (name.length > maxNameLength) throw fieldError(path, `A name has at most ${maxNameLength} characters.`)
    if (!isStorable(name)) throw fieldError(path, 'A name may contain neither NUL nor half a character.')
    checkValue(member, at, depth + 1)
  }
}

function checkText(text: string, path: string): void {
  if (text.length > maxTextLength) {
    throw fieldError(path, `A text has at most ${maxTextLength} characters.`, 'too_big')
  }
  if (!isStorable(text)) throw fieldError(path, 'A text may contain neither NUL nor half a character.')
}

/** A whole number beyond these is not the one that was sent: RFC 8785 section 3.2.2.3 would have it written as a text. */
function checkNumber(value: number, path: string): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw fieldError(path, 'The number is too large to be kept exactly: send it as a text.')
  }
}
