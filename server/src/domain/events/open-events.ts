import { decryptRecord } from '../../platform/crypto/index.ts'
import { idTime, isUuid } from '../../platform/ids/index.ts'
import type { AuditLine, Context } from '../context/index.ts'
import { openAuditKeys } from './audit-keys.ts'
import { findPlaces } from './chain/index.ts'
import type { Place } from './chain/proof/index.ts'
import { readUsernames, type StoredEvent } from './list-store.ts'
import { actorPlace, detailPlace, type PersonalPart } from './record.ts'

const nobody: PersonalPart = { name: null, ip: null, agent: null }

/** Turns rows into events: opens what is sealed, looks up how the actors are called today and where the chain has them. */
export async function openEvents(ctx: Context, rows: StoredEvent[]): Promise<AuditLine[]> {
  if (rows.length === 0) return []
  const realmIds = [...new Set([ctx.realmId, ctx.services.config.bootstrap.realm])]
  const keyIds = rows.flatMap((row) => [row.actor_key_id, row.detail_key_id]).filter((id) => id !== null)
  const [keys, names, places] = await Promise.all([
    openAuditKeys(ctx.services, ctx.tx, realmIds, [...new Set(keyIds)]),
    readActorNames(ctx, realmIds, rows),
    findPlaces(
      ctx.tx,
      ctx.realmId,
      rows.map((row) => row.id),
    ),
  ])
  return rows.map((row) => openEvent(row, keys, names, places.get(row.id)))
}

/** Actors are people of this realm, or of the system realm, whose administrators act here too. */
async function readActorNames(ctx: Context, realmIds: string[], rows: StoredEvent[]): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  let missing = [...new Set(rows.map((row) => row.actor).filter((actor) => isUuid(actor)))]
  for (const realmId of realmIds) {
    for (const [id, username] of await readUsernames(ctx.tx, realmId, missing)) names.set(id, username)
    missing = missing.filter((id) => !names.has(id))
  }
  return names
}

function openEvent(
  row: StoredEvent,
  keys: Map<string, Buffer>,
  names: Map<string, string>,
  place: Place | undefined,
): AuditLine {
  const personalText = openPart(keys, row.actor_key_id, row.actor_sealed, actorPlace(row.realm_id, row.id))
  const erased = row.actor_sealed !== null && personalText === null
  const personal = personalText === null ? nobody : (JSON.parse(personalText) as PersonalPart)
  return {
    ts: new Date(idTime(row.id)).toISOString(),
    kind: 'audit',
    category: row.category,
    type: row.type,
    realm: row.realm_id,
    actor: shownActor(row.actor, personal, erased),
    sourceIp: personal.ip,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    outcome: row.outcome,
    detail: openPart(keys, row.detail_key_id, row.detail_sealed, detailPlace(row.realm_id, row.id)),
    id: row.id,
    // The hash chain is computed over committed events, so the newest have no place yet (contract 6.6).
    seq: place?.seq ?? null,
    hash: place?.hash ?? null,
    clientId: row.client_id,
    sessionId: row.session_id,
    userAgent: personal.agent,
    impersonatorId: row.impersonator_id,
    agentId: row.agent_id,
    traceId: row.trace_id,
    actorName: erased ? null : (names.get(row.actor) ?? null),
  }
}

/** Null when the key is gone. A key made anew for the same person does not open what was sealed before: gone as well. */
function openPart(
  keys: Map<string, Buffer>,
  keyId: string | null,
  sealed: Buffer | null,
  place: string,
): string | null {
  const key = keyId === null ? undefined : keys.get(keyId)
  if (!key || !sealed) return null
  try {
    return decryptRecord(key, sealed, place)
  } catch {
    return null
  }
}

function shownActor(actor: string, personal: PersonalPart, erased: boolean): string {
  if (actor.startsWith('name:')) return personal.name ?? 'erased'
  return erased && isUuid(actor) ? `erased:${actor}` : actor
}
