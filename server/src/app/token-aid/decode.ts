import { UsageError } from './io.ts'

export type Json = Record<string, unknown>

export interface DecodedJwt {
  token: string
  header: Json
  claims: Json
  signed: boolean
}

export type TokenKind =
  | 'access-token'
  | 'id-token'
  | 'logout-token'
  | 'client-assertion'
  | 'dpop-proof'
  | 'request-object'
  | 'jwt'
  | 'encrypted'
  | 'opaque'

export const kindNames: Record<TokenKind, string> = {
  'access-token': 'Access token (RFC 9068)',
  'id-token': 'ID token (OpenID Connect Core)',
  'logout-token': 'Logout token (OpenID Connect Back-Channel Logout)',
  'client-assertion': 'Client assertion, private_key_jwt (RFC 7523)',
  'dpop-proof': 'DPoP proof (RFC 9449)',
  'request-object': 'Request object, JAR (RFC 9101)',
  jwt: 'A signed JWT of no kind known here',
  encrypted: 'Encrypted JWT (JWE)',
  opaque: 'Opaque value',
}

/** What somebody can have in mind; the others say that it is nothing of ours. */
export const expectableKinds = [
  ...(['access-token', 'id-token', 'logout-token', 'client-assertion', 'dpop-proof', 'request-object'] as const),
] satisfies TokenKind[]

// Larger than any header line that a server takes.
const maxToken = 64 * 1024

/** What was given, without what people copy along with it. */
export function cleanToken(text: string): string {
  const token = text
    .trim()
    .replace(/^(authorization:\s*)?(bearer|dpop)\s+/i, '')
    .replace(/^["']|["']$/g, '')
  if (token === '') throw new UsageError('there is no token')
  if (token.length > maxToken) throw new UsageError(`a token of more than ${maxToken / 1024} KiB is not looked at`)
  return token
}

/** Null when it is no JWT: then only the issuer can say what it is. */
export function decodeJwt(token: string): DecodedJwt | null {
  const parts = token.split('.')
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]*$/.test(part))) return null
  const [header, claims] = parts.slice(0, 2).map(readObject)
  return header && claims ? { token, header, claims, signed: parts[2] !== '' } : null
}

function readObject(part: string): Json | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
  } catch {
    return null
  }
}

const kindsByType: Record<string, TokenKind> = {
  'at+jwt': 'access-token',
  'logout+jwt': 'logout-token',
  'dpop+jwt': 'dpop-proof',
  'oauth-authz-req+jwt': 'request-object',
  'client-authentication+jwt': 'client-assertion',
}

/** The type of the header decides; JWTs without one are told by their claims. */
export function recogniseKind({ header, claims }: DecodedJwt): TokenKind {
  const type = typeOf(header)
  if (Object.hasOwn(kindsByType, type)) return kindsByType[type]!
  if (typeof claims.events === 'object' && claims.events !== null) return 'logout-token'
  if ('htm' in claims && 'htu' in claims) return 'dpop-proof'
  if ('response_type' in claims || 'redirect_uri' in claims) return 'request-object'
  const { iss, sub } = claims
  if (iss !== undefined && iss === sub) return 'client-assertion'
  if (iss !== undefined && sub !== undefined && claims.aud !== undefined) return 'id-token'
  return 'jwt'
}

/** `application/at+jwt` and `AT+JWT` are the same type (RFC 7515, 4.1.9). */
export function typeOf(header: Json): string {
  return typeof header.typ === 'string' ? header.typ.toLowerCase().replace(/^application\//, '') : ''
}

export function recogniseOpaque(token: string): 'encrypted' | 'opaque' {
  return token.split('.').length === 5 ? 'encrypted' : 'opaque'
}

export function listOf(value: unknown): string[] {
  return [value].flat().filter((entry): entry is string => typeof entry === 'string')
}

export function wordsOf(value: unknown): string[] {
  return typeof value === 'string' ? value.split(' ').filter(Boolean) : []
}
