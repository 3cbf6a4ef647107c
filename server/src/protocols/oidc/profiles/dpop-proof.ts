import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { calculateJwkThumbprint, EmbeddedJWK, type JWK, type JWTPayload, jwtVerify } from 'jose'
import type { Services } from '../../../domain/context/index.ts'
import { constantTimeEqual } from '../../../platform/crypto/index.ts'
import { useOnce } from '../adapter.ts'
import { createNonces } from '../internals.ts'
import { proofAlgorithms } from './algorithms.ts'
import { nonceSecret } from './dpop.ts'
import { clockToleranceSeconds, nowInSeconds, proofSeconds } from './times.ts'

/** Why a proof does not count, as RFC 9449 section 7.1 names it. */
export interface ProofFault {
  error: 'invalid_dpop_proof' | 'invalid_token' | 'use_dpop_nonce'
  description: string
}

export interface BoundToken {
  value: string
  clientId: string
  /** The thumbprint of the key that the token is bound to. */
  jkt: string
}

// A proof is some hundred bytes; with an RSA key a kilobyte.
const maxProofLength = 8192
const maxJtiLength = 255

/**
 * Checks the proof that comes with a bound token at our own resources (RFC 9449 section 4.3): for this method and address, this
 * token and its key, fresh or with our nonce, and once on whatever node. Null when it counts.
 */
export async function checkProof(
  services: Services,
  realmId: string,
  request: FastifyRequest,
  reply: FastifyReply,
  token: BoundToken,
): Promise<ProofFault | null> {
  const proof = request.headers.dpop
  if (typeof proof !== 'string' || proof === '') return invalid('the header DPoP is missing')
  if (proof.length > maxProofLength) return invalid('the DPoP proof is too long')
  const verified = await verifyProof(proof)
  if (!verified) return invalid('invalid DPoP key binding')
  const { payload, thumbprint } = verified
  const mismatch = findMismatch(services, request, payload, token.value)
  if (mismatch) return invalid(mismatch)
  const untimely = checkTime(services, realmId, reply, payload)
  if (untimely) return untimely
  if (!constantTimeEqual(thumbprint, token.jkt)) {
    return { error: 'invalid_token', description: 'the access token is bound to another key' }
  }
  // A proof may be dated ahead by as much as it may be old, so it is remembered for both.
  const expiresAt = (nowInSeconds() + 2 * proofSeconds) * 1000
  const isFirst = await useOnce(services, realmId, { issuer: token.clientId, jti: payload.jti!, expiresAt })
  return isFirst ? null : invalid('DPoP proof JWT Replay detected')
}

async function verifyProof(proof: string): Promise<{ payload: JWTPayload; thumbprint: string } | null> {
  try {
    const options = { algorithms: proofAlgorithms, typ: 'dpop+jwt', clockTolerance: clockToleranceSeconds }
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, options)
    return { payload, thumbprint: await calculateJwkThumbprint(protectedHeader.jwk as JWK) }
  } catch {
    return null
  }
}

function findMismatch(
  { config }: Services,
  request: FastifyRequest,
  { htm, htu, ath, jti, iat, nonce }: JWTPayload,
  token: string,
): string | null {
  if (typeof jti !== 'string' || jti === '' || jti.length > maxJtiLength) return 'DPoP proof must have a jti'
  if (typeof iat !== 'number') return 'DPoP proof must have an iat'
  if (nonce !== undefined && typeof nonce !== 'string') return 'DPoP proof nonce must be a string'
  if (htm !== request.method) return 'DPoP proof htm mismatch'
  const here = withoutQuery(new URL(config.baseUrl).origin + request.url)
  if (typeof htu !== 'string' || here === null || withoutQuery(htu) !== here) return 'DPoP proof htu mismatch'
  return ath === hash('sha256', token, 'base64url') ? null : 'DPoP proof ath mismatch'
}

/** RFC 9449 section 4.3 (9): query and fragment do not count. */
function withoutQuery(address: string): string | null {
  const url = URL.parse(address)
  return url && Object.assign(url, { search: '', hash: '' }).href
}

/** A recent proof, or one with a nonce of this realm; whoever has neither is given one. */
function checkTime(
  services: Services,
  realmId: string,
  reply: FastifyReply,
  { iat, nonce }: JWTPayload & { nonce?: string },
): ProofFault | null {
  const nonces = createNonces(nonceSecret(services, realmId))
  const next = nonces.next()
  if (nonce !== next) reply.header('dpop-nonce', next)
  if (nonce !== undefined) return nonces.check(nonce) ? null : useNonce('invalid nonce in DPoP proof')
  const isRecent = Math.abs(nowInSeconds() - iat!) <= proofSeconds
  return isRecent ? null : useNonce('DPoP proof iat is not recent enough, use a DPoP nonce instead')
}

const invalid = (description: string): ProofFault => ({ error: 'invalid_dpop_proof', description })
const useNonce = (description: string): ProofFault => ({ error: 'use_dpop_nonce', description })
