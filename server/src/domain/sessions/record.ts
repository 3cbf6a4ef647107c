import { acrOf, amr } from './acr.ts'
import type { Session } from './schema.ts'
import type { Proof } from './service.ts'
import type { SessionRow } from './store.ts'

/** A row as the API shows it. */
export function toSession(realmId: string, row: SessionRow): Session {
  const proofs = row.proofs as Proof[]
  return {
    id: row.id,
    realmId,
    userId: row.user_id,
    username: row.username,
    type: row.type as Session['type'],
    clients: row.clients,
    sourceIp: row.source_ip,
    userAgent: row.user_agent,
    acr: acrOf(proofs),
    amr: amr(proofs),
    impersonatorId: row.impersonator_id,
    startedAt: row.started_at,
    lastAccessAt: row.last_access_at,
    expiresAt: Math.min(row.expires_at, row.last_access_at + row.idle_seconds * 1000),
  }
}
