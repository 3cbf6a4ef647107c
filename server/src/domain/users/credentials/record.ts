import { derivedId } from '../../../platform/ids/index.ts'
import type { User } from '../schema.ts'
import type { Credential } from './schema.ts'
import type { CredentialRow } from './store.ts'

/** What may be shown of the details, by type: whatever else is kept there stays inside. */
const shownDetails: Record<string, (row: CredentialRow) => Record<string, unknown>> = {
  totp: (row) => ({ pending: row.details.pending === true }),
  'recovery-codes': (row) => ({ remaining: row.remaining_codes }),
  device: ({ details }) => ({ platform: details.platform ?? 'OTHER' }),
  webauthn: ({ details }) => ({
    ...(typeof details.aaguid === 'string' ? { aaguid: details.aaguid } : {}),
    transports: details.transports ?? [],
    backedUp: details.backedUp === true,
    userVerified: details.userVerified === true,
  }),
}

export function toCredential(row: CredentialRow): Credential {
  return {
    id: row.id,
    type: row.type as Credential['type'],
    label: row.label,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    details: shownDetails[row.type]?.(row) ?? {},
  }
}

/** A verified number and a verified address are credentials without a row of their own (contract 2.47). */
export function verifiedAddresses(user: User): Credential[] {
  const derive = (type: 'sms' | 'email'): Credential => ({
    id: derivedId(user.realmId, `credential:${type}:${user.userId}`),
    type,
    label: null,
    createdAt: user.createdAt,
    lastUsedAt: null,
    details: {},
  })
  return [
    ...(user.phone !== null && user.phoneVerified ? [derive('sms')] : []),
    ...(user.email !== null && user.emailVerified ? [derive('email')] : []),
  ]
}
