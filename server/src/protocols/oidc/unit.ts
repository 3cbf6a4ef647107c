import { AsyncLocalStorage } from 'node:async_hooks'
import { type Actor, openContext, type Origin, type Services } from '../../domain/context/index.ts'
import type { ClientStamp } from '../../domain/clients/index.ts'
import { type NewEvent, recordEvent } from '../../domain/events/index.ts'
import { type Acting, type ParticipantInsert, participantPart } from '../../domain/sessions/index.ts'
import {
  type Consumption,
  consumptionPart,
  grantEndPart,
  type GrantSourceRow,
  type ModelInsert,
  modelPart,
  removalPart,
  type TokenUser,
} from '../../domain/tokens/index.ts'
import {
  brokenUnique,
  isForeignKeyBroken,
  type PartRun,
  runSingle,
  runTogether,
  runTransaction,
} from '../../platform/db/index.ts'

import type { LiveToken } from './access-tokens.ts'

export type Payload = Record<string, unknown>

/** A session in which an administrator acts as the person. */
export interface ActingUnit {
  impersonatorId: string
  /** How long the session still is, as it was read. */
  secondsLeft: number
  /** What its pages say and send; null where no browser is there. */
  shown: Acting | null
}

/** A refresh token that was used a moment ago, and what to answer its owner again. */
export interface Replay {
  successor: string
}

/**
 * What one request reads and writes of the engine's models. Reads are kept, so that a code brings its grant, session and person
 * along in one round trip; writes are gathered and go out as one statement before the answer is sent, together with the event.
 */
export interface Unit {
  readonly realmId: string
  readonly origin: Origin
  models: Map<string, ModelInsert>
  removals: Map<string, Buffer>
  consumptions: Map<string, Consumption>
  participants: ParticipantInsert[]
  grantEnds: Map<string, { id: Buffer; expiresAt: number }>
  events: { event: NewEvent; actor: Actor }[]
  /** Whether a client is still what it was, as read in this request. */
  clientStamps: Map<string, ClientStamp>
  /** A code or refresh token that was read ahead, by its id in hex. */
  source: { key: string; row: GrantSourceRow | null } | null
  /** What was read along the way, by id in hex. */
  grants: Map<string, Payload>
  sessions: Map<string, Payload>
  users: Map<string, TokenUser | null>
  /** Runs after the writes, e.g. to mark a session as used. */
  effects: (() => Promise<void>)[]
  /** The refresh token that is being replaced. */
  rotating: { id: Buffer; value: string } | null
  /** Set when the refresh token that was sent is answered within its grace. */
  replay: Replay | null
  /** Whose refresh token was used a second time, beyond its grace. */
  reusedBy: { userId: string; username: string } | null
  /** The access token that was sent, looked up once. */
  liveToken: Promise<LiveToken | null> | null
  /** Set when the session of this request, or the one its tokens come from, is an impersonated one. */
  acting: ActingUnit | null
  /** When the person of the session last proved who they are, to the millisecond. */
  provedAt: number | null
  /** When they did so from the start; a second factor alone does not move it. */
  signedInAt: number | null
  /** When another screen let this one in. */
  vouchedAt: number | null
  /** The applications of the session as they were when the request came. */
  authorizations: Record<string, Payload> | null
}

const current = new AsyncLocalStorage<Unit>()

export function createUnit(realmId: string, origin: Origin): Unit {
  return {
    realmId,
    origin,
    models: new Map(),
    removals: new Map(),
    consumptions: new Map(),
    participants: [],
    grantEnds: new Map(),
    events: [],
    clientStamps: new Map(),
    source: null,
    grants: new Map(),
    sessions: new Map(),
    users: new Map(),
    effects: [],
    rotating: null,
    replay: null,
    reusedBy: null,
    liveToken: null,
    acting: null,
    provedAt: null,
    signedInAt: null,
    vouchedAt: null,
    authorizations: null,
  }
}

export function runInUnit<T>(unit: Unit, work: () => Promise<T>): Promise<T> {
  return current.run(unit, work)
}

/** The unit of the request that is being answered; undefined in jobs. */
export function currentUnit(): Unit | undefined {
  return current.getStore()
}

export type FlushOutcome =
  | 'WRITTEN'
  /** Something that may be used once was used by somebody else first. */
  | 'USED'
  /** What the writes belong to was revoked meanwhile. */
  | 'REVOKED'

/** Sends out what was gathered: all of it, or nothing. */
export async function flushUnit(services: Services, unit: Unit): Promise<FlushOutcome> {
  const { realmId, origin, events } = unit
  const parts = partsOf(unit)
  if (parts.length > 0 || events.length > 0) {
    // One statement is a transaction by itself; only several need one around them.
    const run = events.length > 1 ? runTransaction : runSingle
    try {
      await run(services.db, async (work) => {
        const [first, ...others] = events
        if (!first) return void (await runTogether(work.tx, parts as [PartRun]))
        const ctxOf = (actor: Actor) => openContext(services, work, { realmId, actor, origin })
        await recordEvent(ctxOf(first.actor), first.event, parts)
        for (const { event, actor } of others) await recordEvent(ctxOf(actor), event)
      })
    } catch (error) {
      if (brokenUnique(error) === 'oidc_consumptions_pkey') return 'USED'
      if (isForeignKeyBroken(error)) return 'REVOKED'
      throw error
    }
  }
  for (const effect of unit.effects) await effect()
  return 'WRITTEN'
}

function partsOf({ realmId, models, removals, consumptions, participants, grantEnds }: Unit): PartRun[] {
  return [
    ...[...removals.values()].map((id) => removalPart({ realmId, id })),
    ...[...consumptions.values()].map((use) => consumptionPart(use)),
    ...[...models.values()].map((row) => modelPart(row)),
    ...participants.map((participant) => participantPart(participant)),
    ...[...grantEnds.values()].map((end) => grantEndPart({ realmId, ...end })),
  ]
}

/** Forgets what was gathered, e.g. when the answer turns into a refusal. */
export function discardWrites(unit: Unit): void {
  unit.models.clear()
  unit.removals.clear()
  unit.consumptions.clear()
  unit.grantEnds.clear()
  unit.participants = []
  unit.events = []
  unit.effects = []
}
