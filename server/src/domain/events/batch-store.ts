import { sql } from 'kysely'
import type { Tx } from '../../platform/db/index.ts'
import type { EventRow } from './store.ts'

interface RollupShare {
  day: string
  type: string
  outcome: string
  category: string
  count: number
}

const hex = (bytes: Buffer | null) => bytes?.toString('hex') ?? null

/** Many events of one realm and their shares of the day's totals in one round trip: the rows travel as one JSON text. */
export async function insertEvents(
  tx: Tx,
  realmId: string,
  events: EventRow[],
  rollups: RollupShare[],
  stripe: number,
): Promise<void> {
  const rows = events.map((event) => ({
    ...event,
    ipHash: hex(event.ipHash),
    actorSealed: hex(event.actorSealed),
    detailSealed: hex(event.detailSealed),
  }))
  await sql`with written as (
      insert into audit_events (realm_id, id, category, type, outcome, actor, resource_type, resource_id, client_id,
        session_id, impersonator_id, agent_id, trace_id, ip_hash, actor_key_id, actor_sealed, detail_key_id, detail_sealed)
      select ${realmId}, id, category, type, outcome, actor, "resourceType", "resourceId", "clientId",
        "sessionId", "impersonatorId", "agentId", "traceId", decode("ipHash", 'hex'), "actorKeyId",
        decode("actorSealed", 'hex'), "detailKeyId", decode("detailSealed", 'hex')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(id uuid, category text, type text, outcome text,
        actor text, "resourceType" text, "resourceId" text, "clientId" text, "sessionId" uuid, "impersonatorId" uuid,
        "agentId" uuid, "traceId" text, "ipHash" text, "actorKeyId" uuid, "actorSealed" text, "detailKeyId" uuid,
        "detailSealed" text))
    insert into audit_rollups (realm_id, day, type, outcome, stripe, category, count)
    select ${realmId}, day, type, outcome, ${stripe}, category, count
    from jsonb_to_recordset(${JSON.stringify(rollups)}::jsonb) as r(day date, type text, outcome text, category text, count bigint)
    on conflict (realm_id, day, type, outcome, stripe) do update set count = audit_rollups.count + excluded.count`.execute(
    tx,
  )
}
