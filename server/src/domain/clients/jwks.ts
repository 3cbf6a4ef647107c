import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'
import { z } from 'zod'

// Every assertion is tried against these; a client that rolls its keys over needs two or three.
const maxKeys = 20
// RFC 7518 section 3.3 and NIST SP 800-131A.
const minRsaBits = 2048
// RFC 7518 section 6 and RFC 8037: what only the owner of a key may have.
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const Jwk = z
  .looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']), kid: z.string().min(1).max(255).optional() })
  .superRefine((jwk, check) => {
    const shown = privateMembers.filter((name) => name in jwk)
    for (const name of shown)
      check.addIssue({
        code: 'custom',
        path: [name],
        message: 'This is the private half of the key; send the public one.',
      })
    const fault = shown.length === 0 ? keyFault(jwk) : null
    if (fault) check.addIssue({ code: 'custom', message: fault })
  })

/** The public keys of a client (RFC 7517), for private_key_jwt. */
export const Jwks = z.strictObject({ keys: z.array(Jwk).min(1).max(maxKeys) }).meta({ id: 'ClientJwks' })
export type Jwks = z.infer<typeof Jwks>

/**
 * FAPI 2.0 section 5.4.1: nothing weaker. RFC 9864 calls EdDSA by the name of its curve, and libraries begin to say so; both
 * names mean the same signature.
 */
export const fapiAlgorithms: readonly string[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

/** As read: whatever was accepted once. */
export const StoredJwks = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) })

// More than a client may register, because what it publishes may hold keys for other purposes.
const maxPublishedKeys = 100

/** The keys of a published set that can be used; others are left aside. Null when it is no key set. */
export function usableKeys(document: unknown): Record<string, unknown>[] | null {
  const keys = (document as { keys?: unknown } | null)?.keys
  if (!Array.isArray(keys) || keys.length > maxPublishedKeys) return null
  return keys.filter((key: unknown) => Jwk.safeParse(key).success).slice(0, maxKeys) as Record<string, unknown>[]
}

function keyFault(jwk: object): string | null {
  let key: KeyObject
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' } as JsonWebKeyInput)
  } catch {
    return 'This is not a public key that can be used (RFC 7517).'
  }
  const bits = key.asymmetricKeyDetails?.modulusLength
  return bits !== undefined && bits < minRsaBits ? `An RSA key needs at least ${minRsaBits} bits.` : null
}
