import { generateKeyPairSync } from 'node:crypto'

/** A key of a client as it would publish it, or as it must not. */
export function makeJwk({
  bits,
  isPrivate = false,
}: {
  bits?: number
  isPrivate?: boolean
} = {}): Record<string, unknown> {
  const pair = bits
    ? generateKeyPairSync('rsa', { modulusLength: bits })
    : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = isPrivate ? pair.privateKey : pair.publicKey
  return { ...key.export({ format: 'jwk' }), kid: 'k1', use: 'sig' }
}
