import { fieldError } from '../../../platform/errors/index.ts'
import { firstIdAt } from '../../../platform/ids/index.ts'
import type { Context } from '../../context/index.ts'
import { timeRange } from '../filters.ts'
import { type AuditKeys, readAuditKeys } from './audit-key.ts'
import {
  checkLink,
  firstIdPast,
  isSealSigned,
  latestMs,
  type Link,
  linkHash,
  type Place,
  type SignedSeal,
} from './proof/index.ts'
import { type ChainRange, resolveRange } from './range.ts'
import { readChainRow, readChainRows, readEventRows, readPlaceFrom, readSeal, readSeals } from './read-store.ts'
import type { ChainReport, VerifyQuery } from './schema.ts'
import { type ChainHead, contentOf, readHead, readOneMoment, readUnchainedIds } from './store.ts'

// A call of the largest size takes a few tenths of a second.
const defaultSize = 1000
const maxSize = 5000
const maxUnchained = 1000
// Several seals on one place are rare: one for each removal while nothing else happens.
const maxRemovals = 1000

type Broken = NonNullable<ChainReport['firstBroken']>

/** Recomputes a part of the realm's chain and compares it with the events and the seals. */
export async function verifyChain(ctx: Context, query: VerifyQuery): Promise<ChainReport> {
  const size = Number(query.size ?? defaultSize)
  if (size < 1 || size > maxSize) throw fieldError('size', `size is between 1 and ${maxSize}`)
  // What makes no sense is said also where there is nothing to look at yet.
  timeRange(query)
  const { tx, realmId, services } = ctx
  await readOneMoment(tx)
  const keys = await readAuditKeys(services, tx)
  const head = await readHead(tx, realmId)
  const known = { lastSeal: await readSeal(tx, realmId, { last: true }), keys: keys?.published ?? [] }
  if (!head) {
    const unchained = await readUnchainedIds(tx, realmId, { fromId: null, untilId: null }, maxUnchained)
    return {
      valid: true,
      checked: 0,
      from: null,
      to: null,
      firstBroken: null,
      unchained: unchained.length,
      ...known,
      next: null,
    }
  }
  const range = await resolveRange(tx, realmId, query, { head, keys })
  const page = await readPage(ctx, range, size)
  const isLast = range.start === null || page.reached >= range.end
  const strays = await findStrays(ctx, head, range, page, isLast)
  const firstBroken =
    (await checkPage(ctx, { head, keys, range, page, isLast })) ??
    (await checkExpected(ctx, query.expect)) ??
    strays.inserted
  return {
    valid: firstBroken === null,
    checked: page.links.length,
    from: page.links.at(0)?.seq ?? null,
    to: page.links.at(-1)?.seq ?? null,
    firstBroken,
    unchained: strays.unchained,
    ...known,
    next: isLast ? null : page.reached,
  }
}

interface Page {
  links: Link[]
  seals: SignedSeal[]
  /** The last place of the page, or of what should have been there. */
  reached: number
}

async function readPage({ tx, realmId }: Context, { start, end }: ChainRange, size: number): Promise<Page> {
  const after = start?.seq ?? 0
  const until = Math.min(after + size, end)
  const rows = await readChainRows(tx, realmId, { after, until }, size)
  const events = await readEventRows(
    tx,
    realmId,
    rows.map(({ eventId }) => eventId),
  )
  const links = rows.map((row) => {
    const event = events.get(row.eventId)
    return { ...row, content: event ? contentOf(event) : null }
  })
  return { links, seals: await readSeals(tx, realmId, { after, until }, size + maxRemovals), reached: until }
}

interface Checking {
  head: ChainHead
  keys: AuditKeys | null
  range: ChainRange
  page: Page
  isLast: boolean
}

