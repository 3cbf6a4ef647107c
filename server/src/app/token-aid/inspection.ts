import type { DecodedJwt, TokenKind } from './decode.ts'

/** What the integrator expects of the token, from the command line. */
export interface Expectations {
  issuer?: string | undefined
  audience?: string | undefined
  client?: string | undefined
  scope?: string | undefined
  nonce?: string | undefined
  as?: TokenKind | undefined
  proof?: string | undefined
  method?: string | undefined
  url?: string | undefined
  offline: boolean
}

export interface Inspection {
  jwt: DecodedJwt
  kind: TokenKind
  expected: Expectations
  now: () => number
  /** One instant for all checks. */
  nowMs: number
}

// Clocks of machines that are kept right differ by seconds; the service allows clients a little more.
export const skewSeconds = 5
