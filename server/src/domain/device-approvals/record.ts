import type { ApprovalRow } from './store.ts'

export type ApprovalKind = 'PUSH' | 'KEY' | 'QR'

/** Contract 3.8: push and key end in APPROVED or DENIED, a QR code goes by way of SCANNED to CONFIRMED. */
export type ApprovalStatus = 'PENDING' | 'SCANNED' | 'APPROVED' | 'DENIED' | 'CONFIRMED' | 'EXPIRED'

export interface Approval {
  id: string
  kind: ApprovalKind
  status: ApprovalStatus
  /** Who is asked; of a QR code, who read it. */
  userId: string | null
  signInId: string
  clientId: string | null
  clientName: string | null
  action: string
  /** What the screen shows and the device has to name. */
  number: number | null
  choices: number[] | null
  needsSignature: boolean
  sourceIp: string | null
  userAgent: string | null
  createdAt: number
  expiresAt: number
}

const open: ReadonlySet<string> = new Set(['PENDING', 'SCANNED'])

export const isOpen = ({ status }: Pick<Approval, 'status'>): boolean => open.has(status)

/** Nothing has to write that a question ran out: the time says so. */
export function toApproval(row: ApprovalRow, now: number): Approval {
  const ranOut = open.has(row.status) && row.expires_at <= now
  return {
    id: row.id,
    kind: row.kind as ApprovalKind,
    status: ranOut ? 'EXPIRED' : (row.status as ApprovalStatus),
    userId: row.user_id,
    signInId: row.sign_in_id,
    clientId: row.client_id,
    clientName: row.client_name,
    action: row.action,
    number: row.number,
    choices: row.choices,
    needsSignature: row.needs_signature,
    sourceIp: row.source_ip,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
