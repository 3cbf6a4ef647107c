/** What the issuer alone says about a token (contract 2.98). */
const reserved = new Set([
  ...['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'azp', 'client_id', 'act', 'nhi', 'cnf', 'scope'],
  // These bind an ID token to its request; a mapper could only break that.
  ...['nonce', 'at_hash', 'c_hash', 's_hash'],
  // By these we find the grant of our own access tokens, and what userinfo may say: a mapper could claim another's.
  ...['gid', 'uic', 'offline', 'xch'],
])

/** How and when the person signed in: only the session itself may say that. */
const sessionClaims = new Set(['auth_time', 'acr', 'amr', 'sid'])

/** Parts that would reach the prototype of an object rather than a member of it. */
const unsafeParts = new Set(['__proto__', 'constructor', 'prototype'])

export const clientIdPlaceholder = '{clientId}'

/**
 * `realm_access.roles` is a member of a member. A name that is a URI, as OpenID Connect Core 5.1.2 advises for private claims,
 * is one name with all its dots; elsewhere `\.` is a dot that does not nest.
 */
export function splitClaim(claim: string): string[] {
  if (/^[a-z][a-z0-9+-]*:/i.test(claim)) return [claim]
  return claim.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'))
}

/** The member of a token that a claim is, or is within. */
export function topLevelClaim(claim: string): string {
  return splitClaim(claim)[0] ?? ''
}

export function isSafePart(part: string): boolean {
  return part !== '' && !unsafeParts.has(part)
}

/** `source` decides about the claims that only a session may fill. */
export function isReservedClaim(claim: string, source?: string): boolean {
  const [first = ''] = splitClaim(claim)
  return reserved.has(first) || (sessionClaims.has(first) && source !== 'SESSION')
}
