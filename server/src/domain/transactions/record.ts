import type { Services } from '../context/index.ts'
import { parseDetails } from './details.ts'
import { challengeOf } from './hash.ts'
import type { SignMethod, Transaction } from './schema.ts'
import type { TransactionRow } from './store.ts'

/** An end that nobody wrote down: what is not answered or not consumed in time is over. */
export function statusOf(row: TransactionRow, now: number): Transaction['status'] {
  const mayExpire = row.status === 'PENDING' || row.status === 'SIGNED'
  return mayExpire && row.expires_at <= now ? 'EXPIRED' : (row.status as Transaction['status'])
}

export function signPath(realmId: string, id: string): string {
  return `/realms/${realmId}/tx/${id}/sign`
}

/** `isOwner`: the challenge for a passkey is told to whom it is for. */
export function toTransaction(
  { config, clock }: Pick<Services, 'config' | 'clock'>,
  realmId: string,
  row: TransactionRow,
  isOwner: boolean,
): Transaction {
  const status = statusOf(row, clock.now())
  return {
    id: row.id,
    status,
    type: row.type,
    title: row.title,
    details: parseDetails(row.details),
    hash: row.hash,
    userId: row.user_id,
    clientId: row.client_id,
    requiredAcr: row.required_acr,
    callbackUrl: row.callback_url,
    method: row.method as SignMethod | null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    signedAt: row.signed_at,
    rejectedAt: row.rejected_at,
    consumedAt: row.consumed_at,
    signature: row.signature,
    signUrl: config.baseUrl + signPath(realmId, row.id),
    ...(isOwner && status === 'PENDING' ? { challenge: challengeOf(row) } : {}),
  }
}
