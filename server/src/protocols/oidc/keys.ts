import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { ExternalSigningKey } from 'oidc-provider'
import type { OpenSigningKey, PublicSigningKey } from '../../domain/keys/index.ts'
import type { IssuerParts } from './issuer.ts'

/** The engine's keys: the active one signs, the others only verify; their private halves are not even here. */
export function engineKeys({ signingKey, keys, oneAlgorithm }: IssuerParts): object[] {
  const active = oneAlgorithm
    ? new ActiveKey(signingKey)
    : { ...signingKey.privateKey.export({ format: 'jwk' }), kid: signingKey.keyId, use: 'sig' }
  const retained = keys.filter((key) => key.keyId !== signingKey.keyId).map((key) => new RetainedKey(key))
  return [active, ...retained]
}

const signInPool = promisify(sign)

/** Signs RS256 off the main thread without the detour over Web Crypto, which costs a tenth more. */
class ActiveKey extends ExternalSigningKey {
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject

  constructor({ keyId, privateKey }: OpenSigningKey) {
    super()
    this.#privateKey = privateKey
    this.#publicKey = createPublicKey(privateKey)
    Object.assign(this, { kid: keyId, alg: 'RS256' })
  }

  override keyObject(): KeyObject {
    return this.#publicKey
  }

  override sign(data: Uint8Array): Promise<Buffer> {
    return signInPool('RSA-SHA256', data, this.#privateKey) as Promise<Buffer>
  }
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
