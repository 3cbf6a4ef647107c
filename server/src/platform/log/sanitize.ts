// Makes any value safe to log: secrets gone, strings short, depth and width bounded, errors turned into plain members.
import { isSecretName, scrubText } from './secrets.ts'

// Long enough for a stack trace, short enough that a hostile header cannot fill the disk line by line.
export const maxStringLength = 8 * 1024
// One line stays below what log collectors accept (most cut at 256 KiB).
const maxLineLength = 64 * 1024
const maxNodes = 1000
const maxDepth = 8

const redacted = '[redacted]'

interface Budget {
  characters: number
  nodes: number
  // Values on the way down to the current one: a value met again below itself is a cycle.
  path: unknown[]
}

export function createBudget(): Budget {
  return { characters: maxLineLength, nodes: maxNodes, path: [] }
}

export function sanitizeMembers(members: object, budget: Budget = createBudget()): Record<string, unknown> {
  const safe = sanitizeValue(members, budget)
  return typeof safe === 'object' && safe !== null ? (safe as Record<string, unknown>) : { value: safe }
}

export function truncateText(text: string, maxLength: number = maxStringLength): string {
  if (text.length <= maxLength) return text
  // A surrogate pair cut in half would leave an unreadable character at the end.
  const last = text.charCodeAt(maxLength - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength
  return `${text.slice(0, end)}…[${text.length - end} more]`
}

export function sanitizeText(text: string, budget: Budget): string {
  const safe = scrubText(truncateText(text, Math.min(maxStringLength, Math.max(0, budget.characters))))
  budget.characters -= safe.length
  return safe
}

export function sanitizeValue(value: unknown, budget: Budget): unknown {
  if (typeof value === 'string') return sanitizeText(value, budget)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (budget.path.includes(value)) return '[circular]'
  if (budget.path.length >= maxDepth || budget.nodes <= 0) return '[cut]'
  if (Buffer.isBuffer(value) || ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (value instanceof URL) return sanitizeText(value.href, budget)
  budget.path.push(value)
  try {
    if (value instanceof Error) return sanitizeError(value, budget)
    if (Array.isArray(value)) return sanitizeItems(value, budget)
    if (value instanceof Map || value instanceof Set) return sanitizeItems([...value].slice(0, maxNodes), budget)
    return isPlain(value) ? sanitizeObject(value, budget) : describeInstance(value, budget)
  } catch {
    // A getter of somebody else's object may throw; a log line must not.
    return '[unreadable]'
  } finally {
    budget.path.pop()
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

// Requests, replies, sockets and pools drag half the process behind them: a request is known by its method and URL, a reply
// by its status, anything else by its name.
function describeInstance(value: object, budget: Budget): unknown {
  const { method, url, statusCode, constructor } = value as Record<string, unknown>
  if (typeof method === 'string' && typeof url === 'string') return { method, url: sanitizeText(url, budget) }
  if (typeof statusCode === 'number') return { statusCode }
  return `[${typeof constructor === 'function' ? constructor.name.slice(0, 100) : 'object'}]`
}

function sanitizeItems(items: unknown[], budget: Budget): unknown[] {
  const safe: unknown[] = []
  for (const item of items) {
    if (budget.nodes-- <= 0) return [...safe, '[cut]']
    safe.push(sanitizeValue(item, budget))
  }
  return safe
}

function sanitizeObject(value: object, budget: Budget): Record<string, unknown> {
  const safe: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    if (budget.nodes-- <= 0) return { ...safe, cut: true }
    const member = (value as Record<string, unknown>)[name]
    const hide = isSecretName(name) && member !== null && member !== undefined && typeof member !== 'boolean'
    const safeName = truncateText(name, 200)
    budget.characters -= safeName.length
    // Own definition, for a member called __proto__ must stay a member.
    Object.defineProperty(safe, safeName, {
      value: hide ? redacted : sanitizeValue(member, budget),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return safe
}

// Error codes such as ECONNREFUSED or 40001 are kept here although a plain member called `code` is hidden: on an error it
// names the fault, elsewhere it may be an authorization code.
function sanitizeError(error: Error, budget: Budget): Record<string, unknown> {
  const { code, cause } = error as Error & { code?: unknown }
  return {
    type: sanitizeText(error.name, budget),
    message: sanitizeText(error.message, budget),
    ...(typeof code === 'string' && code.length <= 40 ? { code } : {}),
    stack: sanitizeText(String(error.stack ?? ''), budget),
    ...(cause === undefined ? {} : { cause: sanitizeValue(cause, budget) }),
    ...(error instanceof AggregateError ? { errors: sanitizeItems(error.errors, budget) } : {}),
  }
}
