import { asUnavailable } from '../db/index.ts'
import { DomainError, type ErrorCode, errorKinds, type FieldError } from '../errors/index.ts'

export interface Problem {
  type: string
  title: string
  status: number
  detail: string
  instance: string
  code: ErrorCode
  errors?: FieldError[]
  traceId: string
}

/** What an error looks like to a caller of the admin or account surface (RFC 9457, contract 7.1). */
export function toProblem(error: DomainError, at: { baseUrl: string; instance: string; traceId: string }): Problem {
  return {
    type: `${at.baseUrl}/errors/${error.code}`,
    title: errorKinds[error.code].title,
    status: error.status,
    detail: error.detail,
    instance: at.instance,
    code: error.code,
    // Always there on a 400; elsewhere where a member is to blame.
    ...(error.status === 400 || error.fields.length > 0 ? { errors: error.fields } : {}),
    traceId: at.traceId,
  }
}

interface HttpFailure {
  statusCode?: number
  code?: string
  message?: string
}

/** Everything that can go wrong becomes one of our codes; what is not known is internal and tells nothing. */
export function toDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error
  // Also from a read outside any transaction: wherever the database was lost, the caller is told to come back.
  const translated = asUnavailable(error)
  if (translated instanceof DomainError) return translated
  const { statusCode, code = '', message = '' } = (error ?? {}) as HttpFailure
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new DomainError('payload_too_large', 'The body is larger than this route accepts.', { cause: error })
  }
  if (statusCode === 415) {
    return new DomainError('unsupported_media_type', 'The route does not accept a body of this content type.', {
      cause: error,
    })
  }
  if (statusCode === 400) {
    const malformed = { field: '', code: 'malformed', message: message || 'The request could not be read.' }
    return new DomainError('malformed_json', 'The request could not be read.', { cause: error, fields: [malformed] })
  }
  return new DomainError('internal_error', 'Something went wrong on our side. Nothing was changed.', { cause: error })
}
