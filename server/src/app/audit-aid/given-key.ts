import { createPublicKey, type KeyObject } from 'node:crypto'
import { readPublicJwk } from '../../domain/events/chain/proof/index.ts'

/** A key somebody noted outside. Of an id alone, the key is taken from the file: the id is its fingerprint. */
export interface GivenKey {
  keyId: string
  key: KeyObject | null
}

const keyIdPattern = /^[\w-]{43}$/

export function readGivenKey(text: string): GivenKey | null {
  const trimmed = text.trim()
  if (keyIdPattern.test(trimmed)) return { keyId: trimmed, key: null }
  try {
    const isPem = trimmed.startsWith('-----BEGIN')
    return readPublicJwk(isPem ? createPublicKey(trimmed).export({ format: 'jwk' }) : JSON.parse(trimmed))
  } catch {
    return null
  }
}
