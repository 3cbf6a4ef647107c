import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Unit } from './unit.ts'

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** A key that only the holder of the replaced token can make: what is stored reveals nothing (contract 2.21). */
function keyFrom(replaced: string): Buffer {
  // The token is 256 random bits, so one keyed hash is a key as good as any.
  return createHmac('sha256', replaced).update('gatehouse:refresh-successor').digest()
}

export function sealUnder(replaced: string, successor: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, keyFrom(replaced), iv)
  const sealed = Buffer.concat([cipher.update(successor, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

export function openWith(replaced: string, sealed: Buffer): string | null {
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(replaced), sealed.subarray(0, ivBytes))
    decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
    return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Ties a new refresh token to the one it replaces in this request. */
export function sealSuccessor(unit: Unit, successorId: Buffer, successor: string): void {
  const { rotating } = unit
  const use = rotating ? unit.consumptions.get(rotating.id.toString('hex')) : undefined
  if (!rotating || !use) return
  use.successorId = successorId
  use.successorSealed = sealUnder(rotating.value, successor)
}
