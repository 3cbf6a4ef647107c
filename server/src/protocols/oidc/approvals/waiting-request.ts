import { readProtocolClient, type ProtocolClient } from '../../../domain/clients/index.ts'
import type { Services } from '../../../domain/context/index.ts'
import { readModel, readWaiting } from '../../../domain/tokens/index.ts'
import { runRead } from '../../../platform/db/index.ts'
import type { Issuer } from '../issuer.ts'
import type { Payload } from '../unit.ts'
import { normalizeUserCode, userCodeId } from './device-codes.ts'
import { kindOfModel, type WaitingKind, waitingModels } from './models.ts'

/** A request of an application that waits for a person's answer. */
export interface WaitingRequest {
  issuer: Issuer
  id: Buffer
  kind: WaitingKind
  client: ProtocolClient
  /** Whom the application asks; null for a device, which anybody may answer who has its code. */
  userId: string | null
  params: Record<string, string | undefined>
  place: { ip: string | null; ua: string | null }
  createdAt: number
  expiresAt: number
}

export type Found = WaitingRequest | 'UNKNOWN' | 'EXPIRED' | 'ANSWERED'

export async function findWaiting(services: Services, issuer: Issuer, id: Buffer): Promise<Found> {
  const { realmId } = issuer
  const row = await runRead(() => readWaiting(services.db, realmId, id))
  if (!row || !waitingModels.has(row.model)) return 'UNKNOWN'
  const payload = row.payload as Payload
  if (row.grant_id !== null || payload.error !== undefined) return 'ANSWERED'
  const expiresAt = Number(payload.exp) * 1000
  if (expiresAt <= services.clock.now()) return 'EXPIRED'
  const client = await runRead(() => readProtocolClient(services, realmId, row.client_id ?? ''))
  if (!client?.enabled) return 'UNKNOWN'
  const { ip = null, ua = null } = (payload.deviceInfo ?? {}) as Partial<WaitingRequest['place']>
  return {
    issuer,
    id,
    kind: kindOfModel(row.model),
    client,
    userId: row.user_id,
    params: (payload.params ?? {}) as WaitingRequest['params'],
    place: { ip, ua },
    createdAt: row.created_at,
    expiresAt,
  }
}

/** The request of the device that shows this code. */
export async function findByUserCode(services: Services, issuer: Issuer, typed: string): Promise<Found> {
  const code = normalizeUserCode(typed)
  const row = await runRead(() => readModel(services.db, issuer.realmId, userCodeId(code)))
  if (!row || row.model !== 'UserCode') return 'UNKNOWN'
  const { device } = row.payload as { device: string }
  return findWaiting(services, issuer, Buffer.from(device, 'base64url'))
}

const idLength = 32

/** What an address carries; null when it can be none. */
export function readApprovalId(text: string): Buffer | null {
  const id = Buffer.from(text, 'base64url')
  return id.length === idLength && id.toString('base64url') === text ? id : null
}