/** The first thing that does not fit, in the order of the chain. */
async function checkPage(ctx: Context, { head, keys, range, page, isLast }: Checking): Promise<Broken | null> {
  if (!range.start) return { seq: page.links[0]?.seq ?? null, eventId: null, reason: 'CHAIN_GAP' }
  const trusted = keys?.trusted ?? new Map()
  const removedUntil = await findRemovedUntil(ctx, range, head)
  const sealsAt = Map.groupBy([...(range.anchor ? [range.anchor] : []), ...page.seals], ({ seq }) => seq)
  const checkSeals = (place: Place, eventId: string | null): Broken | null => {
    for (const seal of sealsAt.get(place.seq) ?? []) {
      if (!isSealSigned(seal, trusted)) return { seq: place.seq, eventId, reason: 'SEAL_INVALID' }
      if (seal.hash !== place.hash) return { seq: place.seq, eventId, reason: 'CHAIN_REWRITTEN' }
    }
    return null
  }
  let before = range.start
  let broken = checkSeals(before, null)
  for (const link of page.links) {
    if (broken) return broken
    const reason = checkLink(before, link, removedUntil(link))
    if (reason === 'EVENT_CHANGED' && isMoved(before, link, page.links)) {
      return { seq: link.seq, eventId: link.eventId, reason: 'EVENT_MOVED' }
    }
    if (reason) return { seq: link.seq, eventId: link.eventId, reason }
    before = link
    broken = checkSeals(before, link.eventId)
  }
  if (broken) return broken
  if (before.seq < page.reached) return { seq: before.seq + 1, eventId: null, reason: 'CHAIN_GAP' }
  if (isLast && range.end === head.seq && before.hash !== head.hash) {
    return { seq: head.seq, eventId: null, reason: 'CHAIN_REWRITTEN' }
  }
  return checkNumbers(ctx, range.start, page, isLast && range.end === head.seq ? head.seals : null)
}

/** The id below which the event of a link may be gone: none where an earlier place shows that retention never came so far. */
async function findRemovedUntil({ tx, realmId }: Context, { removal }: ChainRange, head: ChainHead) {
  const removedBefore = removal?.removedBefore ?? null
  if (removedBefore === null) return () => null
  const past = await readPlaceFrom(tx, realmId, firstIdPast(removedBefore), head.seq)
  return ({ seq }: Link) => (past !== null && seq > past ? null : removedBefore)
}

const isMoved = (before: Place, link: Link, links: Link[]) =>
  links.some(({ content }) => content !== null && linkHash(before.hash, content) === link.hash)

/** Seals are numbered without a gap. The oldest that retention left may have any number. */
async function checkNumbers(
  { tx, realmId }: Context,
  start: Place,
  { seals }: Page,
  last: number | null,
): Promise<Broken | null> {
  const earlier = await readSeal(tx, realmId, { upToSeq: start.seq })
  let number = earlier?.number ?? 0
  for (const seal of seals) {
    number += 1
    if (seal.number !== number) return { seq: seal.seq, eventId: null, reason: 'SEAL_MISSING' }
  }
  return last === null || number >= last ? null : { seq: null, eventId: null, reason: 'SEAL_MISSING' }
}

async function checkExpected({ tx, realmId }: Context, expected: string | undefined): Promise<Broken | null> {
  if (expected === undefined) return null
  const [seq, hash] = expected.split(':') as [string, string]
  const place = await readChainRow(tx, realmId, Number(seq))
  if (place?.hash === hash) return null
  return { seq: Number(seq), eventId: place?.eventId ?? null, reason: 'CHAIN_REWRITTEN' }
}

/**
 * Events without a place between those of the page. New ones wait for the next run; one that is older than anything may come late,
 * where the chain has passed, was put in from outside.
 */
async function findStrays(ctx: Context, head: ChainHead, range: ChainRange, { links }: Page, isLast: boolean) {
  const { tx, realmId, now } = ctx
  const ids = links.map(({ eventId }) => eventId).sort()
  const before = range.start && range.start.seq > 0 ? await readChainRow(tx, realmId, range.start.seq) : null
  const lowest = before ? [before.eventId, ...ids.slice(0, 1)].sort()[0]! : ''
  const removedBefore = range.removal?.removedBefore ?? ''
  const fromId = (lowest > removedBefore ? lowest : removedBefore) || null
  const untilId = isLast ? null : (ids.at(-1) ?? null)
  const found = await readUnchainedIds(tx, realmId, { fromId, untilId }, maxUnchained)
  const allowedFrom = firstIdAt(now - latestMs)
  const inserted = found.find((id) => id < allowedFrom && head.passedId !== null && id < head.passedId)
  return {
    unchained: found.length,
    inserted: inserted === undefined ? null : ({ seq: null, eventId: inserted, reason: 'EVENT_INSERTED' } as Broken),
  }
}
