import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { canonicalJson } from '../../../../platform/text/index.ts'

/** A statement that the chain of a realm had this hash at this place at this time. */
export interface Seal {
  realm: string
  /** Seals of a realm are numbered without a gap, so that a missing one is noticed. */
  number: number
  seq: number
  hash: string
  /** Epoch ms. */
  at: number
  /** Events below this id were removed by the realm's retention. */
  removedBefore: string | null
  keyId: string
}

export interface SignedSeal extends Seal {
  signature: string
}

export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
  kid: string
}

export type TrustedKeys = ReadonlyMap<string, KeyObject>

/** The thumbprint of the key (RFC 7638): whoever noted it down needs nothing else to recognise the key. */
export function keyIdOf(x: string): string {
  return createHash('sha256')
    .update(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
}

/** Null when it is no key of this kind, or not the one its id says. */
export function readPublicJwk(jwk: unknown): { keyId: string; key: KeyObject } | null {
  const { kty, crv, x, kid } = (jwk ?? {}) as Partial<Record<keyof PublicJwk, unknown>>
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return null
  const keyId = keyIdOf(x)
  if (kid !== undefined && kid !== keyId) return null
  try {
    return { keyId, key: createPublicKey({ key: { kty, crv, x }, format: 'jwk' }) }
  } catch {
    return null
  }
}

/** What is signed begins with its kind, so that no signature ever counts for something else. */
export function sealText({ realm, number, seq, hash, at, removedBefore, keyId }: Seal): string {
  return canonicalJson({ kind: 'gatehouse-audit-seal', realm, number, seq, hash, at, removedBefore, keyId })
}

/** What the last line of an export says about all lines before it. */
export interface Manifest {
  realm: string
  from: number
  to: number
  lastHash: string
  events: number
  seals: number
  /** Of every byte before the manifest's line. */
  sha256: string
  exportedAt: number
  /** The place after which the following file begins; null at the end. */
  next: number | null
  keyId: string
}

export function manifestText(manifest: Manifest): string {
  return canonicalJson({ kind: 'gatehouse-audit-manifest', manifest })
}

export function signText(text: string, privateKey: KeyObject): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64url')
}

export function isSigned(text: string, signature: string, keyId: string, keys: TrustedKeys): boolean {
  const key = keys.get(keyId)
  return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
}

export function isSealSigned(seal: SignedSeal, keys: TrustedKeys): boolean {
  return isSigned(sealText(seal), seal.signature, seal.keyId, keys)
}
