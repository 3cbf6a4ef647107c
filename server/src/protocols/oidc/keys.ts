import { createPublicKey, type KeyObject } from 'node:crypto'
import { ExternalSigningKey } from 'oidc-provider'
import type { PublicSigningKey } from '../../domain/keys/index.ts'
import type { IssuerParts } from './issuer.ts'

/** The engine's keys: the active one signs, the others only verify; their private halves are not even here. */
export function engineKeys({ signingKey, keys }: IssuerParts): object[] {
  const active = { ...signingKey.privateKey.export({ format: 'jwk' }), kid: signingKey.keyId, use: 'sig' }
  const retained = keys.filter((key) => key.keyId !== signingKey.keyId).map((key) => new RetainedKey(key))
  return [active, ...retained]
}

// The engine knows external keys by their class.
class RetainedKey extends ExternalSigningKey {
  readonly #key: KeyObject

  constructor(key: PublicSigningKey) {
    super()
    this.#key = createPublicKey({ key: Buffer.from(key.publicKey, 'base64'), format: 'der', type: 'spki' })
    // Settable, whatever its types say.
    Object.assign(this, { kid: key.keyId, alg: 'RS256' })
  }

  override keyObject(): KeyObject {
    return this.#key
  }

  override get key_ops(): string[] {
    return ['verify']
  }

  override sign(): never {
    throw new Error('a retired key never signs')
  }
}
