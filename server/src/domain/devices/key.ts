import { calculateJwkThumbprint, exportJWK, importJWK } from 'jose'
import type { PublicKey } from './schema.ts'

export interface ReadKey {
  publicKey: PublicKey
  /** RFC 7638. */
  thumbprint: string
}

/** Null when it is no point of the curve. */
export async function readPublicKey({ x, y }: PublicKey): Promise<ReadKey | null> {
  try {
    const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256', { extractable: true })
    // Written anew: the last character of a coordinate has bits to spare, and one key must have one thumbprint.
    const { x: ownX, y: ownY } = await exportJWK(key)
    const publicKey: PublicKey = { kty: 'EC', crv: 'P-256', x: ownX!, y: ownY! }
    return { publicKey, thumbprint: await calculateJwkThumbprint(publicKey) }
  } catch {
    return null
  }
}
