import type { Executor, Tx } from '../../platform/db/index.ts'
import type { Proof } from '../sessions/index.ts'

export interface ApprovalRow {
  id: string
  kind: string
  status: string
  user_id: string | null
  sign_in_id: string
  client_id: string | null
  client_name: string | null
  action: string
  number: number | null
  choices: number[] | null
  needs_signature: boolean
  source_ip: string | null
  user_agent: string | null
  created_at: number
  expires_at: number
}

const approvals = (db: Executor, realmId: string) =>
  db
    .selectFrom('device_approvals as a')
    .leftJoin('clients as c', (join) =>
      join.onRef('c.realm_id', '=', 'a.realm_id').onRef('c.client_id', '=', 'a.client_id'),
    )
    .select([
      ...(['a.id', 'a.kind', 'a.status', 'a.user_id', 'a.sign_in_id', 'a.client_id', 'c.name as client_name'] as const),
      ...(['a.action', 'a.number', 'a.choices', 'a.needs_signature', 'a.source_ip', 'a.user_agent'] as const),
      ...(['a.created_at', 'a.expires_at'] as const),
    ])
    .where('a.realm_id', '=', realmId)

export async function readApprovalRow(db: Executor, realmId: string, id: string): Promise<ApprovalRow | null> {
  return (await approvals(db, realmId).where('a.id', '=', id).executeTakeFirst()) ?? null
}

/** Questions to a person that are still open, the newest first. */
export async function selectOpenRows(
  db: Executor,
  realmId: string,
  { userId, now, limit }: { userId: string; now: number; limit: number },
): Promise<ApprovalRow[]> {
  return approvals(db, realmId)
    .where('a.user_id', '=', userId)
    .where('a.kind', '<>', 'QR')
    .where('a.status', '=', 'PENDING')
    .where('a.expires_at', '>', now)
    .orderBy('a.id', 'desc')
    .limit(limit)
    .execute()
}

export interface ApprovalInsert {
  id: string
  kind: string
  user_id: string | null
  sign_in_id: string
  client_id: string | null
  action: string
  number: number | null
  choices: number[] | null
  needs_signature: boolean
  source_ip: string | null
  user_agent: string | null
  created_at: number
  expires_at: number
}

export async function insertApproval(tx: Tx, realmId: string, approval: ApprovalInsert): Promise<void> {
  await tx
    .insertInto('device_approvals')
    .values({ ...approval, realm_id: realmId })
    .execute()
}

/** A sign-in asks one question at a time: what it asked before can no longer be answered. */
export async function deleteOpenOf(tx: Tx, realmId: string, signInId: string): Promise<void> {
  await tx
    .deleteFrom('device_approvals')
    .where('realm_id', '=', realmId)
    .where('sign_in_id', '=', signInId)
    .where('status', 'in', ['PENDING', 'SCANNED'])
    .execute()
}

export interface Answer {
  id: string
  /** What it must be now; a final state never changes again. */
  from: string[]
  status: string
  /** The device whose key signed, or else the session that answered. */
  answeredBy: string | null
  now: number
}

/** False when somebody else answered first, or the time is over. */
export async function writeAnswer(tx: Tx, realmId: string, answer: Answer): Promise<boolean> {
  const result = await tx
    .updateTable('device_approvals')
    .set({ status: answer.status, answered_by: answer.answeredBy, answered_at: answer.now })
    .where('realm_id', '=', realmId)
    .where('id', '=', answer.id)
    .where('status', 'in', answer.from)
    .where('expires_at', '>', answer.now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The first who reads a QR code is the one it is for. */
export async function writeScan(
  tx: Tx,
  realmId: string,
  { id, userId, now }: { id: string; userId: string; now: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('device_approvals')
    .set({ status: 'SCANNED', user_id: userId })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('kind', '=', 'QR')
    .where('status', '=', 'PENDING')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Uses a yes up. Null unless it is the yes to this very sign-in and nobody used it before. */
export async function useAnswer(
  tx: Tx,
  realmId: string,
  { id, signInId, now, answeredSince }: { id: string; signInId: string; now: number; answeredSince: number },
): Promise<{ user_id: string | null; answered_by: string | null } | null> {
  const row = await tx
    .updateTable('device_approvals')
    .set({ used_at: now })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .where('sign_in_id', '=', signInId)
    .where('status', 'in', ['APPROVED', 'CONFIRMED'])
    .where('used_at', 'is', null)
    .where('answered_at', '>=', answeredSince)
    .returning(['user_id', 'answered_by'])
    .executeTakeFirst()
  return row ?? null
}

/** What whoever said yes has proved: a session by its sign-in, a device by its key. Null once the session or device is gone. */
export async function readAnswerer(
  tx: Tx,
  realmId: string,
  { userId, answeredBy, now }: { userId: string; answeredBy: string; now: number },
): Promise<{ proofs: Proof[] } | null> {
  const session = await tx
    .selectFrom('sessions')
    .select('proofs')
    .where('realm_id', '=', realmId)
    .where('id', '=', answeredBy)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (session) return { proofs: session.proofs as unknown as Proof[] }
  const device = await tx
    .selectFrom('device_keys')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('id', '=', answeredBy)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return device ? { proofs: [{ method: 'device-key', at: now }] } : null
}

export async function deleteApprovalsOf(tx: Tx, realmId: string, userId: string): Promise<void> {
  await tx.deleteFrom('device_approvals').where('realm_id', '=', realmId).where('user_id', '=', userId).execute()
}

export async function deleteSignInRow(tx: Tx, realmId: string, signInId: string): Promise<void> {
  await tx.deleteFrom('sign_ins').where('realm_id', '=', realmId).where('id', '=', signInId).execute()
}

export async function selectApprovalsOf(db: Executor, realmId: string, userId: string, limit: number) {
  return db
    .selectFrom('device_approvals')
    .select(['kind', 'status', 'client_id', 'action', 'source_ip', 'user_agent', 'created_at', 'answered_at'])
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Over all realms; returns how many went. */
export async function deleteOldApprovals(db: Executor, before: number, limit: number): Promise<number> {
  const old = db
    .selectFrom('device_approvals')
    .select(['realm_id', 'id'])
    .where('expires_at', '<', before)
    .orderBy('expires_at')
    .limit(limit)
  const result = await db
    .deleteFrom('device_approvals')
    .using(old.as('old'))
    .whereRef('device_approvals.realm_id', '=', 'old.realm_id')
    .whereRef('device_approvals.id', '=', 'old.id')
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
