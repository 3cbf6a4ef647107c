import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { workOnPool } from '../../../platform/db/index.ts'
import { fieldError } from '../../../platform/errors/index.ts'
import type { Context } from '../../context/index.ts'
import { openEvents } from '../open-events.ts'
import { type AuditKeys, useAuditKeys } from './audit-key.ts'
import { firstHash, type Manifest, manifestText, type Place, type SignedSeal } from './proof/index.ts'
import { type ChainRange, resolveRange } from './range.ts'
import { readChainRows, readEventRows, readSeals } from './read-store.ts'
import type { ExportQuery } from './schema.ts'
import { contentOf, readHead } from './store.ts'

// One file stays in the range of a gigabyte; the next one begins where it ends.
const maxEvents = 1_000_000
// So many events are in memory at once, however long the file is.
const pageSize = 500
// One for each event, and one for each removal while nothing else happens.
const maxSeals = 2000

const emptyHead = { seq: 0, hash: firstHash, passedId: null, seals: 0, sealedSeq: 0, unsealedSince: null }

export interface Export {
  stream: Readable
  from: number
  to: number
}

/**
 * The trail as a file that proves itself: what was hashed, what it reads as today, the seals, and at the end a signed manifest. It
 * is read page by page after the request's transaction, which recorded it, has ended.
 */
export async function exportChain(ctx: Context, query: ExportQuery): Promise<Export> {
  const size = Number(query.size ?? maxEvents)
  if (size < 1 || size > maxEvents) throw fieldError('size', `size is between 1 and ${maxEvents}`)
  const keys = await useAuditKeys(ctx.services)
  const head = (await readHead(ctx.tx, ctx.realmId)) ?? emptyHead
  const range = await resolveRange(ctx.tx, ctx.realmId, query, { head, keys })
  const start = range.start ?? { seq: 0, hash: firstHash }
  const until = Math.max(Math.min(start.seq + size, range.end), start.seq)
  const reading: Reading = {
    ctx: { ...ctx, ...workOnPool(ctx.services.db) },
    keys,
    range,
    start,
    until,
    next: until < range.end ? until : null,
  }
  return { stream: Readable.from(writeLines(reading)), from: start.seq + 1, to: until }
}

interface Reading {
  ctx: Context
  keys: AuditKeys
  range: ChainRange
  start: Place
  until: number
  next: number | null
}

async function* writeLines(reading: Reading): AsyncGenerator<string> {
  const { ctx, keys, range, start, until, next } = reading
  const digest = createHash('sha256')
  const counted = { events: 0, seals: 0, last: start }
  yield take(digest, [
    {
      kind: 'header',
      version: 1,
      realm: ctx.realmId,
      after: start.seq,
      afterHash: start.hash,
      anchor: range.anchor,
      removal: range.removal,
      keys: keys.published,
    },
  ])
  while (counted.last.seq < until) {
    const lines = await readLines(reading, counted.last.seq)
    if (lines.length === 0) break
    for (const line of lines) {
      if (line.kind === 'seal') counted.seals += 1
      else {
        counted.events += 1
        counted.last = line
      }
    }
    yield take(digest, lines)
  }
  const manifest: Manifest = {
    realm: ctx.realmId,
    from: start.seq + 1,
    to: counted.last.seq,
    lastHash: counted.last.hash,
    events: counted.events,
    seals: counted.seals,
    sha256: digest.digest('hex'),
    exportedAt: ctx.now,
    next,
    keyId: keys.keyId,
  }
  yield `${JSON.stringify({ kind: 'manifest', manifest, signature: keys.sign(manifestText(manifest)) })}\n`
}

function take(digest: Hash, lines: object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  digest.update(text)
  return text
}

type Line = ({ kind: 'event' } & Place & Record<string, unknown>) | ({ kind: 'seal' } & SignedSeal)

async function readLines({ ctx, until }: Reading, after: number): Promise<Line[]> {
  const { tx, realmId } = ctx
  const rows = await readChainRows(tx, realmId, { after, until }, pageSize)
  const last = rows.at(-1)
  if (!last) return []
  const events = await readEventRows(
    tx,
    realmId,
    rows.map(({ eventId }) => eventId),
  )
  const opened = new Map((await openEvents(ctx, [...events.values()])).map((event) => [event.id, event]))
  const seals = await readSeals(tx, realmId, { after, until: last.seq }, maxSeals)
  const sealsAt = Map.groupBy(seals, ({ seq }) => seq)
  return rows.flatMap(({ seq, hash, eventId }): Line[] => {
    const row = events.get(eventId)
    const content = row ? contentOf(row) : null
    const line = { kind: 'event' as const, seq, hash, eventId, content, event: opened.get(eventId) ?? null }
    return [line, ...(sealsAt.get(seq) ?? []).map((seal) => ({ kind: 'seal' as const, ...seal }))]
  })
}
