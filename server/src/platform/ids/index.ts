// Identifiers: UUID v7 made here (sortable by time), UUID v8 derived from a realm and a key.
// RFC 9562; contract 1.8.
// Called wherever a row is made; audit partitions and keyset paging rely on the order.
import { createHash, randomFillSync } from 'node:crypto'

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

// How far ids may run ahead of the clock in a burst.
const maxAheadMs = 1000

let lastMs = 0
let counter = 0
// One fill serves 512 ids: a system call per id would cost more than the id.
const pool = Buffer.alloc(4096)
let poolAt = pool.length

/**
 * A UUID v7 whose 12 bits after the time are a counter, so that ids of one process sort in the order they were made even
 * within a millisecond. The remaining 62 bits are random.
 */
export function newId(nowMs: number = Date.now()): string {
  if (nowMs > lastMs || nowMs < lastMs - maxAheadMs) {
    // Far behind means that the clock was set back: ids follow it rather than claim a time that has not come.
    lastMs = nowMs
    counter = 0
  } else if (++counter > 0xfff) {
    // More than 4096 in one millisecond: borrow from the next one rather than break the order.
    lastMs += 1
    counter = 0
  }
  if (poolAt + 8 > pool.length) {
    randomFillSync(pool)
    poolAt = 0
  }
  const random = pool.toString('hex', poolAt, poolAt + 8)
  poolAt += 8
  const time = lastMs.toString(16).padStart(12, '0')
  const variant = ((Number.parseInt(random[0]!, 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${variant}${random.slice(1, 4)}-${random.slice(4)}`
}

/** The lowest id that could have been made at this time: the bound of a time range over ids. */
export function firstIdAt(ms: number): string {
  const time = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/** The millisecond in which a UUID v7 was made. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

export function isUuid(text: string): boolean {
  return pattern.test(text)
}

/** A UUID v8 that is always the same for one realm and key: built-in objects have an id before they have a row. */
export function derivedId(realmId: string, key: string): string {
  const digest = createHash('sha256').update(`${realmId}\0${key}`).digest('hex')
  const variant = ((Number.parseInt(digest[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}
