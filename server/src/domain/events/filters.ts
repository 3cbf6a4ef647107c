import { fieldError } from '../../platform/errors/index.ts'
import { firstIdAt, isUuid } from '../../platform/ids/index.ts'
import { foldName } from '../../platform/text/index.ts'
import type { Context } from '../context/index.ts'
import { filterKeyId, hashAddress, hashTypedName, openAuditKeys } from './audit-keys.ts'
import { type EventFilter, findUserIdByName } from './list-store.ts'
import type { EventQuery } from './schema.ts'

const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const plainDate = /^\d{4}-\d{2}-\d{2}$/
const dayMs = 86_400_000
// The time of a UUID v7 has 48 bits.
const lastMs = 2 ** 48 - 1

/** Reads an ISO 8601 time or epoch milliseconds; a time without an offset is UTC. */
function readTime(field: 'from' | 'to', text: string): number {
  const withZone = /T/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text
  const ms = /^\d{1,15}$/.test(text) ? Number(text) : isoTime.test(text) ? Date.parse(withZone) : Number.NaN
  if (Number.isNaN(ms) || ms < 0) throw fieldError(field, `${field} is an ISO 8601 time or epoch milliseconds`)
  return Math.min(ms, lastMs)
}

/** The ids of a time range, both ends included; a plain date as the end means the whole day. */
export function timeRange(query: Pick<EventQuery, 'from' | 'to'>): Pick<EventFilter, 'from' | 'until'> {
  const from = query.from === undefined ? undefined : firstIdAt(readTime('from', query.from))
  if (query.to === undefined) return { from, until: undefined }
  const lastPart = plainDate.test(query.to) ? dayMs : 1
  return { from, until: firstIdAt(Math.min(readTime('to', query.to) + lastPart, lastMs)) }
}

/**
 * The conditions as they are stored. Null when nothing can match: a hashed value is asked for in a realm that never hashed
 * one.
 */
export async function resolveFilter(ctx: Context, query: EventQuery): Promise<EventFilter | null> {
  const { type, category, outcome, resourceType, resourceId, clientId } = query
  const filter: EventFilter = { type, category, outcome, resourceType, resourceId, clientId, ...timeRange(query) }
  if (query.actor !== undefined) {
    const actor = await resolveActor(ctx, query.actor)
    if (actor === null) return null
    filter.actor = actor
  }
  if (query.sourceIp !== undefined) {
    const key = await readFilterKey(ctx)
    if (!key) return null
    filter.ipHash = hashAddress(key, query.sourceIp.trim().toLowerCase())
  }
  return filter
}

/** An id or fixed name as it is, a username by the user's id, and what nobody is called by the hash of what was typed. */
async function resolveActor(ctx: Context, text: string): Promise<string | null> {
  const actor = text.replace(/^erased:/, '')
  if (isUuid(actor) || actor === 'system' || actor === 'anonymous' || actor.startsWith('client:')) return actor
  const folded = foldName(actor)
  for (const realmId of new Set([ctx.realmId, ctx.services.config.bootstrap.realm])) {
    const userId = await findUserIdByName(ctx.tx, realmId, folded)
    if (userId) return userId
  }
  const key = await readFilterKey(ctx)
  return key ? hashTypedName(key, actor) : null
}

async function readFilterKey(ctx: Context): Promise<Buffer | null> {
  const id = filterKeyId(ctx.realmId)
  return (await openAuditKeys(ctx.services, ctx.tx, [ctx.realmId], [id])).get(id) ?? null
}
