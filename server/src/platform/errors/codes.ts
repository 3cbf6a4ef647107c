/** Every machine-readable error code (contract 7.2) with the text of its page at /errors/{code}. */
export interface ErrorKind {
  status: number
  title: string
  /** What happened, for the person who reads the error page. */
  explanation: string
  /** What the caller can do about it. */
  remedy: string
}

const kinds = {
  validation_failed: {
    status: 400,
    title: 'Validation failed',
    explanation: 'The request was understood, but one or more of its members are not valid.',
    remedy: 'Read `errors`: each entry names the offending field, a code and what is expected there.',
  },
  unknown_field: {
    status: 400,
    title: 'Unknown field',
    explanation: 'The body has a member that this route does not know. Typos must never pass silently.',
    remedy: 'Remove or rename the members listed in `errors`; the API description lists the valid ones.',
  },
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    explanation: 'The body could not be read as JSON.',
    remedy: 'Check quotes, commas and brackets, and send `Content-Type: application/json`.',
  },
  flow_unsafe: {
    status: 400,
    title: 'Unsafe flow',
    explanation:
      'The authentication flow would lock out every administrator of the realm, or let people in who proved nothing.',
    remedy: 'Keep at least one way for an administrator to complete the flow.',
  },
  import_failed: {
    status: 400,
    title: 'Import failed',
    explanation: 'The import could not be applied as a whole, so nothing was changed.',
    remedy: 'Read the report, correct the document, and try with `dryRun=true` first.',
  },
  password_policy: {
    status: 400,
    title: 'Password does not meet the policy',
    explanation: 'The password breaks a rule of the realm’s password policy.',
    remedy: 'Choose a password that meets every rule named in `errors`.',
  },
  password_history: {
    status: 400,
    title: 'Password was used before',
    explanation: 'The password equals one of the user’s recent passwords.',
    remedy: 'Choose a password that was not used recently.',
  },
  password_breached: {
    status: 400,
    title: 'Password is publicly known',
    explanation: 'The password appears in a list of passwords known to attackers.',
    remedy: 'Choose another password; length helps more than special characters.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not signed in',
    explanation: 'The request carries no valid session of this realm.',
    remedy: 'Sign in at /realms/{realm}/login and send the session cookie.',
  },
  session_expired: {
    status: 401,
    title: 'Session expired',
    explanation: 'The session has ended: it was idle too long, reached its end, or was revoked.',
    remedy: 'Sign in again.',
  },
  reauthentication_required: {
    status: 401,
    title: 'Sign in again to do this',
    explanation: 'This action needs a recent sign-in.',
    remedy: 'Sign in again and repeat the request within fifteen minutes.',
  },
  insufficient_user_authentication: {
    status: 401,
    title: 'Prove once more who you are',
    explanation:
      'Changing how an account is opened, or ending it, needs a sign-in of the last five minutes (RFC 9470).',
    remedy:
      'Sign in again, with a token: by an authorization request with `max_age=300` or `prompt=login`, and repeat the request.',
  },
  csrf_invalid: {
    status: 403,
    title: 'CSRF token missing or stale',
    explanation: 'A write must carry the header X-XSRF-TOKEN with the current value of the cookie XSRF-TOKEN.',
    remedy: 'Read the cookie again (any GET refreshes it) and send its value in the header.',
  },
  forbidden: {
    status: 403,
    title: 'Permission missing',
    explanation: 'You are signed in, but none of your roles holds the permission that this route needs.',
    remedy: 'Ask an administrator of the realm to grant one of the permissions named in `detail`.',
  },
  escalation: {
    status: 403,
    title: 'More than you hold',
    explanation: 'Nobody may grant a permission they do not hold, nor act on a user who holds more than they do.',
    remedy: 'Ask an administrator who holds the permissions in question.',
  },
  realm_disabled: {
    status: 403,
    title: 'Realm disabled',
    explanation: 'This realm was disabled by an administrator of the system realm.',
    remedy: 'Ask an administrator of the system realm to enable it.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    explanation: 'There is nothing at this address in this realm.',
    remedy: 'Check the identifier; identifiers of other realms are never visible here.',
  },
  realm_not_found: {
    status: 404,
    title: 'Unknown realm',
    explanation: 'There is no realm of this name.',
    remedy: 'Check the name in the path; names are lower case.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The address exists but does not answer this HTTP method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    explanation: 'The value must be unique and is taken, or the request contradicts the current state.',
    remedy: 'Read `errors` for the member in question and choose another value.',
  },
  protected: {
    status: 409,
    title: 'Protected',
    explanation: 'This object is needed by the service and cannot be removed or changed this way.',
    remedy: 'Read `detail`: it names what must change first, if anything can.',
  },
  key_active: {
    status: 409,
    title: 'The key is in use',
    explanation: 'The ACTIVE signing key cannot be deleted.',
    remedy: 'Rotate first with POST /keys/rotate, then delete the retired key.',
  },
  invalid_transition: {
    status: 409,
    title: 'Not possible in this state',
    explanation: 'The object is in a state from which this move does not exist.',
    remedy: 'Read `detail`: it names the current state and the one asked for.',
  },
  last_admin: {
    status: 409,
    title: 'Last administrator',
    explanation: 'The change would leave the realm without an enabled holder of realm-admin.',
    remedy: 'Give realm-admin to another enabled user first.',
  },
  legal_hold: {
    status: 409,
    title: 'Legal hold',
    explanation: 'The user is under a legal hold and cannot be erased.',
    remedy: 'Lift the hold first: clear the attribute legalHold.',
  },
  no_provider: {
    status: 409,
    title: 'No provider',
    explanation: 'No enabled messaging provider can deliver this message.',
    remedy: 'Configure and enable a provider for the channel.',
  },
  already_consumed: {
    status: 409,
    title: 'Already consumed',
    explanation: 'The transaction was consumed before; it can be consumed once only.',
    remedy: 'Create a new transaction.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    explanation: 'The realm holds as many objects of this kind as it may.',
    remedy: 'Remove unused ones, or ask the operator to raise the limit.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed meanwhile',
    explanation: 'The object was changed since you read it: its ETag is not the one in If-Match.',
    remedy: 'Read it again, apply your change to the new version, and repeat.',
  },
  payload_too_large: {
    status: 413,
    title: 'Too large',
    explanation: 'The request is larger than this route accepts.',
    remedy: 'Send less at once; the API description gives the limit of each route.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    explanation: 'The route does not accept a body of this content type.',
    remedy: 'Send one of the content types that the API description lists for it.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    explanation: 'There were too many attempts in a short time.',
    remedy: 'Wait as many seconds as `Retry-After` says, then try again.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    explanation: 'Something went wrong on our side. Nothing was changed.',
    remedy: 'Try again; if it stays, give the operator the `traceId`.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    explanation: 'The service is busy, or a part it needs cannot be reached at the moment.',
    remedy: 'Wait as many seconds as `Retry-After` says, then try again.',
  },
} satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof kinds
export const errorKinds: Record<ErrorCode, ErrorKind> = kinds
export const errorCodes = Object.keys(kinds) as ErrorCode[]
