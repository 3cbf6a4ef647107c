import { createPublicKey, hash } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { readProtocolClient } from '../../domain/clients/index.ts'
import { readConsent } from '../../domain/consents/index.ts'
import type { Services } from '../../domain/context/index.ts'
import { mayStillActFor } from '../../domain/sessions/index.ts'
import { keysSection, type PublicSigningKey } from '../../domain/keys/index.ts'
import { modelId, readTokenState, type TokenStateRow, toTokenUser } from '../../domain/tokens/index.ts'
import { runRead } from '../../platform/db/index.ts'
import type { IssuerParts } from './issuer.ts'
import { tokenAlgorithms } from './profiles/algorithms.ts'

/** The claims of an access token of ours, with those that only we read: its grant, and what userinfo was asked for by name. */
export interface AccessClaims extends JWTPayload {
  jti: string
  iat: number
  exp: number
  client_id: string
  scope?: string
  gid?: string
  /** Outlives the session it came from. */
  offline?: boolean
  uic?: string[]
  sid?: string
  cnf?: { jkt?: string; 'x5t#S256'?: string }
  /** What an exchanged token came from: names of revocations that void it, and the client it was first issued to. */
  xch?: { from: string[]; origin?: string }
}

export type PublicJwk = { kty: string; n: string; e: string; kid: string; use: 'sig'; alg?: string }

const jwkCache = new LRUCache<string, PublicJwk>({ max: 20_000 })

/** A key as verifiers read it. The algorithm is left out where the realm signs with more than one (contract 2.62). */
export function toPublicJwk(key: PublicSigningKey, alg: string | null): PublicJwk {
  const cacheKey = `${key.keyId}:${alg ?? ''}`
  let jwk = jwkCache.get(cacheKey)
  if (!jwk) {
    const der = Buffer.from(key.publicKey, 'base64')
    const { n, e } = createPublicKey({ key: der, format: 'der', type: 'spki' }).export({ format: 'jwk' })
    jwk = { kty: 'RSA', use: 'sig', ...(alg ? { alg } : {}), kid: key.keyId, n: n!, e: e! }
    jwkCache.set(cacheKey, jwk)
  }
  return jwk
}

// Enough for the tokens in use at a time on a busy node; each entry is some hundred bytes.
const verified = new LRUCache<string, { kid: string; claims: AccessClaims }>({ max: 10_000 })

export type Verifier = (token: string) => Promise<AccessClaims | null>

/** Checks signature, issuer, type and times. A key that this node has not heard of yet makes it look at the realm again. */
export function createVerifier(services: Services, parts: Pick<IssuerParts, 'issuer' | 'keys' | 'realmId'>): Verifier {
  const check = createCheck(parts.issuer, parts.keys)
  const kids = new Set(parts.keys.map((key) => key.keyId))
  return async (token) => {
    const claims = await check(token)
    const kid = claims === null ? keyIdOf(token) : null
    if (kid === null || kids.has(kid)) return claims
    const realm = await services.snapshots.refresh(parts.realmId)
    const keys = realm ? await realm.section(keysSection) : []
    return keys.some((key) => key.keyId === kid) ? createCheck(parts.issuer, keys)(token) : null
  }
}

/** A signature that was checked once need not be again while its key is in use. */
function createCheck(issuer: string, keys: PublicSigningKey[]): Verifier {
  const kids = new Set(keys.map((key) => key.keyId))
  const keySet = createLocalJWKSet({ keys: keys.map((key) => toPublicJwk(key, null)) })
  const requiredClaims = ['jti', 'exp', 'iat', 'client_id']
  return async (token) => {
    const id = `${issuer}:${hash('sha256', token, 'base64url')}`
    const known = verified.get(id)
    const now = Math.floor(Date.now() / 1000)
    if (known && kids.has(known.kid) && known.claims.exp > now) return known.claims
    try {
      const options = { issuer, typ: 'at+jwt', algorithms: tokenAlgorithms, requiredClaims }
      const { payload, protectedHeader } = await jwtVerify(token, keySet, options)
      const claims = payload as AccessClaims
      verified.set(id, { kid: protectedHeader.kid!, claims })
      return claims
    } catch {
      return null
    }
  }
}

