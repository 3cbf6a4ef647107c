// The one error type that domain code throws, and the catalogue of its codes.
// Specification part 7, contract 7.1-7.4; problem details are RFC 9457.
// Every folder throws it; each surface renders it in its own dialect.
import { type ErrorCode, errorKinds } from './codes.ts'

export { type ErrorCode, type ErrorKind, errorCodes, errorKinds } from './codes.ts'

export interface FieldError {
  /** JSON path of the member, such as `redirectUris[1]`. */
  field: string
  code: string
  message: string
}

export interface DomainErrorOptions {
  fields?: FieldError[]
  /** Only logged, never shown. */
  cause?: unknown
  retryAfterSeconds?: number
}

export class DomainError extends Error {
  readonly code: ErrorCode
  readonly status: number
  /** Public: it may be shown to the caller. */
  readonly detail: string
  readonly fields: FieldError[]
  readonly retryAfterSeconds: number | null

  constructor(code: ErrorCode, detail: string, options: DomainErrorOptions = {}) {
    super(`${code}: ${detail}`, { cause: options.cause })
    this.name = 'DomainError'
    this.code = code
    this.status = errorKinds[code].status
    this.detail = detail
    this.fields = options.fields ?? []
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}

/** A 400 about one member. */
export function fieldError(field: string, message: string, code = 'invalid'): DomainError {
  return new DomainError('validation_failed', message, { fields: [{ field, code, message }] })
}

/** A 409 about one member whose value is taken. */
export function conflictError(field: string, message: string): DomainError {
  return new DomainError('conflict', message, { fields: [{ field, code: 'conflict', message }] })
}

/** The one answer for everything that is not in this realm; never tells why, so that other realms stay invisible. */
export function notFound(): DomainError {
  return new DomainError('not_found', 'There is nothing at this address in this realm.')
}
