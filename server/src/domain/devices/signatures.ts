import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import type { PublicKey } from './schema.ts'

// What a device signs is some hundred bytes; what it is asked to sign is never long.
const maxLength = 4096

/** The device that a signature names, when it is of this kind; which device really made it, only the signature tells. */
export function readSigner(jws: string, typ: string): string | null {
  if (jws.length > maxLength) return null
  try {
    const header = decodeProtectedHeader(jws)
    return header.typ === typ && header.alg === 'ES256' && typeof header.kid === 'string' ? header.kid : null
  } catch {
    return null
  }
}

/** The text that this key signed with ES256; null for every other algorithm, key or form. */
export async function openSigned(jws: string, { x, y }: PublicKey): Promise<string | null> {
  if (jws.length > maxLength) return null
  try {
    // Nothing that the signature says about its key counts: the key is the one that was enrolled.
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
    const { payload } = await compactVerify(jws, key, { algorithms: ['ES256'] })
    return Buffer.from(payload).toString('utf8')
  } catch {
    return null
  }
}

/** The members of a signed object. */
export async function openClaims(jws: string, key: PublicKey): Promise<Record<string, unknown> | null> {
  const text = await openSigned(jws, key)
  if (text === null) return null
  try {
    const claims: unknown = JSON.parse(text)
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims)
      ? (claims as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** Times of day differ between a telephone and here, in both directions. */
export function isRecent(iat: unknown, now: number, withinSeconds: number): boolean {
  return typeof iat === 'number' && Math.abs(now / 1000 - iat) <= withinSeconds
}
