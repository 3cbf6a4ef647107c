import { createHmac } from 'node:crypto'
import { decryptRecord, encryptRecord } from '../../platform/crypto/index.ts'
import type { Unit } from './unit.ts'

const place = 'refresh-successor'

/** A key that only the holder of the replaced token can make: what is stored reveals nothing (contract 2.21). */
function keyFrom(replaced: string): Buffer {
  // The token is 256 random bits, so one keyed hash is a key as good as any.
  return createHmac('sha256', replaced).update('gatehouse:refresh-successor').digest()
}

export function sealUnder(replaced: string, successor: string): Buffer {
  return encryptRecord(keyFrom(replaced), successor, place)
}

export function openWith(replaced: string, sealed: Buffer): string | null {
  try {
    return decryptRecord(keyFrom(replaced), sealed, place)
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
