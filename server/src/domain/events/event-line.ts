import { idTime } from '../../platform/ids/index.ts'
import { truncate } from '../../platform/text/index.ts'
import type { Actor, AuditLine, Context } from '../context/index.ts'
import { type EventCategory, type EventType, categoryOf } from './event-types.ts'

export interface NewEvent {
  type: EventType
  outcome: 'SUCCESS' | 'FAILURE'
  resourceType?: string | null
  resourceId?: string | null
  detail?: string | null
  /** The person the detail is about, when that is not the actor; their erasure makes it unreadable. */
  detailSubject?: string | null
  clientId?: string | null
  sessionId?: string | null
  agentId?: string | null
  /** Who acted as somebody, where it is not the actor of this event who does. */
  impersonatorId?: string | null
}

// What comes from outside is cut: an event is a line, not a document.
const maxNameLength = 255
const maxAgentLength = 512
const maxDetailLength = 8192

export function typedNameOf(actor: Actor): string | null {
  return actor.kind === 'ANONYMOUS' && actor.typedName ? truncate(actor.typedName, maxNameLength) : null
}

/** The event in the shape of the specification. Its time is that of its id, so that every reader sees the same. */
export function describeEvent(ctx: Context, event: NewEvent, id: string): AuditLine & { category: EventCategory } {
  const { actor, origin, realmId } = ctx
  const category = categoryOf.get(event.type)
  if (!category) throw new Error(`unknown event type ${event.type}`)
  const user = actor.kind === 'USER' ? actor : null
  return {
    ts: new Date(idTime(id)).toISOString(),
    kind: 'audit',
    category,
    type: event.type,
    realm: realmId,
    actor: shownActor(actor),
    sourceIp: origin.sourceIp,
    resourceType: event.resourceType ?? null,
    resourceId: event.resourceId ?? null,
    outcome: event.outcome,
    detail: event.detail ? truncate(event.detail, maxDetailLength) : null,
    id,
    seq: null,
    clientId: event.clientId ?? null,
    sessionId: event.sessionId ?? user?.sessionId ?? null,
    userAgent: origin.userAgent ? truncate(origin.userAgent, maxAgentLength) : null,
    impersonatorId: event.impersonatorId ?? user?.impersonatorId ?? null,
    agentId: event.agentId ?? null,
    traceId: origin.traceId,
    hash: null,
    actorName: user?.username ?? null,
  }
}

function shownActor(actor: Actor): string {
  switch (actor.kind) {
    case 'USER':
      return actor.userId
    case 'CLIENT':
      return `client:${actor.clientId}`
    case 'SYSTEM':
      return 'system'
    case 'ANONYMOUS':
      return typedNameOf(actor) ?? 'anonymous'
  }
}
