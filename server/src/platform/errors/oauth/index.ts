// The error codes of OAuth and OpenID Connect: what each means here, what is usually behind it and which setting to change.
// Contract 4.31; RFC 6749, 6750, 7591, 8628, 8707, 9101, 9126, 9449, 9470, OpenID Connect Core and CIBA.
// Feeds the pages at /errors, docs/integrate/errors.md and `gatehouse token explain`; tests keep it equal to what is answered.
import { accessCodes } from './access.ts'
import { authorizationCodes } from './authorization.ts'
import { oauthHints } from './hints.ts'
import type { OauthErrorKind, OauthHint } from './kind.ts'
import { requestCodes } from './requests.ts'
import { tokenCodes } from './token.ts'

export { oauthHints } from './hints.ts'
export type { OauthCause, OauthErrorKind, OauthHint, OauthPlace } from './kind.ts'

/** Codes that the standards know and this service never answers with: whoever sees one talks to another server. */
export const foreignOauthCodes: Record<string, string> = {
  account_selection_required: 'OpenID Connect Core, 3.1.2.6',
  missing_user_code: 'CIBA 13',
  invalid_user_code: 'CIBA 13',
  expired_login_hint_token: 'CIBA 13',
  transaction_failed: 'CIBA 12',
  invalid_software_statement: 'RFC 7591, 3.2.2',
  unapproved_software_statement: 'RFC 7591, 3.2.2',
  unsupported_token_type: 'RFC 7009, 2.2.1',
  invalid_authorization_details: 'RFC 9396, 5',
}

const kinds: Record<string, OauthErrorKind> = { ...requestCodes, ...authorizationCodes, ...tokenCodes, ...accessCodes }

export const oauthErrorCodes: string[] = Object.keys(kinds)

export function findOauthError(code: string): OauthErrorKind | null {
  return Object.hasOwn(kinds, code) ? kinds[code]! : null
}

/** What the description of an answer says more exactly than its code. */
export function findOauthHint(description: string): OauthHint | null {
  const text = description.toLowerCase()
  return oauthHints.find(({ says }) => text.includes(says.toLowerCase())) ?? null
}
