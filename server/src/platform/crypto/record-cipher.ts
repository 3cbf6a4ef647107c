import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomFillSync } from 'node:crypto'

// A cipher takes a prepared key in less than half the time of a bare one.
const prepared = new WeakMap<Buffer, KeyObject>()

function keyObjectOf(key: Buffer): KeyObject {
  let object = prepared.get(key)
  if (!object) prepared.set(key, (object = createSecretKey(key)))
  return object
}

const nonceBytes = 12
// Random bytes cost more to ask for than to make: some hundred nonces at a time.
const nonces = Buffer.alloc(nonceBytes * 256)
let nonceAt = nonces.length

function takeNonce(): Buffer {
  if (nonceAt === nonces.length) {
    randomFillSync(nonces)
    nonceAt = 0
  }
  nonceAt += nonceBytes
  return Buffer.from(nonces.subarray(nonceAt - nonceBytes, nonceAt))
}

/**
 * AES-256-GCM under a key the caller already holds. Used where one sealed key protects many small records (audit events of
 * one person): destroying that key makes all of them unreadable.
 */
export function encryptRecord(key: Buffer, plain: string, place: string): Buffer {
  const nonce = takeNonce()
  const cipher = createCipheriv('aes-256-gcm', keyObjectOf(key), nonce).setAAD(Buffer.from(place))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

export function decryptRecord(key: Buffer, sealed: Buffer, place: string): string {
  const decipher = createDecipheriv('aes-256-gcm', keyObjectOf(key), sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(12, 28))
  return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}
