import { LRUCache } from 'lru-cache'
import { newToken, type Sealer } from '../../platform/crypto/index.ts'

/** Where a sealed secret belongs; moved to another row or column it does not open. */
export function secretPlace(realmId: string, id: string, column: 'secret' | 'previous_secret'): string {
  return `clients:${realmId}:${id}:${column}`
}

/** 256 random bits, 43 characters of base64url (contract 2.17). */
export function makeSecret(): string {
  return newToken()
}

// Opening derives a key and costs more than the rest of a client's look-up; ten thousand short texts are about 3 MB.
const maxOpened = 10_000
const openedBySealer = new WeakMap<Sealer, LRUCache<string, string>>()

/**
 * Opens a secret, or remembers having done so. The key is the place with the ciphertext, so a secret that was replaced is
 * never answered from memory, and one that was moved to another row still does not open.
 */
export function openSecret(sealer: Sealer, sealed: Buffer, place: string): string {
  let opened = openedBySealer.get(sealer)
  if (!opened) {
    opened = new LRUCache<string, string>({ max: maxOpened })
    openedBySealer.set(sealer, opened)
  }
  const key = `${place}:${sealed.toString('latin1')}`
  const known = opened.get(key)
  if (known !== undefined) return known
  const secret = sealer.open(sealed, place).toString('utf8')
  opened.set(key, secret)
  return secret
}
