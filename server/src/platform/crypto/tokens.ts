import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, base64url. Prefixes make leaked ones recognisable to secret scanners (contract 5.4). */
export function newToken(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/** What is stored of a token: it is random, so a plain hash suffices and stays quick. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

export function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Compares two secrets in a time that does not depend on where they differ. */
export function constantTimeEqual(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b))
}
