import { createHash } from 'node:crypto'
import { firstIdAt, idTime } from '../../../../platform/ids/index.ts'
import { canonicalJson } from '../../../../platform/text/index.ts'
import type { EventContent } from './content.ts'

/** A place in the chain and the hash it has there, in hex. */
export interface Place {
  seq: number
  hash: string
}

export interface Link extends Place {
  eventId: string
  /** Null when the event is gone. */
  content: EventContent | null
}

export type BreakReason =
  /** The event is not the one that was hashed, or the hash is not the one that was written. */
  | 'EVENT_CHANGED'
  | 'EVENT_REMOVED'
  /** The event was put in where the chain had passed long before. */
  | 'EVENT_INSERTED'
  /** The hash is that of another event close by: places were exchanged. */
  | 'EVENT_MOVED'
  | 'CHAIN_GAP'
  /** The chain fits together, but it is not the one that was sealed. */
  | 'CHAIN_REWRITTEN'
  | 'SEAL_INVALID'
  | 'SEAL_MISSING'

/** What the first event of a chain is hashed with. */
export const firstHash = '0'.repeat(64)

/** SHA-256(hash before ‖ canonical JSON of the event), both as bytes. */
export function linkHash(before: string, content: EventContent): string {
  return createHash('sha256').update(before, 'hex').update(canonicalJson(content)).digest('hex')
}

const hourMs = 3_600_000
/** How late an event may come and still be chained. What is older and has no place was put in from outside. */
export const latestMs = 48 * hourMs

/**
 * The id from which on a chain has left behind what lies below another one: an event of that time can no longer get a place. The
 * hour is for clocks that differ and runs that take their time.
 */
export function firstIdPast(id: string): string {
  return firstIdAt(idTime(id) + latestMs + hourMs)
}

/**
 * Whether a link follows from the one before. An event that retention removed cannot be hashed again: its hash is taken as it
 * stands, and the next link shows whether that was right. Nothing shows which event it was, though: the place's id is believed. So
 * the caller says no `removedBefore` any more where the chain has passed it, and what is gone there was taken out.
 */
export function checkLink(before: Place, link: Link, removedBefore: string | null): BreakReason | null {
  if (link.seq !== before.seq + 1) return 'CHAIN_GAP'
  if (link.content === null) return removedBefore !== null && link.eventId < removedBefore ? null : 'EVENT_REMOVED'
  if (link.content.id !== link.eventId) return 'EVENT_CHANGED'
  return linkHash(before.hash, link.content) === link.hash ? null : 'EVENT_CHANGED'
}
