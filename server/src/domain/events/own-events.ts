import { fieldError } from '../../platform/errors/index.ts'
import { firstIdAt, isUuid } from '../../platform/ids/index.ts'
import { z } from 'zod'
import type { AuditLine, Context } from '../context/index.ts'
import { openEvents } from './open-events.ts'
import { selectEventsById, selectOwnIds } from './own-store.ts'
import { readEventBounds } from './partitions.ts'
import { type EventPage, eventQuery } from './schema.ts'
import { readVisibleFrom } from './service.ts'

const defaultSize = 50
const maxSize = 200
// A person who looks further back than this asks for the export of their data.
const maxCounted = 1000

export const OwnEventQuery = z.strictObject({
  before: eventQuery.shape.before,
  page: eventQuery.shape.page,
  size: eventQuery.shape.size.unwrap().optional().describe(`Events per page, 50 by default, ${maxSize} at most.`),
})
export type OwnEventQuery = z.infer<typeof OwnEventQuery>

// Later than any event.
const lastId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/**
 * A page of what somebody did, and of what was done about the security of their account, newest first. What others did is shown
 * without anything that is theirs: no name, no address, no browser, no words of their own.
 */
export async function listOwnEvents(ctx: Context, userId: string, query: OwnEventQuery): Promise<EventPage> {
  const page = Number(query.page ?? 0)
  const size = Number(query.size ?? defaultSize)
  if (page < 0) throw fieldError('page', 'page starts at 0')
  if (size < 1 || size > maxSize) throw fieldError('size', `size is between 1 and ${maxSize}`)
  if (query.before !== undefined && !isUuid(query.before)) throw fieldError('before', 'before is the id of an event')
  if ((page + 1) * size > maxCounted)
    throw fieldError('page', `page × size is at most ${maxCounted}; go on with before=<id>`)
  const [bounds, visibleFrom] = await Promise.all([readEventBounds(ctx.services), readVisibleFrom(ctx)])
  const lowest = [bounds?.fromId ?? firstIdAt(0), visibleFrom === null ? firstIdAt(0) : firstIdAt(visibleFrom)]
  const range = { userId, from: lowest.toSorted().at(-1)!, until: query.before ?? bounds?.untilId ?? lastId }
  const ids = await selectOwnIds(ctx.tx, ctx.realmId, range, maxCounted + 1)
  const shown = ids.slice(page * size, (page + 1) * size)
  const lines = await openEvents(ctx, await selectEventsById(ctx.tx, ctx.realmId, shown))
  const items = lines.map((line) => withoutOthers(line, userId))
  if (ids.length > maxCounted) return { items, total: maxCounted, page, size, totalCapped: true }
  return { items, total: ids.length, page, size }
}

/** Whoever acts as the person is somebody else as well. */
function withoutOthers(line: AuditLine, userId: string): AuditLine {
  const isImpersonated = line.impersonatorId !== null
  if (line.actor === userId && !isImpersonated) return line
  const hidden = { sourceIp: null, userAgent: null, traceId: null, hash: null, seq: null }
  if (isImpersonated) return { ...line, ...hidden, impersonatorId: 'administrator' }
  const actor = line.actor === 'system' ? line.actor : 'administrator'
  return { ...line, ...hidden, actor, actorName: null, sessionId: null, clientId: null, detail: null }
}
