import { decodeJwt } from 'jose'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Services } from '../../../domain/context/index.ts'
import { errors } from '../internals.ts'
import { isFapi } from './fapi.ts'
import { fapiFutureSeconds, nowInSeconds } from './times.ts'

/** What nonces of a realm are made from: the same on every node, and nothing that must be stored. */
export function nonceSecret({ sealer }: Services, realmId: string): Buffer {
  return sealer.deriveKey(`dpop-nonce:${realmId}`)
}

/**
 * Proofs of possession (RFC 9449). Only clients of FAPI 2.0 must use our nonce: their libraries are tested for the answer
 * `use_dpop_nonce`, while some of those in single-page and agent applications still give up on it. Everybody else is offered
 * one with each answer, and is asked for it when their clock is off; a proof is fresh and good once in any case.
 */
export function dpopFeature(services: Services, realmId: string) {
  return {
    enabled: true,
    nonceSecret: nonceSecret(services, realmId),
    requireNonce: (ctx: unknown) => requireNonce(ctx as KoaContextWithOIDC),
    allowReplay: false,
  }
}

function requireNonce(ctx: KoaContextWithOIDC): boolean {
  if (!isFapi(ctx.oidc.client)) return false
  // With a nonce the engine leaves the proof's own times alone; the profile does not.
  const { iat, nbf } = readTimes(ctx.get('DPoP'))
  const latest = nowInSeconds() + fapiFutureSeconds
  if (Number(iat ?? 0) > latest || Number(nbf ?? 0) > latest) {
    throw new errors.InvalidDpopProof('this client uses FAPI 2.0: iat of the DPoP proof lies too far in the future')
  }
  return true
}

/** What cannot be read is refused by the engine, which says why. */
function readTimes(proof: string): { iat?: unknown; nbf?: unknown } {
  try {
    return decodeJwt(proof)
  } catch {
    return {}
  }
}
