/** Why an outbound call was not made or not finished. The words are stable: callers and audit events carry them. */
export type EgressReason =
  | 'blocked_address'
  | 'timeout'
  | 'too_large'
  | 'redirect'
  | 'tls_required'
  | 'bad_url'
  | 'network'

/** The texts name no address: a caller who may choose the URL must not learn what the name resolves to in here. */
const messages: Record<EgressReason, string> = {
  blocked_address: 'The host is at an address that outbound calls may not reach.',
  timeout: 'The host did not answer in time.',
  too_large: 'The answer is larger than allowed.',
  redirect: 'The host answered with a redirect, which is never followed.',
  tls_required: 'The call must be encrypted with TLS.',
  bad_url: 'The address is not a valid URL for an outbound call.',
  network: 'The host could not be reached.',
}

export class EgressError extends Error {
  readonly reason: EgressReason
  /** True when there was no connection to send anything over; false when the other side may have heard it. */
  readonly unsent: boolean

  constructor(reason: EgressReason, options: { message?: string; cause?: unknown; unsent?: boolean } = {}) {
    super(options.message ?? messages[reason], { cause: options.cause })
    this.name = 'EgressError'
    this.reason = reason
    this.unsent = options.unsent ?? false
  }
}