/** The key a token says it was signed with; null when it cannot be read. */
export function keyIdOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null
  } catch {
    return null
  }
}

export interface LiveToken {
  claims: AccessClaims
  state: TokenStateRow
  /** The person or service account the token speaks for; null for a client without one. */
  userId: string | null
}

/** Asks the primary whether a token that verifies still counts: revoked, person or client gone or disabled (S12). */
export async function readLiveToken(
  services: Services,
  realmId: string,
  claims: AccessClaims,
): Promise<LiveToken | null> {
  const subjects = [`jti:${claims.jti}`, `client:${claims.client_id}`, 'realm', ...(claims.xch?.from ?? [])]
  // An exchanged token speaks for whom it spoke for at the client it came from, and ends with that client, too.
  const clientId = claims.xch?.origin ?? claims.client_id
  const grantId = claims.gid ? modelId('Grant', claims.gid) : null
  const state = await runRead(() => readTokenState(services.db, realmId, { subjects, grantId, clientId }))
  if (!state?.client_enabled) return null
  if (state.void_before !== null && claims.iat * 1000 < state.void_before) return null
  if (grantId && (!state.grant_payload || state.grant_expires_at! <= services.clock.now())) return null
  if (grantId && !claims.offline && state.grant_session_id && !state.live_session_id) return null
  // A machine's token speaks for the service account it was made for, as long as that is there.
  const isMachine = grantId === null && claims.sub !== clientId
  if (isMachine && claims.sub !== state.service_account_user_id) return null
  // The person of the grant or the client's service account; never whom `sub` names, which may be another's id (contract 4.14).
  const user = toTokenUser(state)
  if ((grantId !== null || state.service_account_user_id !== null) && !user?.usable) return null
  const userId = user?.userId ?? null
  if (!(await isActingOn(services, realmId, state))) return null
  for (const other of holdersOf(claims).slice(1)) {
    if (!(await mayHold(services, realmId, other, grantId === null ? null : userId))) return null
  }
  return { claims, state, userId }
}

/** What came of an impersonated session ends with it to the second, and with whatever lets the administrator act (S12). */
async function isActingOn(services: Services, realmId: string, state: TokenStateRow): Promise<boolean> {
  const { impersonator_id: impersonatorId, user_id: userId } = state
  if (impersonatorId === null || userId === null) return true
  const now = services.clock.now()
  const isOver = now >= state.session_expires_at! || now >= state.last_access_at! + state.idle_seconds! * 1000
  return !isOver && mayStillActFor(services, realmId, { impersonatorId, userId })
}

/** The clients that a token went through by exchanges, the first of them in front. */
export function holdersOf({ client_id, xch }: AccessClaims): string[] {
  const before = (xch?.from ?? []).filter((name) => name.startsWith(holderMark))
  const named = before.map((name) => name.slice(holderMark.length))
  return [...new Set([xch?.origin ?? client_id, ...named, client_id])]
}

export const holderMark = 'client:'

/** The grant is the first client's; a later one is enabled, and allowed by the person where it needs that, for itself (S12, S34). */
async function mayHold(services: Services, realmId: string, clientId: string, userId: string | null): Promise<boolean> {
  const client = await runRead(() => readProtocolClient(services, realmId, clientId))
  if (!client?.enabled) return false
  if (!client.settings.consentRequired || userId === null) return true
  return (await runRead(() => readConsent(services.db, realmId, userId, client.id))) !== null
}

/** Everything of the token that is not the protocol's own: what mappers put in. */
export function mappedClaims(claims: AccessClaims): Record<string, unknown> {
  const own = new Set([
    ...['iss', 'aud', 'exp', 'iat', 'jti', 'client_id', 'scope', 'gid', 'uic', 'offline', 'sid', 'cnf', 'sub', 'xch'],
  ])
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !own.has(name)))
}

export function audienceOf(claims: AccessClaims): string[] {
  return Array.isArray(claims.aud) ? claims.aud : claims.aud ? [claims.aud] : []
}
