import { randomInt } from 'node:crypto'
import { encryptRecord } from '../../platform/crypto/index.ts'
import type { PartRun } from '../../platform/db/index.ts'
import { newId } from '../../platform/ids/index.ts'
import type { AuditLine, Context } from '../context/index.ts'
import {
  auditFilterKey,
  hashAddress,
  hashTypedName,
  unknownSubjectKeyId,
  useAuditKey,
  usePersonKey,
} from './audit-keys.ts'
import { describeEvent, type NewEvent, typedNameOf } from './event-line.ts'
import { insertEvent } from './store.ts'

// Writers of one realm and type spread over this many roll-up rows (contract 2.92).
export const stripes = 16

/** What is sealed of the actor, as it is stored inside the ciphertext. */
export interface PersonalPart {
  name: string | null
  ip: string | null
  agent: string | null
}

/**
 * Writes an audit event in the transaction of the change it tells of, and emits it after the commit, once, even when the
 * transaction was tried several times. `alongside` saves round trips: parts of the same change that do not depend on each other.
 */
export async function recordEvent(ctx: Context, event: NewEvent, alongside: PartRun[] = []): Promise<void> {
  const line = describeEvent(ctx, event, newId(ctx.now))
  const row = {
    realmId: ctx.realmId,
    id: line.id,
    category: line.category,
    type: line.type,
    outcome: line.outcome,
    resourceType: line.resourceType,
    resourceId: line.resourceId,
    clientId: line.clientId,
    sessionId: line.sessionId,
    impersonatorId: line.impersonatorId,
    agentId: line.agentId,
    traceId: line.traceId,
    ...(await sealPersonalParts(ctx, event, line)),
    // The day of the id: roll-ups and rows then agree on where a day ends.
    day: line.ts.slice(0, 10),
    stripe: randomInt(stripes),
  }
  await insertEvent(ctx.tx, row, alongside)
  ctx.afterCommit(() => ctx.services.auditSink.emit(line))
}

export async function sealPersonalParts(
  ctx: Context,
  event: NewEvent,
  { id, actor, detail, sourceIp, userAgent }: AuditLine,
) {
  const { realmId } = ctx
  const isUser = ctx.actor.kind === 'USER'
  const filterKey = await auditFilterKey(ctx)
  const typedName = typedNameOf(ctx.actor)
  const actorKeyId = isUser ? actor : unknownSubjectKeyId(realmId, ctx.now)
  const actorKey = await (isUser ? usePersonKey : useAuditKey)(ctx, keyRealmOf(ctx), actorKeyId)
  const detailKeyId = event.detailSubject ?? actorKeyId
  const detailKey =
    detail !== null && event.detailSubject ? await usePersonKey(ctx, realmId, event.detailSubject) : actorKey
  const personal: PersonalPart = { name: typedName, ip: sourceIp, agent: userAgent }
  return {
    actor: typedName === null ? actor : hashTypedName(filterKey, typedName),
    ipHash: sourceIp ? hashAddress(filterKey, sourceIp) : null,
    actorKeyId,
    actorSealed: encryptRecord(actorKey, JSON.stringify(personal), actorPlace(realmId, id)),
    detailKeyId: detail === null ? null : detailKeyId,
    detailSealed: detail === null ? null : encryptRecord(detailKey, detail, detailPlace(realmId, id)),
  }
}

/**
 * People of the system realm have one key for everything they do; it is in their own realm. Whoever else acts outside their
 * realm gets a key where the event is, because nobody would look for it elsewhere.
 */
function keyRealmOf({ actor, realmId, services }: Context): string {
  const fromSystem = actor.kind === 'USER' && actor.realmId === services.config.bootstrap.realm
  return fromSystem ? actor.realmId : realmId
}

/** Where a ciphertext belongs; moved to another row it does not open. */
export const actorPlace = (realmId: string, id: string) => `${realmId}:${id}:actor`
export const detailPlace = (realmId: string, id: string) => `${realmId}:${id}:detail`
