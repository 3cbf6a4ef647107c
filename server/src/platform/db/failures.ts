import { DomainError } from '../errors/index.ts'

interface DatabaseFailure {
  code?: string
  message?: string
  constraint?: string
}

// Serialisation failure and deadlock.
const retryable = new Set(['40001', '40P01'])
// Connection exceptions (08…), operator intervention (57P…), too many connections, read-only after a fail-over, cannot connect.
const lost = /^(08|57P|53300|25006)/
const network = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'])
const lostMessage =
  /connection terminated|not queryable|timeout exceeded when trying to connect|Query read timeout|server_login_retry|pooler/i

export function isRetryable(error: unknown): boolean {
  return retryable.has((error as DatabaseFailure)?.code ?? '')
}

export function isDatabaseLost(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as DatabaseFailure
  return lost.test(code) || network.has(code) || lostMessage.test(message)
}

/** A lost database is answered 503 with Retry-After, never 500 with the text of a statement. */
export function asUnavailable(error: unknown): unknown {
  if (!isDatabaseLost(error) && !isRetryable(error)) return error
  return new DomainError('unavailable', 'The database cannot be reached at the moment.', {
    cause: error,
    retryAfterSeconds: 2,
  })
}

/** The name of the unique constraint that a write broke, or null. */
export function brokenUnique(error: unknown): string | null {
  const failure = error as DatabaseFailure
  return failure?.code === '23505' ? (failure.constraint ?? '') : null
}

/** True when a write named a row that does not exist (any more). */
export function isForeignKeyBroken(error: unknown): boolean {
  return (error as DatabaseFailure)?.code === '23503'
}
