import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface MasterKey {
  id: string
  key: Buffer
}

/**
 * Sealed secrets: AES-256-GCM under a key derived per record from a master key. The additional data names the place
 * (table:realm:id:column), so a ciphertext moved to another row does not open.
 */
export interface Sealer {
  seal(plain: Buffer | string, place: string): Buffer
  open(sealed: Buffer, place: string): Buffer
  /** True when the value was sealed by a key that is no longer the first of the ring. */
  isStale(sealed: Buffer): boolean
  /** A key for another purpose, the same on every node; changes with the first master key. */
  deriveKey(purpose: string): Buffer
}

// Layout: version, length of the key id, key id, salt, nonce, tag, ciphertext.
const version = 1
const saltLength = 16
const nonceLength = 12
const tagLength = 16

export function createSealer(ring: MasterKey[]): Sealer {
  const first = ring[0]
  if (!first) throw new Error('the key ring is empty')
  const byId = new Map(ring.map((entry) => [entry.id, entry.key]))
  const recordKey = (master: Buffer, salt: Buffer) =>
    Buffer.from(hkdfSync('sha256', master, salt, 'gatehouse:seal', 32))

  return {
    seal(plain, place) {
      const salt = randomBytes(saltLength)
      const nonce = randomBytes(nonceLength)
      const cipher = createCipheriv('aes-256-gcm', recordKey(first.key, salt), nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain as Buffer), cipher.final()])
      const id = Buffer.from(first.id)
      return Buffer.concat([Buffer.from([version, id.length]), id, salt, nonce, cipher.getAuthTag(), body])
    },
    open(sealed, place) {
      const parts = split(sealed)
      const master = byId.get(parts.keyId)
      if (!master) throw new Error(`master key ${parts.keyId} is not in the key ring`)
      const decipher = createDecipheriv('aes-256-gcm', recordKey(master, parts.salt), parts.nonce)
      decipher.setAAD(Buffer.from(place)).setAuthTag(parts.tag)
      return Buffer.concat([decipher.update(parts.body), decipher.final()])
    },
    isStale: (sealed) => split(sealed).keyId !== first.id,
    deriveKey: (purpose) => Buffer.from(hkdfSync('sha256', first.key, '', `gatehouse:${purpose}`, 32)),
  }
}

function split(sealed: Buffer) {
  const idLength = sealed[1] ?? 0
  const saltAt = 2 + idLength
  const nonceAt = saltAt + saltLength
  const tagAt = nonceAt + nonceLength
  const bodyAt = tagAt + tagLength
  if (sealed[0] !== version || sealed.length < bodyAt) throw new Error('not a sealed value')
  return {
    keyId: sealed.toString('utf8', 2, saltAt),
    salt: sealed.subarray(saltAt, nonceAt),
    nonce: sealed.subarray(nonceAt, tagAt),
    tag: sealed.subarray(tagAt, bodyAt),
    body: sealed.subarray(bodyAt),
  }
}
