export type RefusalKind =
  /** The document, or its host, says something that cannot be accepted. */
  | 'INVALID'
  /** Nothing was said: the host is away, or in trouble. */
  | 'UNREACHABLE'
  /** Too many documents were asked for; nobody was asked. */
  | 'LIMITED'

/** Why a client is not known by its document. The message is for the developer of the application, the cause for the log. */
export class DocumentRefusal extends Error {
  readonly kind: RefusalKind
  readonly retryAfterSeconds: number | null

  constructor(kind: RefusalKind, message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, { cause: options.cause })
    this.name = 'DocumentRefusal'
    this.kind = kind
    this.retryAfterSeconds = options.retryAfterSeconds ?? null
  }
}
